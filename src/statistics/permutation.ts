/**
 * Whether a correlation of a few pairs is more than chance. The permutation test (Pitman 1937) assumes no distribution, which few
 * pairs could not show. The interval of r is Fisher's and assumes normal pairs. Equal to scipy 1.17.1.
 */
import { Random } from "../util/random.ts";
import { checkColumns, type Numbers } from "./ranks.ts";

/** Maximum number of pairs for which all orders are tried: 9! = 362,880. For more pairs, `drawn` random orders are tried. */
const mostExact = 9;
const drawn = 99_999;

/**
 * Two-sided p of Pearson's r of the pairs (of Spearman's r_s, given ranks): twice the share of the orders of `y` on the rarer
 * side of the observed order. With n pairs and no ties it is at least 2 / n!. NaN with fewer than two pairs or if a column is
 * constant.
 * @throws `CodescoreError("input")` for columns that differ in length or are not finite
 */
export function permutationP(x: Numbers, y: Numbers, seed = 0): number {
  checkColumns({ x, y }, { finite: true });
  if (isConstant(x) || isConstant(y)) return Number.NaN;
  const [a, b] = [centred(x), centred(y)];
  const exact = x.length <= mostExact;
  const orders = exact ? allOrders(b) : randomOrders(b, new Random(seed));
  const found = product(a, b);
  const rounding = 1e-12 * Math.sqrt(product(a, a) * product(b, b));
  // Count the observed order as one more draw, because it could have been drawn too.
  let [below, above, total] = exact ? [0, 0, 0] : [1, 1, 1];
  for (const order of orders) {
    const value = product(a, order);
    total += 1;
    if (value <= found + rounding) below += 1;
    if (value >= found - rounding) above += 1;
  }
  return Math.min(1, (2 * Math.min(below, above)) / total);
}

/** 95% interval of Pearson's r of n pairs (Fisher 1921). Null with fewer than 4 pairs. */
export function pearsonInterval(r: number, n: number): { low: number; high: number } | null {
  if (n < 4 || Number.isNaN(r)) return null;
  const half = 1.959963984540054 / Math.sqrt(n - 3);
  return { low: Math.tanh(Math.atanh(r) - half), high: Math.tanh(Math.atanh(r) + half) };
}

const isConstant = (values: Numbers): boolean => values.every((value) => value === values[0]);

function centred(values: Numbers): Float64Array {
  const mean = Array.from(values).reduce((sum, value) => sum + value / values.length, 0);
  return Float64Array.from(values, (value) => value - mean);
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Every order of the values once (Heap 1963). Yields the same array each time and changes it. */
function* allOrders(values: Float64Array): Generator<Float64Array> {
  const counts = new Int32Array(values.length);
  const order = Float64Array.from(values);
  yield order;
  for (let i = 1; i < order.length; ) {
    if (counts[i]! < i) {
      const j = i % 2 === 0 ? 0 : counts[i]!;
      [order[i], order[j]] = [order[j]!, order[i]!];
      yield order;
      counts[i]! += 1;
      i = 1;
    } else counts[i++] = 0;
  }
}

function* randomOrders(values: Float64Array, random: Random): Generator<Float64Array> {
  const all = Array.from(values);
  for (let k = 0; k < drawn; k++) yield Float64Array.from(random.shuffle(all));
}
