/** How well a score separates two classes, and pass@k. */
import { CodescoreError } from "../errors.ts";
import { averageRanks, checkColumns, denseRanks, type Numbers } from "./ranks.ts";

/**
 * Area under the ROC curve: how often a positive row scores above a negative one. A tie counts half (Mann-Whitney U over all
 * pairs, from ranks). NaN unless both classes occur.
 */
export function rocAuc(scores: Numbers, positive: readonly boolean[]): number {
  return rocAucOfRows(scores, positive)(Int32Array.from(positive.keys()));
}

/** The AUC of any selection of rows, with repeats, for resampling. Takes time linear in the number of selected rows. */
export function rocAucOfRows(scores: Numbers, positive: readonly boolean[]): (rows: Int32Array) => number {
  checkColumns({ scores });
  checkClasses(scores, positive);
  const dense = denseRanks(scores);
  return (rows) => {
    const ranks = averageRanks(dense, rows);
    let positives = 0;
    let sum = 0;
    for (let i = 0; i < rows.length; i++) {
      if (!positive[rows[i]!]) continue;
      positives += 1;
      sum += ranks[i]!;
    }
    const pairs = positives * (rows.length - positives);
    return pairs === 0 ? Number.NaN : (sum - (positives * (positives + 1)) / 2) / pairs;
  };
}

export interface RocPoint {
  /** Share of the negative rows at or above the threshold. */
  readonly falsePositiveRate: number;
  /** Share of the positive rows at or above the threshold. */
  readonly truePositiveRate: number;
}

/** The ROC curve from (0, 0) to (1, 1), with one point per distinct score. Empty unless both classes occur. */
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
  /** Share of the rows called positive that are positive. NaN if no row is called positive. */
  readonly precision: number;
  /** Share of the positive rows that are called positive. NaN if there are none. */
  readonly recall: number;
  /** Harmonic mean of precision and recall. 0 if no positive row is found; NaN if no row is positive or called positive. */
  readonly f1: number;
  /** Share of the rows that are called right. NaN without rows. */
  readonly accuracy: number;
  /** Pearson's r of the two classes, which equals Spearman's r_s and Kendall's tau-b. NaN if either is constant. */
  readonly phi: number;
}

/** The counts behind a detection. Counts of several sets of rows can be added. */
export interface DetectionCounts {
  readonly rows: number;
  readonly called: number;
  readonly positives: number;
  readonly hits: number;
}

/** Calls rows positive if their probability is at least `threshold`. */
export const detection = (probabilities: Numbers, positive: readonly boolean[], threshold = 0.5): Detection =>
  detectionOfCounts(countDetections(probabilities, positive, [...positive.keys()], threshold));

/** Counts over the given rows. */
export function countDetections(
  probabilities: Numbers,
  positive: readonly boolean[],
  rows: readonly number[],
  threshold = 0.5,
): DetectionCounts {
  checkColumns({ probabilities });
  checkClasses(probabilities, positive);
  let called = 0;
  let hits = 0;
  let positives = 0;
  for (const row of rows) {
    const isCalled = probabilities[row]! >= threshold;
    called += Number(isCalled);
    positives += Number(positive[row]!);
    hits += Number(isCalled && positive[row]!);
  }
  return { rows: rows.length, called, positives, hits };
}

export function detectionOfCounts({ rows, called, positives, hits }: DetectionCounts): Detection {
  return {
    precision: hits / called,
    recall: hits / positives,
    f1: (2 * hits) / (called + positives),
    accuracy: (rows - called - positives + 2 * hits) / rows,
    phi: phi({ rows, called, positives, hits }),
  };
}

/** Pearson's r of two binary columns. */
function phi({ rows, called, positives, hits }: DetectionCounts): number {
  const spread = Math.sqrt(called) * Math.sqrt(rows - called) * Math.sqrt(positives) * Math.sqrt(rows - positives);
  return spread === 0 ? Number.NaN : (rows * hits - called * positives) / spread;
}

/**
 * The threshold at which the binary scores correlate best with the classes. It is midway between two neighbouring scores; of
 * several equally good thresholds, the highest. NaN if no threshold gives a correlation (one class, or one score).
 */
export function bestThreshold(scores: Numbers, positive: readonly boolean[]): number {
  checkColumns({ scores }, { finite: true });
  checkClasses(scores, positive);
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]!);
  const positives = positive.filter(Boolean).length;
  let best = { r: Number.NEGATIVE_INFINITY, threshold: Number.NaN };
  let hits = 0;
  order.forEach((row, i) => {
    if (positive[row]) hits += 1;
    const next = order[i + 1];
    if (next === undefined || scores[next] === scores[row]) return;
    const r = phi({ rows: order.length, called: i + 1, positives, hits });
    if (r <= best.r || Number.isNaN(r)) return;
    const middle = scores[row]! / 2 + scores[next]! / 2;
    best = { r, threshold: middle > scores[next]! ? middle : scores[row]! }; // no double lies between two neighbouring doubles
  });
  return best.threshold;
}

function checkClasses(scores: Numbers, positive: readonly boolean[]): void {
  if (scores.length === positive.length) return;
  throw new CodescoreError(
    "input",
    `expected one class per score, got ${scores.length} scores and ${positive.length} classes`,
  );
}

/**
 * The unbiased estimate of pass@k (Chen et al. 2021): the probability that at least one of `k` programs passes, drawn from `n`
 * programs of which `c` pass. @throws `CodescoreError("input")` unless 0 <= c <= n and 1 <= k <= n
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
