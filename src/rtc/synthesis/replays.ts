/**
 * Judges replayed calls: compares what a candidate's process wrote, line by line, with the outcomes of the unchanged functions in
 * the same place. Values are compared as the executor compares answers. A line in any other format counts as a different outcome.
 */
import { showValue } from "../../behaviour/index.ts";
import { decodeValue, equalValues, type Replayed } from "../../execute/index.ts";
import type { RecordedOutcome } from "./recorded.ts";

/** The outcome of one call. */
export interface CallOutcome extends RecordedOutcome {
  /** What was printed during the call. */
  readonly printed: string | null;
  /** CPU seconds, as the process itself reports. */
  readonly cpu: number;
}

export interface Outcomes {
  readonly calls: readonly CallOutcome[];
  /** The module's data after all calls, by name. */
  readonly globals: Readonly<Record<string, string>>;
}

/** Allowed difference of numbers, the same as in EvalPlus's tests. */
const TOLERANCE = 1e-6;

/** What a process wrote, if it answered exactly `calls` calls. Null if it did not, or wrote something else. */
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

/** Whether an outcome can be distinguished from others: its value, if any, equals itself. Functions and open iterators do not. */
export const isTelling = ({ value, raised }: RecordedOutcome): boolean =>
  raised !== undefined || (typeof value === "string" && sameText(value, value));

/** Whether a replay's outcome equals the recorded one exactly. */
export const isAsRecorded = (outcome: RecordedOutcome, recorded: RecordedOutcome): boolean =>
  outcome.value === recorded.value &&
  outcome.raised === recorded.raised &&
  outcome.after.length === recorded.after.length &&
  outcome.after.every((text, i) => text === recorded.after[i]);

/** Whether two runs of the unchanged functions have the same outcome. */
export const isSteady = (a: CallOutcome, b: CallOutcome): boolean => isAsRecorded(a, b) && a.printed === b.printed;

/** How a candidate's outcome differs from the expected one. Null if it does not. Messages of exceptions are not compared. */
export function differenceOf(got: CallOutcome, expected: CallOutcome): string | null {
  if (got.raised !== expected.raised) return `${endOf(got)} instead of ${endOf(expected)}`;
  if (expected.raised === undefined && !sameText(got.value ?? null, expected.value ?? null)) {
    return `${endOf(got)} instead of ${endOf(expected)}`;
  }
  if (got.printed !== expected.printed) return "it prints something else";
  if (got.after.length !== expected.after.length) return "it has other arguments";
  const place = expected.after.findIndex(
    // A value that does not equal itself proves nothing.
    (text, i) => text !== null && !sameText(got.after[i] ?? null, text) && sameText(text, text),
  );
  return place < 0
    ? null
    : `argument ${place + 1} is ${short(got.after[place] ?? null)} afterwards instead of ${short(expected.after[place]!)}`;
}

/** The first name whose data differ. Null if none do. */
export function globalDifference(got: Outcomes["globals"], expected: Outcomes["globals"]): string | null {
  const name = Object.keys(expected).find((key) => {
    const [value, before] = [Object.hasOwn(got, key) ? got[key]! : null, expected[key]!];
    return !sameText(value, before) && sameText(before, before);
  });
  return name === undefined ? null : `the module's ${name} differs afterwards`;
}

/** Maximum number of characters of a value in a message. */
const LONGEST = 120;

const endOf = ({ value, raised }: RecordedOutcome): string =>
  raised !== undefined ? `raises ${raised.slice(0, 80)}` : short(value ?? null);

/** A canonical text as a Python literal. The process may have written something else, which is shown as it is. */
function short(text: string | null): string {
  if (text === null) return "something unreadable";
  try {
    return showValue(decodeValue(text), LONGEST);
  } catch {
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  }
}

/** Whether two canonical texts stand for equal values. Equal texts may stand for unequal values: a function equals nothing. */
function sameText(got: string | null, expected: string | null): boolean {
  if (got === null || expected === null) return false;
  try {
    return equalValues(decodeValue(got), decodeValue(expected), TOLERANCE);
  } catch {
    return false;
  }
}
