/** Dates in ISO form (`2024-03-01`) and their numbers, days since 1970; times (`09:30`) and theirs, minutes of a day. */
const DATE = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;

/** Null if the text is no date. */
export function dayOf(text: string): number | null {
  const time = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) ? null : time / DAY_MS;
}

/** Null unless the year has four digits. */
export function dateOf(day: number): string | null {
  const time = day * DAY_MS;
  if (!Number.isInteger(day) || Math.abs(time) > 8e15) return null;
  const text = new Date(time).toISOString().slice(0, 10);
  return DATE.test(text) ? text : null;
}

export const twoDigits = (n: number): string => `${n}`.padStart(2, "0");

/** `09:30` for a minute of a day; null for others. */
export const timeOf = (minute: number): string | null =>
  minute < 0 || minute >= 1440 ? null : `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Null if the text is no time. */
export const minuteOf = (text: string): number | null =>
  TIME.test(text) ? 60 * Number(text.slice(0, 2)) + Number(text.slice(3)) : null;

/** The same month and day in another year; 1 March for 29 February where there is none. */
export function yearsLater(day: number, years: number): number {
  const date = new Date(day * DAY_MS);
  return date.setUTCFullYear(date.getUTCFullYear() + years) / DAY_MS;
}
