/**
 * Intervals from the PassRatios of labelled programs with a similar score: the shortest interval that holds the wanted share of them. It is a
 * split conformal interval per group of scores (Mondrian conformal prediction, Vovk et al. 2003), with whole problems as the exchangeable units
 * (Lee, Barber and Willett 2023). A pair of quantiles, as in distributional conformal prediction (Chernozhukov, Wüthrich and Zhu 2021), would be
 * wider near 0 and 1, where most programs are.
 */
import { interpolate } from "./calibration.ts";

/** Distributions of PassRatio at increasing scores. */
export interface PassRatios {
  readonly scores: readonly number[];
  /** By score: the quantiles 0, 1 / `STEPS`, ... 1 of the PassRatios of programs near it. */
  readonly quantiles: readonly (readonly number[])[];
  /** By score: the number of problems with programs near it. */
  readonly problems: readonly number[];
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export const STEPS = 200;

/** Whether a value from a file is a `PassRatios`. */
export function isPassRatios({ scores, quantiles, problems }: PassRatios): boolean {
  const rises = (numbers: readonly number[]): boolean =>
    numbers.every((one, i) => one >= 0 && one <= 1 && (i === 0 || one >= numbers[i - 1]!));
  return (
    scores?.length > 0 &&
    rises(scores) &&
    quantiles?.length === scores.length &&
    quantiles.every((own) => own?.length === STEPS + 1 && rises(own)) &&
    problems?.length === scores.length &&
    problems.every((count) => count >= 1)
  );
}

/** The interval of a score, at a coverage between 0 and 1. Between two scores of the table it is interpolated. It always contains the score. */
export function shortestIntervals(
  { scores, quantiles, problems }: PassRatios,
  coverage: number,
): (score: number) => Interval {
  const at = scores.map((_, i) => shortest(quantiles[i]!, coverage * (1 + 1 / problems[i]!)));
  return (score) => {
    const bound = (end: keyof Interval): number => interpolate(scores, (i) => at[i]![end], score);
    return { low: Math.min(score, bound("low")), high: Math.max(score, bound("high")) };
  };
}

/** The shortest interval that holds a share of a distribution. A share above 1 means too few problems: then only [0, 1] is wide enough. */
function shortest(quantiles: readonly number[], share: number): Interval {
  if (share > 1) return { low: 0, high: 1 };
  const steps = Math.ceil(share * STEPS - 1e-9);
  const starts = Array.from({ length: STEPS - steps + 1 }, (_, i) => i);
  const width = (i: number): number => quantiles[i + steps]! - quantiles[i]!;
  const best = starts.reduce((least, i) => (width(i) < width(least) - 1e-9 ? i : least), 0);
  return { low: quantiles[best]!, high: quantiles[best + steps]! };
}
