/**
 * Correlations and mean absolute error, equal to scipy 1.17.1 within 1e-9. NaN if undefined: fewer than two rows, or a constant
 * column. A NaN among the inputs is an error that names the row (`checkColumns`).
 */
import { mean, sampleCorrelation } from "simple-statistics";
import { averageRanks, checkColumns, type DenseRanks, denseRanks, type Numbers } from "./ranks.ts";

/** A statistic of any selection of rows, with repeats, for resampling. */
export type OfRows = (rows: Int32Array) => number;

/** Pearson's r, in [-1, 1]. Inputs must be finite. */
export function pearson(x: Numbers, y: Numbers): number {
  checkColumns({ x, y }, { finite: true });
  return correlation(x, y);
}

/** Pearson's r of any selection of rows. */
export function pearsonOfRows(x: Numbers, y: Numbers): OfRows {
  checkColumns({ x, y }, { finite: true });
  const [a, b] = [centred(x), centred(y)];
  return (rows) => correlationAround0(pick(a, rows), pick(b, rows));
}

/** Spearman's r_s: Pearson's r of the ranks. Ties share their mean rank. */
export function spearman(x: Numbers, y: Numbers): number {
  checkColumns({ x, y });
  return correlation(averageRanks(denseRanks(x)), averageRanks(denseRanks(y)));
}

/** Spearman's r_s of any selection of rows. Takes time linear in the number of selected rows. */
export function spearmanOfRows(x: Numbers, y: Numbers): OfRows {
  checkColumns({ x, y });
  const [a, b] = [denseRanks(x), denseRanks(y)];
  return (rows) => {
    const middle = (rows.length + 1) / 2;
    const around0 = (ranks: Float64Array): Float64Array => ranks.map((rank) => rank - middle);
    return correlationAround0(around0(averageRanks(a, rows)), around0(averageRanks(b, rows)));
  };
}

function correlation(x: Numbers, y: Numbers): number {
  const [a, b] = [scaled(x), scaled(y)];
  if (a.length < 2 || isConstant(a) || isConstant(b)) return Number.NaN;
  return clamp(sampleCorrelation(a, b));
}

/**
 * Scales values to magnitudes of about 1, so that squares of huge values stay finite and squares of tiny values stay above 0.
 * Then shifts them to start at 0, so that a mean much larger than the spread costs no digits. Neither changes r. The factor is a
 * power of two, which causes no rounding. It is applied in two steps, because it may itself be out of range.
 */
function scaled(values: Numbers): number[] {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  const exponent = largest === 0 ? 0 : -Math.floor(Math.log2(largest));
  const [first, second] = [2 ** Math.trunc(exponent / 2), 2 ** (exponent - Math.trunc(exponent / 2))];
  const origin = (values[0] ?? 0) * first * second;
  return Array.from(values, (value) => value * first * second - origin);
}

function centred(values: Numbers): Float64Array {
  const all = scaled(values);
  const middle = all.length === 0 ? 0 : mean(all);
  return Float64Array.from(all, (value) => value - middle);
}

/** Pearson's r in one pass, for columns centred around 0, such as resamples of centred columns. So there is no cancellation. */
function correlationAround0(x: Float64Array, y: Float64Array): number {
  const n = x.length;
  let [sumX, sumY, xx, yy, xy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [a, b] = [x[i]!, y[i]!];
    sumX += a;
    sumY += b;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  const [varianceX, varianceY] = [xx - (sumX * sumX) / n, yy - (sumY * sumY) / n];
  // The rounding errors of a constant column are not a variance.
  if (!(varianceX > 1e-12 * xx && varianceY > 1e-12 * yy)) return Number.NaN;
  return clamp((xy - (sumX * sumY) / n) / Math.sqrt(varianceX) / Math.sqrt(varianceY));
}

function pick(values: Float64Array, rows: Int32Array): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) picked[i] = values[rows[i]!]!;
  return picked;
}

const isConstant = (values: readonly number[]): boolean => values.every((value) => value === values[0]);
const clamp = (r: number): number => Math.min(1, Math.max(-1, r));

/** Kendall's tau-b, corrected for ties on both sides, in time n log n (Knight 1966). */
export function kendallTauB(x: Numbers, y: Numbers): number {
  checkColumns({ x, y });
  return tauOfRanks(denseRanks(x), denseRanks(y));
}

/** Kendall's tau-b of any selection of rows. Values are ranked once, so only the merging takes time n log n. */
export function kendallTauBOfRows(x: Numbers, y: Numbers): OfRows {
  checkColumns({ x, y });
  const [a, b] = [denseRanks(x), denseRanks(y)];
  const chosen = ({ ranks, distinct }: DenseRanks, rows: Int32Array): DenseRanks => ({
    ranks: rows.map((row) => ranks[row]!),
    distinct,
  });
  return (rows) => tauOfRanks(chosen(a, rows), chosen(b, rows));
}

interface PairCounts {
  /** Number of pairs of rows, and of pairs tied in x or in y. */
  readonly pairs: number;
  readonly xTied: number;
  readonly yTied: number;
  /** Pairs that x and y order alike, minus pairs that they order in opposite ways. */
  readonly concordantLessDiscordant: number;
}

function countPairs(x: DenseRanks, y: DenseRanks): PairCounts {
  const n = x.ranks.length;
  // Order the rows by x, then by y: a stable counting sort by y, then by x.
  const order = countingSort(
    x,
    countingSort(
      y,
      Int32Array.from({ length: n }, (_, i) => i),
    ),
  );
  const sortedY = new Int32Array(n);
  let bothTied = 0;
  let run = 0;
  for (let i = 0; i < n; i++) {
    const row = order[i]!;
    sortedY[i] = y.ranks[row]!;
    const before = order[i - 1];
    run = before !== undefined && x.ranks[before] === x.ranks[row] && y.ranks[before] === y.ranks[row] ? run + 1 : 0;
    bothTied += run;
  }
  const pairs = (n * Math.max(0, n - 1)) / 2;
  const xTied = tiedPairs(x);
  const yTied = tiedPairs(y);
  const concordantLessDiscordant = pairs - xTied - yTied + bothTied - 2 * inversions(sortedY);
  return { pairs, xTied, yTied, concordantLessDiscordant };
}

function tauOfRanks(x: DenseRanks, y: DenseRanks): number {
  const { pairs, xTied, yTied, concordantLessDiscordant } = countPairs(x, y);
  if (xTied === pairs || yTied === pairs) return Number.NaN;
  return clamp(concordantLessDiscordant / Math.sqrt(pairs - xTied) / Math.sqrt(pairs - yTied));
}

/** Pairs of rows that differ in `truth`, and how many of them the scores order in the same way. Tied scores count half. */
export interface Concordance {
  readonly pairs: number;
  readonly right: number;
}

/** The two counts of the concordance index (Harrell 1982), in time n log n. @throws as `kendallTauB` */
export function concordance(scores: Numbers, truth: Numbers): Concordance {
  checkColumns({ scores, truth });
  const { pairs, yTied, concordantLessDiscordant } = countPairs(denseRanks(scores), denseRanks(truth));
  return { pairs: pairs - yTied, right: (pairs - yTied + concordantLessDiscordant) / 2 };
}

function countingSort({ ranks, distinct }: DenseRanks, rows: Int32Array): Int32Array {
  const starts = new Int32Array(distinct + 1);
  for (const rank of ranks) starts[rank + 1]!++;
  for (let d = 0; d < distinct; d++) starts[d + 1]! += starts[d]!;
  const out = new Int32Array(rows.length);
  for (const row of rows) out[starts[ranks[row]!]!++] = row;
  return out;
}

function tiedPairs({ ranks, distinct }: DenseRanks): number {
  const times = new Float64Array(distinct);
  for (const rank of ranks) times[rank]!++;
  return times.reduce((sum, t) => sum + (t * (t - 1)) / 2, 0);
}

/** Number of pairs in the wrong order, by bottom-up merge sort. Sorts `values`. */
function inversions(values: Int32Array): number {
  let from = values;
  let to: Int32Array = new Int32Array(values.length);
  let swaps = 0;
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      let left = start;
      let right = middle;
      for (let k = start; k < end; k++) {
        if (left < middle && (right >= end || from[left]! <= from[right]!)) to[k] = from[left++]!;
        else {
          to[k] = from[right++]!;
          swaps += middle - left;
        }
      }
    }
    [from, to] = [to, from];
  }
  return swaps;
}

/** Mean absolute difference. Inputs must be finite. NaN without rows. */
export function meanAbsoluteError(x: Numbers, y: Numbers): number {
  checkColumns({ x, y }, { finite: true });
  return x.length === 0 ? Number.NaN : mean(Array.from(x, (value, i) => Math.abs(value - y[i]!)));
}
