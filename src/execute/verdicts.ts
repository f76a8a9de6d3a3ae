/** Verdicts from result lines. Anything in a line becomes a verdict, never a fault of the harness: the program may have forged the line. */
import type { Execution, Oracle, PyValue, Verdict } from "../types.ts";
import type { JudgeAnswer, Judgement, JudgeUnit } from "./judge.ts";
import { isRight, sameNumbers } from "./oracle.ts";
import type { Line } from "./protocol.ts";
import { decodeValue, equalValues } from "./value.ts";

/** One comparison, which gives one verdict. */
export type Unit =
  | Exclude<JudgeUnit, { kind: "opaque" }>
  /** `input` is an index into the given suite of unsplit tests. */
  | { readonly kind: "opaque"; readonly test: string; readonly suite: "whole" | "script"; readonly input: number }
  /** `input` is an index into the suite of streams. */
  | { readonly kind: "stdio"; readonly test: string; readonly input: number; readonly expected: string };

type Judged = Extract<Unit, { kind: "judge" }>;

const MAX_NAME = 100; // characters, as in candidate.py; checked again here because a program can bypass candidate.py
const MAX_MESSAGE = 500;
const CONTROLS = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu;

export const MALFORMED = ["MalformedAnswer", "the program's process sent an invalid answer", "Exception"] as const;

/** [class, message, built-in base class] of an error line. Any other payload, which a program may have sent instead, is malformed. */
export function describe(payload: string): readonly [string, string, string] {
  try {
    const [type, message, base = "Exception"] = JSON.parse(payload) as unknown[];
    if (typeof type === "string" && typeof message === "string" && typeof base === "string") {
      const name = type.slice(0, MAX_NAME).replace(CONTROLS, "\ufffd");
      return [name, message.slice(0, MAX_MESSAGE).toWellFormed(), base.slice(0, MAX_NAME)];
    }
  } catch {
    // return MALFORMED below
  }
  return MALFORMED;
}

/** The value of a canonical text; null for any other text. */
export function tryDecode(text: string): PyValue | null {
  try {
    return decodeValue(text);
  } catch {
    return null;
  }
}

export function equalVerdict(
  unit: Extract<Unit, { kind: "equal" }>,
  line: Line,
  strict: boolean,
  oracle?: Oracle,
): Verdict {
  const { test, expected, tolerance, also } = unit;
  if (line.status !== "v") return failure(test, line);
  if (line.payload === expected && oracle === undefined) return { testId: test, outcome: "pass" };
  try {
    const answer = decodeValue(line.payload);
    const right = (text: string): boolean =>
      oracle === undefined
        ? equalValues(answer, decodeValue(text), tolerance, strict)
        : isRight(oracle, { answer, expected: decodeValue(text), tolerance, strict });
    const same = right(expected as string) || (also !== undefined && right(also));
    return { testId: test, outcome: same ? "pass" : "fail" };
  } catch {
    return { testId: test, outcome: "error", errorType: MALFORMED[0], message: MALFORMED[1] };
  }
}

/** The verdict of a test that ran unsplit beside the program. */
export function wholeVerdict({ test }: Extract<Unit, { kind: "opaque" }>, line: Line): Verdict {
  if (line.status === "v") return { testId: test, outcome: "pass", opaque: true };
  return { ...failure(test, line), opaque: true };
}

export function streamVerdict(
  { test, expected }: Extract<Unit, { kind: "stdio" }>,
  line: Line,
  oracle: Oracle | undefined,
): Verdict {
  if (line.status !== "v") return failure(test, line);
  const printed = JSON.parse(line.payload) as string; // the guard wrote this JSON
  const same = oracle === "numbers" ? sameNumbers : sameOutput;
  return { testId: test, outcome: same(printed, expected) ? "pass" : "fail" };
}

/** Whether two outputs are equal as in APPS: spaces at the ends of lines and empty lines at the end do not count. */
export function sameOutput(a: string, b: string): boolean {
  return trimmed(a) === trimmed(b);
}

/** Runs in linear time, unlike a regular expression for trailing blanks. */
function trimmed(text: string): string {
  const lines = text.split("\n").map((line) => {
    let end = line.length;
    while (end > 0 && " \t\r\f\v".includes(line[end - 1] as string)) end -= 1;
    return line.slice(0, end);
  });
  while (lines.at(-1) === "") lines.pop();
  return lines.join("\n");
}

/** The first of a unit's calls whose result leaves nothing to judge. */
export const firstFailure = (unit: Judged, calls: readonly Line[]): Line | undefined =>
  unit.inputs
    .map((i) => calls[i] as Line)
    .find(({ status }) => status === "t" || status === "m" || status === "l" || (status === "e" && !unit.guarded));

/** A unit's answers in the form that the judge takes. */
export const judgeAnswers = (unit: Judged, calls: readonly Line[]): JudgeAnswer[] =>
  unit.inputs.map((i) => {
    const { status, payload } = calls[i] as Line;
    return status === "v" ? payload : describe(payload);
  });

export function failure(test: string, { status, payload }: Line): Verdict {
  if (status === "t") return { testId: test, outcome: "timeout" };
  if (status === "m") return { testId: test, outcome: "memory" };
  const [errorType, message] = describe(payload);
  // A failed assert in a call, the program's own or the test's, is a wrong answer and not a crash.
  if (status === "e" && errorType === "AssertionError") return { testId: test, outcome: "fail" };
  return { testId: test, outcome: "error", errorType, message };
}

/** `opaque` (the answer is not a plain value, but the reference's is) counts as a wrong answer. */
export function judgedVerdict(test: string, judgement: Judgement): Verdict {
  if (judgement === "opaque") return { testId: test, outcome: "fail" };
  if (typeof judgement === "string") return { testId: test, outcome: judgement };
  const [errorType, message] = judgement;
  return { testId: test, outcome: "error", errorType, message };
}

/** The result of an execution with at least one verdict. */
export function summarise(verdicts: readonly Verdict[]): Execution {
  const stopped = verdicts.find(({ outcome }) => outcome !== "pass" && outcome !== "fail");
  return {
    status: "ok",
    verdicts,
    passRatio: verdicts.filter(({ outcome }) => outcome === "pass").length / verdicts.length,
    executable: stopped ? 0 : 1,
    firstError: stopped ? nameOf(stopped) : null,
    reason: null,
  };
}

function nameOf({ outcome, errorType }: Verdict): string {
  if (outcome === "timeout") return "Timeout";
  return outcome === "memory" ? "MemoryError" : (errorType ?? "Error");
}

/** The result of a program about which nothing is known: its problem has nothing to run, or the harness failed. */
export const unlabelled = (status: "no_label" | "infra", reason: string): Execution => ({
  status,
  verdicts: [],
  passRatio: null,
  executable: null,
  firstError: null,
  reason,
});
