/**
 * Intervals from the PassRatios of labelled programs with a similar score: the shortest interval that holds the wanted share of them. It is a
 * split conformal interval per group of scores (Mondrian conformal prediction, Vovk et al. 2003), with whole problems as the exchangeable units
 * (Lee, Barber and Willett 2023). A pair of quantiles, as in distributional conformal prediction (Chernozhukov, Wüthrich and Zhu 2021), would be
 * wider near 0 and 1, where most programs are.
 */

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
    quantiles.every((own) => own.length === STEPS + 1 && rises(own)) &&
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
    const above = scores.findIndex((one) => one >= score);
    const [next, previous] = [above < 0 ? at.length - 1 : above, Math.max(0, (above < 0 ? at.length : above) - 1)];
    const gap = scores[next]! - scores[previous]!;
    const share = gap > 0 ? Math.min(1, Math.max(0, (score - scores[previous]!) / gap)) : 1;
    const between = (bound: keyof Interval): number => (1 - share) * at[previous]![bound] + share * at[next]![bound];
    return { low: Math.min(score, between("low")), high: Math.max(score, between("high")) };
  };
}

/** The shortest interval that holds a share of a distribution. A share above 1 means that too few problems are known: anything is possible. */
function shortest(quantiles: readonly number[], share: number): Interval {
  if (share > 1) return { low: 0, high: 1 };
  const steps = Math.ceil(share * STEPS - 1e-9);
  const starts = Array.from({ length: STEPS - steps + 1 }, (_, i) => i);
  const width = (i: number): number => quantiles[i + steps]! - quantiles[i]!;
  const best = starts.reduce((least, i) => (width(i) < width(least) - 1e-9 ? i : least), 0);
  return { low: quantiles[best]!, high: quantiles[best + steps]! };
}
