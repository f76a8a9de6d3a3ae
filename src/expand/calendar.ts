/** Dates (`2024-03-01`, `31/12/2023`) and times (`09:30`) in texts, replaced by others that exist. */
import type { Random } from "../util/random.ts";

const STAMP =
  /(?<!\d)(?:(\d{4})-(\d\d)-(\d\d)(?!-?\d)|(\d\d)\/(\d\d)\/(\d{4})(?![\d/])|([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?![\d:]))/g;
const YEARS = [1900, 1999, 2000, 2023, 2024, 2100] as const;

const daysIn = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
const exists = (year: number, month: number, day: number): boolean =>
  year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
const digits = (n: number, size: number): string => `${n}`.padStart(size, "0");

/** Whether a text is one date or time that exists. */
export function isStamp(text: string): boolean {
  const [match] = text.length <= 10 ? text.matchAll(STAMP) : [];
  return match !== undefined && match[0] === text && isReal(match);
}

/** Whether a text has a date or time that exists. */
export const hasStamp = (text: string): boolean => [...text.matchAll(STAMP)].some(isReal);

/** Replaces every date and time that exists by another, and the texts between them by `rest`. The `T` of `2024-03-01T10:00` stays. */
export function otherStamps(text: string, rng: Random, rest: (part: string) => string): string {
  let out = "";
  let at = 0;
  for (const match of text.matchAll(STAMP)) {
    if (!isReal(match)) continue;
    const before = text.slice(at, match.index);
    out += (before === "T" ? before : rest(before)) + other(match, rng);
    at = match.index + match[0].length;
  }
  return out + rest(text.slice(at));
}

const isReal = ([text, y, m, d, first, second, year]: RegExpMatchArray): boolean =>
  text.includes(":") ||
  exists(Number(y), Number(m), Number(d)) ||
  exists(Number(year), Number(second), Number(first)) ||
  exists(Number(year), Number(first), Number(second));

function other([text, y, , , first, second, slashed]: RegExpMatchArray, rng: Random): string {
  if (text.includes(":")) return timeLike(text, rng);
  // `03/04/2024` does not show which number is the month. With a day of at most 12 both readings exist.
  const isOpen = y === undefined && Math.max(Number(first), Number(second)) <= 12;
  const date = dateNear(Number(y ?? slashed), isOpen ? 12 : 31, rng);
  const [year, month, day] = [digits(date.year, 4), digits(date.month, 2), digits(date.day, 2)];
  if (y !== undefined) return `${year}-${month}-${day}`;
  return Number(second) > 12 ? `${month}/${day}/${year}` : `${day}/${month}/${year}`;
}

function timeLike(text: string, rng: Random): string {
  const [, ...rest] = text.split(":");
  return [rng.int(0, 23), ...rest.map(() => rng.int(0, 59))].map((n) => digits(n, 2)).join(":");
}

/** Ends of months and leap years are more frequent than at random. */
function dateNear(old: number, latest: number, rng: Random): { year: number; month: number; day: number } {
  const year = rng.chance(0.4) ? old : rng.chance(0.5) ? rng.pick(YEARS) : rng.int(1900, 2100);
  const month = rng.chance(0.3) ? rng.int(2, 3) : rng.int(1, 12);
  const last = Math.min(latest, daysIn(year, month));
  return { year, month, day: rng.chance(0.3) ? rng.pick([1, last]) : rng.int(1, last) };
}

/** Turns dates and times that do not exist into some that do: `2345-45-78 01:45:78` becomes `2345-09-22 01:45:18`. */
export const existing = (text: string): string =>
  text
    .replace(/(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)/g, (stamp, y: string, m: string, d: string) =>
      exists(Number(y), Number(m), Number(d))
        ? stamp
        : `${y}-${digits(1 + ((Number(m) + 11) % 12), 2)}-${digits(1 + ((Number(d) + 27) % 28), 2)}`,
    )
    .replace(/(?<![\d:])(\d\d):(\d\d)(:\d\d)?(?![\d:])/g, (_, h: string, m: string, s: string | undefined) =>
      [Number(h) % 24, Number(m) % 60, ...(s === undefined ? [] : [Number(s.slice(1)) % 60])]
        .map((n) => digits(n, 2))
        .join(":"),
    );
