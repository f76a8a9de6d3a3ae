/** Validated columns of numbers and their ranks, in typed arrays: the basis of the rank statistics. */
import { CodescoreError } from "../errors.ts";

export type Numbers = readonly number[] | Float64Array;

/**
 * Checks columns. Infinite values are allowed unless `finite` is set.
 * @throws `CodescoreError("input")` if columns differ in length or contain a NaN; the message names the column and the row (from
 * 0)
 */
export function checkColumns(columns: Readonly<Record<string, Numbers>>, { finite = false } = {}): void {
  const entries = Object.entries(columns);
  const length = entries[0]?.[1].length;
  for (const [name, values] of entries) {
    if (values.length !== length) {
      const lengths = entries.map(([other, { length }]) => `${length} in ${other}`).join(", ");
      throw new CodescoreError("input", `expected columns of one length, got ${lengths}`);
    }
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (typeof value === "number" && (finite ? Number.isFinite(value) : !Number.isNaN(value))) continue;
      throw new CodescoreError("input", `expected a number in row ${i} of ${name} (counted from 0), got ${value}`);
    }
  }
}

export interface DenseRanks {
  /** 0 for the smallest value. Equal values share a rank, and ranks have no gaps. */
  readonly ranks: Int32Array;
  /** Number of distinct values. */
  readonly distinct: number;
}

export function denseRanks(values: Numbers): DenseRanks {
  const sorted = Float64Array.from(values).sort();
  let distinct = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (i === 0 || sorted[i] !== sorted[distinct - 1]) sorted[distinct++] = sorted[i]!;
  }
  const ranks = new Int32Array(values.length);
  for (let i = 0; i < ranks.length; i++) {
    const value = values[i]!;
    let low = 0;
    let high = distinct - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < value) low = middle + 1;
      else high = middle;
    }
    ranks[i] = low;
  }
  return { ranks, distinct };
}

/** Ranks from 1. Ties share their mean rank (scipy's `rankdata`). `rows` selects rows of `dense`, with repeats. */
export function averageRanks({ ranks, distinct }: DenseRanks, rows?: Int32Array): Float64Array {
  const n = rows?.length ?? ranks.length;
  const times = new Int32Array(distinct);
  for (let i = 0; i < n; i++) times[ranks[rows ? rows[i]! : i]!]!++;
  const mean = new Float64Array(distinct);
  let before = 0;
  for (let d = 0; d < distinct; d++) {
    mean[d] = before + (times[d]! + 1) / 2;
    before += times[d]!;
  }
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) out[i] = mean[ranks[rows ? rows[i]! : i]!]!;
  return out;
}
