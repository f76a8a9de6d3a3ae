/** Turns sequences of ids into the inputs of an encoder. */
import type { Integers } from "../../onnx/index.ts";
import { padRows } from "../../tokenize/index.ts";

/** The ids padded to the longest sequence, and a mask with 1 for each token: both [sequences, longest]. */
export function tokenFeeds(
  sequences: readonly (readonly number[])[],
  padId: number,
): { readonly ids: Integers; readonly mask: Integers } {
  const length = Math.max(...sequences.map((ids) => ids.length));
  const batch = { rows: sequences.map((_, row) => row), length };
  const shape = [sequences.length, length];
  const mask = new Int32Array(sequences.length * length);
  for (const [row, ids] of sequences.entries()) mask.fill(1, row * length, row * length + ids.length);
  return { ids: { data: padRows(sequences, batch, padId), shape }, mask: { data: mask, shape } };
}
