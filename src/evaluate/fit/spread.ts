/** How PassRatio is distributed around scores, and which interval contains a label. calibrate.ts builds its intervals from this. */
import { intervalAt, type Spread } from "../../score/index.ts";
import { equalMass, mean } from "../../statistics/index.ts";

interface Labelled {
  readonly score: number;
  readonly passRatio: number;
}

type Shape = Omit<Spread, "levels">;

/** Quantiles of PassRatio among rows of similar score: at most 12 groups of at least 25 rows, 21 quantiles each. */
export function fitSpread(rows: readonly Labelled[]): Shape {
  const scores = rows.map(({ score }) => score);
  const groups = equalMass(scores, Math.max(1, Math.min(12, Math.floor(rows.length / 25))));
  return {
    x: groups.map((group) => mean(group.map((i) => scores[i]!))),
    quantiles: groups.map((group) => {
      const sorted = group.map((i) => rows[i]!.passRatio).sort((a, b) => a - b);
      // Rounded here and not when written, because the levels are found for the rounded values.
      return Array.from({ length: 21 }, (_, k) => Number(quantileOfSorted(sorted, k / 20).toFixed(4)));
    }),
  };
}

/** Interpolates linearly between order statistics, like numpy's default. */
function quantileOfSorted(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return below + (at - Math.floor(at)) * (above - below);
}

/**
 * The smallest level, to 1e-6, whose central interval contains a label. This is the conformity score of distributional conformal
 * prediction (Chernozhukov et al. 2021), with intervals because PassRatio has ties.
 */
export function levelOf(spread: Shape, score: number, label: number): number {
  let [least, most] = [0, 2]; // the interval of level 2 is [0, 1]
  while (most - least > 1e-6) {
    const middle = (least + most) / 2;
    const { low, high } = intervalAt(spread, score, middle);
    if (low <= label && label <= high) most = middle;
    else least = middle;
  }
  return most;
}
