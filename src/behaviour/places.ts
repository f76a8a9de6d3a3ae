/** The parts of a line for standard input, as a description writes them: fixed texts, names of values, dates, numbers. */

/** What stands at a place of a form: a fixed text, or values of a kind. */
export type Place =
  | string
  | { readonly kind: "choice"; readonly shown: string; readonly options: readonly string[] }
  | { readonly kind: "time" | "month" | "date" | "path" | "open" | "number" | "level"; readonly shown: string };

/** Words in capitals that stand for themselves. */
export const FIXED = /^(?:GET|PUT|POST|DELETE|HEAD|INFO|WARN|WARNING|ERROR|DEBUG)$/;

/** `LEVEL is one of DEBUG, INFO, WARN`. */
export function choiceOf(part: string, description: string): Place | null {
  if (!/^[A-Za-z_]\w{0,30}$/.test(part)) return null;
  const listed = new RegExp(
    `\\b${part}["\`]? (?:is|are|being) (?:either |one of )((?:["'\`]?[\\w+-]{1,20}["'\`]?(?:, or |, and |, | or | and )?){2,12})`,
  ).exec(description);
  const options =
    listed === null ? [] : listed[1]!.split(/, or |, and |, | or | and /).map((one) => one.replaceAll(/["'`]/g, ""));
  return options.length < 2
    ? null
    : { kind: "choice", shown: part, options: options.filter((option) => isAlike(option, options[0]!)) };
}

/** Options are all in capitals, or none is: `DEBUG, ERROR and the message`. */
const isAlike = (option: string, first: string): boolean =>
  option !== "" && (option === option.toUpperCase()) === (first === first.toUpperCase());

export function placeOf(part: string, words: ReadonlySet<string>): Place {
  if (/^(?:H{1,2}:MM.*|\d\d:\d\d.*)$/.test(part)) return { kind: "time", shown: part };
  if (part === "YYYY-MM") return { kind: "month", shown: part };
  if (/^(?:YYYY|\d{4})-(?:MM|\d\d)-(?:DD|\d\d)$/.test(part)) return { kind: "date", shown: part };
  if (/^-?\d/.test(part)) return { kind: "number", shown: part };
  if (/^\/./.test(part)) return { kind: "path", shown: part };
  if (FIXED.test(part)) return words.has(part) ? { kind: "level", shown: part } : part;
  if (words.has(part) || !/[\p{L}]/u.test(part)) return part;
  return { kind: "open", shown: part };
}

/** `a header line "date,city,temp"` */
const HEADER = /\bheader(?: line| row)?(?: is| reads)?:? ?["`]([A-Za-z]\w{0,20}(?:[,;|\t] ?[A-Za-z]\w{0,20}){1,7})["`]/;

/** Before the header of what the program prints. */
const OF_OUTPUT = /\b(?:prints?|outputs?|writes?)\b[^.]*$/i;

/** The first line of a table that a description names, and the form of the others; null if it names none. */
export function headerIn(description: string): { readonly line: string; readonly form: readonly Place[] } | null {
  const found = HEADER.exec(description);
  if (found === null || OF_OUTPUT.test(description.slice(Math.max(0, found.index - 60), found.index))) return null;
  const line = found[1]!;
  const form = line.split(/([,;|\t] ?)/).map((part, i): Place => {
    if (i % 2 === 1) return part;
    return /date|day$/i.test(part)
      ? { kind: "date", shown: part }
      : /time$/i.test(part)
        ? { kind: "time", shown: part }
        : { kind: "open", shown: part };
  });
  return { line, form };
}
