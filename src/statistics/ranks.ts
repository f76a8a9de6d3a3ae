/** Checked columns of numbers and their ranks, in typed arrays: what the rank statistics stand on. */
import { CodescoreError } from "../errors.ts";

export type Numbers = readonly number[] | Float64Array;

/**
 * Throws `CodescoreError("input")` when the columns differ in length or hold a NaN, naming column and row (from 0).
 * Infinities are ordered and pass; where they cannot be used, `finite` refuses them too.
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
  /** 0 for the smallest value; equal values share a rank and no rank is left out. */
  readonly ranks: Int32Array;
  /** How many distinct values there are. */
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

/** Ranks from 1, ties sharing the mean of theirs (scipy's `rankdata`); `rows` picks rows, with repeats, from `dense`. */
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
