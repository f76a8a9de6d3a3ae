/**
 * Correlations and mean absolute error, equal to scipy 1.17.1 to 1e-9. NaN where undefined: fewer than two rows or a
 * constant column. A NaN among the inputs is an error that names the row (`checkColumns`).
 */
import { mean, sampleCorrelation } from "simple-statistics";
import { averageRanks, checkColumns, type DenseRanks, denseRanks, type Numbers } from "./ranks.ts";

/** Pearson's r, in [-1, 1]. Inputs must be finite. */
export function pearson(x: Numbers, y: Numbers): number {
  checkColumns({ x, y }, { finite: true });
  return correlation(x, y);
}

/** Spearman's r_s: Pearson's r of the ranks, ties sharing the mean of theirs. */
export function spearman(x: Numbers, y: Numbers): number {
  checkColumns({ x, y });
  return correlation(averageRanks(denseRanks(x)), averageRanks(denseRanks(y)));
}

/** Spearman's r_s of any choice of rows, repeats allowed: for resampling, linear in the rows chosen. */
export function spearmanOfRows(x: Numbers, y: Numbers): (rows: Int32Array) => number {
  checkColumns({ x, y });
  const [a, b] = [denseRanks(x), denseRanks(y)];
  return (rows) => correlation(averageRanks(a, rows), averageRanks(b, rows));
}

function correlation(x: Numbers, y: Numbers): number {
  const [a, b] = [scaled(x), scaled(y)];
  if (a.length < 2 || isConstant(a) || isConstant(b)) return Number.NaN;
  return clamp(sampleCorrelation(a, b));
}

/** Divided by the largest magnitude, so that squares of huge values stay finite; r does not see it. */
function scaled(values: Numbers): number[] {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  return Array.from(values, (value) => (largest > 0 ? value / largest : 0));
}

const isConstant = (values: readonly number[]): boolean => values.every((value) => value === values[0]);
const clamp = (r: number): number => Math.min(1, Math.max(-1, r));

/** Kendall's tau-b, corrected for ties on both sides, in n log n (Knight 1966). */
export function kendallTauB(x: Numbers, y: Numbers): number {
  checkColumns({ x, y });
  return tauOfRanks(denseRanks(x), denseRanks(y));
}

function tauOfRanks(x: DenseRanks, y: DenseRanks): number {
  const n = x.ranks.length;
  // Rows in order of x, then of y: a stable counting sort by y, then by x.
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
  const pairs = (n * (n - 1)) / 2;
  const xTied = tiedPairs(x);
  const yTied = tiedPairs(y);
  if (xTied === pairs || yTied === pairs) return Number.NaN;
  const concordantLessDiscordant = pairs - xTied - yTied + bothTied - 2 * inversions(sortedY);
  return clamp(concordantLessDiscordant / Math.sqrt(pairs - xTied) / Math.sqrt(pairs - yTied));
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

/** Pairs in the wrong order, counted by merging from the bottom up. Sorts `values`. */
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
