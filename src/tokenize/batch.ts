/** Batches of sequences with similar lengths, limited by a token budget. This reduces padding and does not change scores. */

export interface Batch {
  /** Indices of the sequences, shortest first. */
  readonly rows: number[];
  /** Length of the longest sequence in the batch. */
  readonly length: number;
}

/** Groups sequences by length. Rows x longest stays within `tokenBudget`, unless a single row exceeds it alone. */
export function batchByLength(lengths: readonly number[], tokenBudget: number): Batch[] {
  const order = lengths.map((_, i) => i).sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  const batches: Batch[] = [];
  let rows: number[] = [];
  for (const index of order) {
    if (rows.length > 0 && (rows.length + 1) * lengths[index]! > tokenBudget) {
      batches.push({ rows, length: lengths[rows.at(-1)!]! });
      rows = [];
    }
    rows.push(index);
  }
  if (rows.length > 0) batches.push({ rows, length: lengths[rows.at(-1)!]! });
  return batches;
}

/** The ids of a batch as one padded [rows, length] array. */
export function padRows(
  sequences: readonly (readonly number[])[],
  { rows, length }: Batch,
  padId: number,
): Int32Array<ArrayBuffer> {
  const out = new Int32Array(rows.length * length).fill(padId);
  for (const [i, row] of rows.entries()) out.set(sequences[row]!, i * length);
  return out;
}
