/**
 * Which programs to execute if not all can be: the rule of the cascade. `estimate --cascade` uses it, and so does other code that
 * runs programs only if their scores are doubtful.
 *
 * A score is the more doubtful the nearer it is to the threshold for yes. The width of calibrated intervals was tried instead of
 * the distance, and together with it. On four labelled sets (he-eval-dev, he-llm-dev, MBPP, APPS) it chose worse for decisions.
 * For the error of the scores it was sometimes better than the distance to the middle of the range, sometimes not.
 */
import { CodescoreError } from "../errors.ts";
import { checkColumns, type Numbers } from "./ranks.ts";

/** The middle of the range. Scores near it say least about a value in [0, 1]. */
export const MIDDLE = 0.5;

/** How little a score in [0, 1] says about being above the threshold: 1 at the threshold, less with distance. */
export const doubt = (score: number, threshold: number = MIDDLE): number => 1 - Math.abs(score - threshold);

/** Row numbers, most doubtful first. Ties keep the order of the rows. */
export function byDoubt(scores: Numbers, threshold: number = MIDDLE): number[] {
  checkColumns({ scores });
  return Array.from(scores.keys()).sort((a, b) => doubt(scores[b]!, threshold) - doubt(scores[a]!, threshold));
}

/**
 * The threshold with the most right decisions, if scores from it on are a yes: one of the scores, or infinity (never a yes). Of
 * several equally good thresholds, the middle one. (`bestThreshold` maximizes the correlation instead; its threshold is lower if
 * yes is rare.)
 * @throws `CodescoreError("input")` without rows or with a NaN
 */
export function decisionThreshold(scores: Numbers, positive: readonly boolean[]): number {
  checkColumns({ scores });
  if (scores.length === 0 || scores.length !== positive.length) {
    throw new CodescoreError(
      "input",
      `expected one class per score, got ${scores.length} scores and ${positive.length} classes`,
    );
  }
  const order = Array.from(scores.keys()).sort((a, b) => scores[a]! - scores[b]!);
  let right = positive.filter(Boolean).length;
  let most = right;
  let best = [scores[order[0]!]!];
  order.forEach((row, i) => {
    right += positive[row] ? -1 : 1; // from here on this row is a no
    const next = order[i + 1];
    if (next !== undefined && scores[next] === scores[row]) return;
    if (right > most) [most, best] = [right, []];
    if (right === most) best.push(next === undefined ? Number.POSITIVE_INFINITY : scores[next]!);
  });
  return best[Math.floor(best.length / 2)]!;
}
