/** How PassRatio spreads around scores, and which interval holds a label: what calibrate.ts finds intervals by. */
import { intervalAt, type Spread } from "../../score/index.ts";
import { equalMass, mean } from "../../statistics/index.ts";

interface Labelled {
  readonly score: number;
  readonly passRatio: number;
}

type Shape = Omit<Spread, "levels">;

/** Quantiles of PassRatio among rows of like score: at most 12 groups of at least 25 rows, 21 levels. */
export function fitSpread(rows: readonly Labelled[]): Shape {
  const scores = rows.map(({ score }) => score);
  const groups = equalMass(scores, Math.max(1, Math.min(12, Math.floor(rows.length / 25))));
  return {
    x: groups.map((group) => mean(group.map((i) => scores[i]!))),
    quantiles: groups.map((group) => {
      const sorted = group.map((i) => rows[i]!.passRatio).sort((a, b) => a - b);
      // Rounded here, not when written: the levels are found for what the file says.
      return Array.from({ length: 21 }, (_, k) => Number(quantileOfSorted(sorted, k / 20).toFixed(4)));
    }),
  };
}

/** Linear between the order statistics, as numpy's default. */
function quantileOfSorted(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return below + (at - Math.floor(at)) * (above - below);
}

/**
 * The least level, to 1e-6, of the central interval that holds a label: the conformity score of distributional conformal
 * prediction (Chernozhukov et al. 2021), by intervals because PassRatio has ties.
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
