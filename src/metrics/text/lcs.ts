/** The longest common subsequence, bit-parallel: 32 items of one side at a time (Hyyrö 2004). */

/**
 * Maximum number of items read per side. The time grows with the product of both counts; with this limit a megabyte takes about
 * a second instead of minutes.
 */
export const LCS_LIMIT = 65_536;

/** The length of the longest common subsequence of the two, each cut after `LCS_LIMIT` items. */
export function lcsLength(left: readonly string[], right: readonly string[]): number {
  const ids = new Map<string, number>();
  const [a, b] = [numbered(left, ids), numbered(right, ids)];
  const masks = new Int32Array(ids.size); // the positions of an item in the block
  const carry = new Uint8Array(b.length); // of the addition, from the previous block
  let common = 0;
  for (let from = 0; from < a.length; from += 32) {
    const block = a.subarray(from, from + 32);
    block.forEach((id, bit) => {
      masks[id]! |= 1 << bit;
    });
    let rest = -1; // each bit that becomes 0 is one more common item
    for (let j = 0; j < b.length; j++) {
      const matches = rest & masks[b[j]!]!;
      const sum = (rest >>> 0) + (matches >>> 0) + carry[j]!;
      carry[j] = sum > 0xffffffff ? 1 : 0;
      rest = sum | 0 | (rest & ~matches);
    }
    for (const id of block) masks[id] = 0;
    common += ones(~rest);
  }
  return common;
}

function numbered(items: readonly string[], ids: Map<string, number>): Int32Array {
  return Int32Array.from(items.slice(0, LCS_LIMIT), (item) => {
    const known = ids.get(item);
    if (known !== undefined) return known;
    ids.set(item, ids.size);
    return ids.size - 1;
  });
}

function ones(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}
