/** The basis of a score, in one word and a reason. A score that looks right and one that was seen to behave right are different things. */
import type { Conclusion, Finding, Score } from "../types.ts";

export interface Concluded {
  readonly conclusion: Conclusion;
  readonly reason: string;
}

/** Half of the tests. A program with a lower score does not look right, because it only resembles a right one. */
const LOOKS_RIGHT = 0.5;

/** The finding in an empty answer. */
export const EMPTY: Finding = { line: null, what: "the answer is empty", certain: true };

interface ByText extends Pick<Score, "score" | "findings"> {
  /** Suspicions that lower the score but prove nothing. With one, the program does not look right. */
  readonly doubts?: readonly Finding[];
}

/** The conclusion for a score from text alone. */
export function concludeText({ score, findings = [], doubts = [] }: ByText): Concluded {
  const [[finding], [doubt]] = [findings, doubts];
  if (finding !== undefined) return { conclusion: "fails", reason: placed(finding) };
  if (doubt !== undefined) return { conclusion: "unknown", reason: `not executed; ${placed(doubt)}` };
  return { conclusion: score >= LOOKS_RIGHT ? "looks-right" : "unknown", reason: "not executed" };
}

/** For example `line 3: `x` is not defined`. */
const placed = ({ line, what }: Finding): string => (line === null ? what : `line ${line}: ${what}`);

/** The labels shown to people. */
export const CONCLUSIONS: Readonly<Record<Conclusion, string>> = {
  fails: "fails",
  "looks-right": "looks right",
  "behaves-right": "behaves right",
  unknown: "unknown",
};

/** Whether a fault or the run decided, so that the effects of lines on the score of the text say nothing of the conclusion. */
export const isDecided = ({ conclusion, behaviour }: Pick<Score, "conclusion" | "behaviour">): boolean =>
  conclusion === "fails" || conclusion === "behaves-right" || (behaviour?.source ?? null) !== null;

/** Whether a row's score rests on resemblance alone: no failure was seen, and nothing was run that could say more. */
export const isResemblance = ({ conclusion, behaviour }: Pick<Score, "conclusion" | "behaviour">): boolean =>
  (conclusion === "looks-right" || conclusion === "unknown") && (behaviour?.source ?? null) === null;
