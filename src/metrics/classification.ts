/** How well a score tells two classes apart, and pass@k. */
import { CodescoreError } from "../errors.ts";
import { averageRanks, checkColumns, denseRanks, type Numbers } from "./ranks.ts";

/**
 * Area under the ROC curve: how often a positive row scores above a negative one, a tie counting half
 * (Mann-Whitney U over all pairs, from ranks). NaN unless both classes are there.
 */
export function rocAuc(scores: Numbers, positive: readonly boolean[]): number {
  checkColumns({ scores });
  checkClasses(scores, positive);
  const ranks = averageRanks(denseRanks(scores));
  const positives = positive.filter(Boolean).length;
  const pairs = positives * (positive.length - positives);
  if (pairs === 0) return Number.NaN;
  const sum = ranks.reduce((total, rank, i) => (positive[i] ? total + rank : total), 0);
  return (sum - (positives * (positives + 1)) / 2) / pairs;
}

export interface RocPoint {
  /** Share of the negative rows at or above the threshold. */
  readonly falsePositiveRate: number;
  /** Share of the positive rows at or above the threshold. */
  readonly truePositiveRate: number;
}

/** The ROC curve from (0, 0) to (1, 1), one point a distinct score; empty unless both classes are there. */
export function rocCurve(scores: Numbers, positive: readonly boolean[]): RocPoint[] {
  checkColumns({ scores });
  checkClasses(scores, positive);
  const positives = positive.filter(Boolean).length;
  const negatives = positive.length - positives;
  if (positives === 0 || negatives === 0) return [];
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]!);
  const points: RocPoint[] = [{ falsePositiveRate: 0, truePositiveRate: 0 }];
  let hits = 0;
  order.forEach((row, i) => {
    if (positive[row]) hits += 1;
    const next = order[i + 1];
    if (next !== undefined && scores[next] === scores[row]) return;
    points.push({ falsePositiveRate: (i + 1 - hits) / negatives, truePositiveRate: hits / positives });
  });
  return points;
}

export interface Detection {
  /** Of the rows called positive, the share that is; NaN when none is called so. */
  readonly precision: number;
  /** Of the positive rows, the share called so; NaN when there is none. */
  readonly recall: number;
  /** Harmonic mean of the two; 0 when no positive row is found. */
  readonly f1: number;
}

/** Rows with a probability of at least `threshold` are called positive. */
export function detection(probabilities: Numbers, positive: readonly boolean[], threshold = 0.5): Detection {
  checkColumns({ probabilities });
  checkClasses(probabilities, positive);
  let called = 0;
  let hits = 0;
  let positives = 0;
  positive.forEach((isPositive, i) => {
    const isCalled = probabilities[i]! >= threshold;
    called += Number(isCalled);
    positives += Number(isPositive);
    hits += Number(isCalled && isPositive);
  });
  return { precision: hits / called, recall: hits / positives, f1: (2 * hits) / (called + positives) };
}

function checkClasses(scores: Numbers, positive: readonly boolean[]): void {
  if (scores.length === positive.length) return;
  throw new CodescoreError(
    "input",
    `expected one class a score, got ${scores.length} scores and ${positive.length} classes`,
  );
}

/**
 * The unbiased estimate of pass@k (Chen et al. 2021): the probability that of `k` programs drawn from `n`, of which
 * `c` pass, at least one passes. Throws `CodescoreError("input")` unless 0 <= c <= n and 1 <= k.
 */
export function passAtK(n: number, c: number, k: number): number {
  const valid = [n, c, k].every(Number.isInteger) && c >= 0 && c <= n && k >= 1 && k <= n;
  if (!valid) {
    throw new CodescoreError(
      "input",
      `passAtK: expected integers 0 <= c <= n and 1 <= k <= n, got n=${n}, c=${c}, k=${k}`,
    );
  }
  if (n - c < k) return 1;
  let none = 1;
  for (let i = n - c + 1; i <= n; i++) none *= 1 - k / i;
  return 1 - none;
}
