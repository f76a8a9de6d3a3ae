/** Measures a scorer's intervals: how often they contain the PassRatio, and whether narrow intervals mean small errors. */
import { mean, meanAbsoluteError } from "../../statistics/index.ts";

export interface ScoreInterval {
  readonly low: number;
  readonly high: number;
}

export interface IntervalResult {
  /** Share of the intervals that contain the PassRatio, over all programs. */
  readonly held: number;
  /** The same share within each task, averaged over tasks. The coverage of the intervals promises this value. */
  readonly heldByTask: number;
  /** Mean of high - low. */
  readonly width: number;
  /**
   * Mean of |score - PassRatio| over the share of programs with the narrowest intervals: the risk at a coverage, in terms of
   * selective prediction (El-Yaniv and Wiener 2010).
   */
  readonly maeOfSurest: readonly { readonly share: number; readonly mae: number }[];
}

const SHARES = [0.75, 0.5, 0.25];

/** @param tasks the row numbers of each task */
export function measureIntervals(
  intervals: readonly ScoreInterval[],
  scores: readonly number[],
  passRatios: readonly number[],
  tasks: readonly (readonly number[])[],
): IntervalResult {
  const isHeld = intervals.map(({ low, high }, i) =>
    Number(low - 1e-9 <= passRatios[i]! && passRatios[i]! <= high + 1e-9),
  );
  const widths = intervals.map(({ low, high }) => high - low);
  const surest = [...widths.keys()].sort((a, b) => widths[a]! - widths[b]!);
  return {
    held: mean(isHeld),
    heldByTask: mean(tasks.map((task) => mean(task.map((i) => isHeld[i]!)))),
    width: mean(widths),
    maeOfSurest: SHARES.map((share) => {
      const kept = surest.slice(0, Math.max(1, Math.round(share * surest.length)));
      const mae = meanAbsoluteError(
        kept.map((i) => scores[i]!),
        kept.map((i) => passRatios[i]!),
      );
      return { share, mae };
    }),
  };
}
