/**
 * The character n-grams of a text without white space, as a tree with the count of each. They are counted once for any number of
 * texts to compare. chrF counts them (Popovic 2015).
 */
import { withoutSpaces } from "./tokens.ts";

/**
 * Counts of n-grams of one order: those of each text, and those in common. A common n-gram counts as often as in the text that
 * has fewer.
 */
export interface NgramCounts {
  readonly candidate: number;
  readonly reference: number;
  readonly common: number;
}

export class CharacterNgrams {
  readonly #order: number;
  /** Number of characters of the text. */
  readonly #length: number;
  /** For each node: the n-gram without its last character (the empty one is node 0), that character, and the number of occurrences. */
  readonly #parents: Int32Array;
  readonly #last: Int32Array;
  readonly #times: Int32Array;
  /** Nodes by parent and last character, 0 if there is none: a hash table that is at most half full. */
  readonly #slots: Int32Array;
  readonly #shift: number;

  /** @param order order of the longest n-grams */
  constructor(text: string, order: number) {
    const chars = charactersOf(text);
    const most = chars.length * order + 1;
    const bits = Math.ceil(Math.log2(2 * most));
    this.#order = order;
    this.#length = chars.length;
    this.#parents = new Int32Array(most);
    this.#last = new Int32Array(most);
    this.#times = new Int32Array(most);
    this.#slots = new Int32Array(2 ** bits);
    this.#shift = 32 - bits;
    let nodes = 1;
    for (let from = 0; from < chars.length; from++) {
      let node = 0;
      for (let at = from; at < chars.length && at < from + order; at++) {
        const slot = this.#slotOf(node, chars[at]!);
        if (this.#slots[slot] === 0) {
          this.#parents[nodes] = node;
          this.#last[nodes] = chars[at]!;
          this.#slots[slot] = nodes++;
        }
        node = this.#slots[slot]!;
        this.#times[node]! += 1;
      }
    }
  }

  /** The counts of orders 1, 2, ... If this text is too short for an order, the candidate's n-grams of that order do not count. */
  compare(candidate: string): NgramCounts[] {
    const chars = charactersOf(candidate);
    const left = this.#times.slice();
    const common = new Array<number>(this.#order).fill(0);
    for (let from = 0; from < chars.length; from++) {
      let node = 0;
      for (let n = 0; n < this.#order && from + n < chars.length; n++) {
        node = this.#slots[this.#slotOf(node, chars[from + n]!)]!;
        if (node === 0) break; // then longer ones are missing too
        if (left[node]! === 0) continue;
        left[node]! -= 1;
        common[n]! += 1;
      }
    }
    return common.map((both, n) => {
      const reference = Math.max(0, this.#length - n);
      return { candidate: reference > 0 ? Math.max(0, chars.length - n) : 0, reference, common: both };
    });
  }

  /** The slot where a node is, or would be. */
  #slotOf(parent: number, char: number): number {
    const hash = Math.imul(Math.imul(parent, 0x9e3779b1) + char, 0x85ebca6b); // odd numbers that mix all bits
    let slot = hash >>> this.#shift;
    for (let node = this.#slots[slot]!; node !== 0; node = this.#slots[slot]!) {
      if (this.#parents[node] === parent && this.#last[node] === char) break;
      slot = slot + 1 === this.#slots.length ? 0 : slot + 1;
    }
    return slot;
  }
}

/** The code points of a text without white space. */
function charactersOf(text: string): Int32Array {
  const dense = withoutSpaces(text);
  const points = new Int32Array(dense.length);
  let length = 0;
  for (let i = 0; i < dense.length; i++) {
    const point = dense.codePointAt(i)!;
    points[length++] = point;
    if (point > 0xffff) i += 1;
  }
  return points.subarray(0, length);
}
