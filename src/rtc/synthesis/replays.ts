/**
 * Whether replayed calls came to what they should: what a candidate's process wrote, line by line, beside what the functions as they are
 * came to in the same place. Values are compared as the executor compares answers. Whatever is no such line counts as another outcome.
 */
import { showValue } from "../../behaviour/index.ts";
import { decodeValue, equalValues, type Replayed } from "../../execute/index.ts";
import type { RecordedOutcome } from "./recorded.ts";

/** What one call came to. */
export interface CallOutcome extends RecordedOutcome {
  /** What was printed meanwhile. */
  readonly printed: string | null;
  /** CPU seconds, by its own account. */
  readonly cpu: number;
}

export interface Outcomes {
  readonly calls: readonly CallOutcome[];
  /** The module's data afterwards, by name. */
  readonly globals: Readonly<Record<string, string>>;
}

/** Numbers may differ as much as in EvalPlus's tests. */
const TOLERANCE = 1e-6;

/** What a process wrote, if it answered all of so many calls; null where it did not, or wrote something else. */
export function readOutcomes({ end, lines }: Pick<Replayed, "end" | "lines">, calls: number): Outcomes | null {
  if (end !== "answered" || lines.length !== calls + 2 || lines.at(-1) !== "") return null;
  try {
    const rows = lines.slice(0, -1).map((line) => JSON.parse(line) as unknown);
    const globals = rows.pop();
    return rows.every(isOutcome) && isTexts(globals) ? { calls: rows, globals } : null;
  } catch {
    return null;
  }
}

function isOutcome(row: unknown): row is CallOutcome {
  if (typeof row !== "object" || row === null) return false;
  const { value, raised, after, printed } = row as Partial<CallOutcome>;
  const isEnd = typeof raised === "string" ? value === undefined : value === null || typeof value === "string";
  return isEnd && Array.isArray(after) && after.every(isText) && isText(printed);
}

const isText = (value: unknown): boolean => value === null || typeof value === "string";

const isTexts = (row: unknown): row is Outcomes["globals"] =>
  typeof row === "object" && row !== null && Object.values(row).every((value) => typeof value === "string");

/** Whether an outcome can be told from others: its value, if any, equals itself. Functions and open iterators do not. */
export const isTelling = ({ value, raised }: RecordedOutcome): boolean =>
  raised !== undefined || (typeof value === "string" && sameText(value, value));

/** Whether a replay came to what was recorded, to the letter. */
export const isAsRecorded = (outcome: RecordedOutcome, recorded: RecordedOutcome): boolean =>
  outcome.value === recorded.value &&
  outcome.raised === recorded.raised &&
  outcome.after.length === recorded.after.length &&
  outcome.after.every((text, i) => text === recorded.after[i]);

/** Of two runs of the functions as they are: the same. */
export const isSteady = (a: CallOutcome, b: CallOutcome): boolean => isAsRecorded(a, b) && a.printed === b.printed;

/** How a candidate's outcome differs from the expected one; null where it does not. Messages of exceptions are not compared. */
export function differenceOf(got: CallOutcome, expected: CallOutcome): string | null {
  if (got.raised !== expected.raised) return `${endOf(got)} instead of ${endOf(expected)}`;
  if (expected.raised === undefined && !sameText(got.value ?? null, expected.value ?? null)) {
    return `${endOf(got)} instead of ${endOf(expected)}`;
  }
  if (got.printed !== expected.printed) return "it prints something else";
  if (got.after.length !== expected.after.length) return "it has other arguments";
  const place = expected.after.findIndex(
    // What does not equal itself tells nothing.
    (text, i) => text !== null && !sameText(got.after[i] ?? null, text) && sameText(text, text),
  );
  return place < 0
    ? null
    : `argument ${place + 1} is ${short(got.after[place] ?? null)} afterwards instead of ${short(expected.after[place]!)}`;
}

/** The first name whose data differ; null where none do. */
export function globalDifference(got: Outcomes["globals"], expected: Outcomes["globals"]): string | null {
  const name = Object.keys(expected).find((key) => {
    const [value, before] = [Object.hasOwn(got, key) ? got[key]! : null, expected[key]!];
    return !sameText(value, before) && sameText(before, before);
  });
  return name === undefined ? null : `the module's ${name} is another afterwards`;
}

const endOf = ({ value, raised }: RecordedOutcome): string =>
  raised !== undefined ? `raises ${raised.slice(0, 80)}` : short(value ?? null);

/** A canonical text as a literal. What a process wrote may be no canonical text. */
function short(text: string | null): string {
  if (text === null) return "something unreadable";
  try {
    return showValue(decodeValue(text));
  } catch {
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  }
}

/** Equal values, by their canonical texts. Equal texts may not be: functions equal nothing. */
function sameText(got: string | null, expected: string | null): boolean {
  if (got === null || expected === null) return false;
  try {
    return equalValues(decodeValue(got), decodeValue(expected), TOLERANCE);
  } catch {
    return false;
  }
}
