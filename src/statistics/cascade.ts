/**
 * Whom to execute when not all can be: the cascade's rule, shared by `estimate --cascade` and whatever else runs programs
 * only where their scores leave doubt.
 *
 * A score is doubtful as far as it is near the threshold from which on it is a yes. Widths of calibrated intervals were
 * tried in its place, alone and together with it: on four labelled sets (he-eval-dev, he-llm-dev, MBPP, APPS) they chose
 * worse for decisions; for the error of the scores sometimes better than nearness to the middle of the range, sometimes not.
 */
import { CodescoreError } from "../errors.ts";
import { checkColumns, type Numbers } from "./ranks.ts";

/** The middle of the range: what scores near it say of a value in [0, 1] is the least. */
export const MIDDLE = 0.5;

/** How little a score in [0, 1] says about being above the threshold: 1 at the threshold, less with the distance. */
export const doubt = (score: number, threshold: number = MIDDLE): number => 1 - Math.abs(score - threshold);

/** Row numbers, the most doubtful first; among equals the first row. */
export function byDoubt(scores: Numbers, threshold: number = MIDDLE): number[] {
  checkColumns({ scores });
  return Array.from(scores.keys()).sort((a, b) => doubt(scores[b]!, threshold) - doubt(scores[a]!, threshold));
}

/**
 * The threshold with the most right decisions where a score from it on is a yes: one of the scores, or above all of them (never
 * a yes); of several as good, the middle one. (`bestThreshold` asks for the best correlation, which on rare yeses is lower.)
 * Throws `CodescoreError("input")` without rows or with a NaN.
 */
export function decisionThreshold(scores: Numbers, positive: readonly boolean[]): number {
  checkColumns({ scores });
  if (scores.length === 0 || scores.length !== positive.length) {
    throw new CodescoreError(
      "input",
      `expected scores and a class for each, got ${scores.length} scores and ${positive.length} classes`,
    );
  }
  const order = Array.from(scores.keys()).sort((a, b) => scores[a]! - scores[b]!);
  let right = positive.filter(Boolean).length;
  let most = right;
  let best = [scores[order[0]!]!];
  order.forEach((row, i) => {
    right += positive[row] ? -1 : 1; // no longer called a yes
    const next = order[i + 1];
    if (next !== undefined && scores[next] === scores[row]) return;
    if (right > most) [most, best] = [right, []];
    if (right === most) best.push(next === undefined ? Number.POSITIVE_INFINITY : scores[next]!);
  });
  return best[Math.floor(best.length / 2)]!;
}
