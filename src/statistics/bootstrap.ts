/**
 * Percentile bootstrap over clusters (Efron 1979; Davison and Hinkley 1997, section 3.8). Programs of one task share its
 * difficulty, so they are not independent observations. Therefore whole tasks are drawn, with replacement.
 */
import { quantileSorted } from "simple-statistics";
import { CodescoreError } from "../errors.ts";
import { Random } from "../util/random.ts";

export interface BootstrapOptions {
  /** @default 1000 */
  readonly resamples?: number;
  readonly seed: number;
  /** Coverage of the interval, in (0, 1). @default 0.95 */
  readonly level?: number;
}

export interface Interval {
  /** The statistic of all rows. */
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** The statistic of every resample where it is defined, in the order of the draws. */
  readonly values: readonly number[];
}

/**
 * The interval of `statistic` if clusters are drawn with replacement. Equal seeds draw equal resamples, so that two systems are
 * compared on the same ones.
 * @param clusters the cluster of each row
 * @param statistic gets row numbers, with repeats, which are valid only during the call; it returns NaN where it is undefined,
 * and such resamples are left out
 * @returns bounds are NaN with fewer than two clusters
 * @throws `CodescoreError("usage")` for options out of range
 */
export function bootstrapByCluster(
  clusters: readonly (string | number)[],
  statistic: (rows: Int32Array) => number,
  { resamples = 1000, seed, level = 0.95 }: BootstrapOptions,
): Interval {
  if (!Number.isInteger(resamples) || resamples < 1 || !(level > 0 && level < 1)) {
    throw new CodescoreError(
      "usage",
      `bootstrap: expected resamples of at least 1 and a level in (0, 1), got ${resamples} and ${level}`,
    );
  }
  const members = [...groupRows(clusters).values()];
  const estimate = statistic(Int32Array.from(clusters.keys()));
  if (members.length < 2) return { estimate, low: Number.NaN, high: Number.NaN, values: [] };
  const random = new Random(seed);
  let buffer = new Int32Array(2 * clusters.length);
  const values: number[] = [];
  for (let b = 0; b < resamples; b++) {
    const drawn = members.map(() => random.pick(members));
    const length = drawn.reduce((sum, rows) => sum + rows.length, 0);
    if (length > buffer.length) buffer = new Int32Array(2 * length);
    let end = 0;
    for (const rows of drawn) for (const row of rows) buffer[end++] = row;
    const value = statistic(buffer.subarray(0, length));
    if (!Number.isNaN(value)) values.push(value);
  }
  const sorted = [...values].sort((a, b) => a - b);
  const bound = (p: number): number => (sorted.length === 0 ? Number.NaN : quantileSorted(sorted, p));
  return {
    estimate,
    low: bound((1 - level) / 2),
    high: bound((1 + level) / 2),
    values,
  };
}

/** Row numbers by key. Keys are in order of first appearance. */
export function groupRows<K>(keys: readonly K[]): Map<K, number[]> {
  const groups = new Map<K, number[]>();
  keys.forEach((key, row) => {
    const rows = groups.get(key);
    if (rows) rows.push(row);
    else groups.set(key, [row]);
  });
  return groups;
}
