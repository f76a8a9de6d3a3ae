/** Seeded randomness: the same seed gives the same stream on every platform (xoroshiro128+, the `pure-rand` package). */
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

export class Random {
  readonly #generator;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(scatter(seed));
  }

  /** A number in [0, 1). */
  float(): number {
    return uniformFloat64(this.#generator);
  }

  /** An integer in [from, to], both included. */
  int(from: number, to: number): number {
    return uniformInt(this.#generator, from, to);
  }

  /** One of the items, with equal probability. Throws on an empty list. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("pick: expected at least one item, got none");
    return items[this.int(0, items.length - 1)] as T;
  }

  /** True with probability `p`. */
  chance(p: number): boolean {
    return this.float() < p;
  }

  /** A shuffled copy (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }

  /** A standard normal number (Box-Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.float())) * Math.cos(2 * Math.PI * this.float());
  }
}

/** Mixes the bits of a seed (murmur3's finalizer). Otherwise neighbouring seeds would give similar first draws. */
function scatter(seed: number): number {
  let x = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
