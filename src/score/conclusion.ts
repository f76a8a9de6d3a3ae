/** What a score goes by, in one word and a reason: a score that looks right and one that was seen to behave right are not the same thing. */
import type { Conclusion, Finding, Score } from "../types.ts";

export interface Concluded {
  readonly conclusion: Conclusion;
  readonly reason: string;
}

/** Half of the tests: below, a program that only resembles a right one does not look right. */
const LOOKS_RIGHT = 0.5;

interface ByText extends Pick<Score, "score" | "findings"> {
  /** What lowers the score and proves nothing: the program does not look right. */
  readonly doubts?: readonly Finding[];
}

/** Of a score by text alone. */
export function concludeText({ score, findings = [], doubts = [] }: ByText): Concluded {
  const [[finding], [doubt]] = [findings, doubts];
  if (finding !== undefined) return { conclusion: "fails", reason: placed(finding) };
  if (doubt !== undefined) return { conclusion: "unknown", reason: `nothing ran; ${placed(doubt)}` };
  return { conclusion: score >= LOOKS_RIGHT ? "looks-right" : "unknown", reason: "nothing ran" };
}

/** `line 3: nothing defines `x``. */
const placed = ({ line, what }: Finding): string => (line === null ? what : `line ${line}: ${what}`);

/** The words that people read. */
export const CONCLUSIONS: Readonly<Record<Conclusion, string>> = {
  fails: "fails",
  "looks-right": "looks right",
  "behaves-right": "behaves right",
  unknown: "unknown",
};

/** Whether a row's score rests on resemblance alone: it is not seen to fail, and nothing ran that could say more. */
export const isResemblance = ({ conclusion, behaviour }: Pick<Score, "conclusion" | "behaviour">): boolean =>
  (conclusion === "looks-right" || conclusion === "unknown") && (behaviour?.source ?? null) === null;
