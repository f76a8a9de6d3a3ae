/** Selects the rows of an epoch when data sets are mixed by weight. */
import { Random } from "../util/random.ts";

/**
 * Divides `total` rows among the weights, as close to proportional as whole numbers allow (largest remainder, ties to the earlier set). The
 * counts add up to exactly `total`.
 */
export function sharesOf(weights: readonly number[], total: number): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  const exact = weights.map((weight) => (weight / sum) * total);
  const counts = exact.map(Math.floor);
  const missing = total - counts.reduce((a, b) => a + b, 0);
  const remainder = (i: number): number => exact[i]! - counts[i]!;
  const byRemainder = [...exact.keys()].sort((a, b) => remainder(b) - remainder(a) || a - b);
  for (const i of byRemainder.slice(0, missing)) counts[i]! += 1;
  return counts;
}

/**
 * Returns a function that gives the rows of one epoch after another. An epoch has as many rows as all sets together, and each set gets its
 * share of them. Row numbers count through the sets in order. Within a set every row is drawn once before any is drawn again, also across
 * epochs. A set whose share exceeds its size is drawn several times. The same seed gives the same epochs.
 */
export function mixEpochs(sizes: readonly number[], weights: readonly number[], seed: number): () => number[] {
  const total = sizes.reduce((a, b) => a + b, 0);
  const counts = sharesOf(weights, total);
  let first = 0;
  const sets = sizes.map((size, i) => {
    const rows = Array.from({ length: size }, (_, row) => first + row);
    first += size;
    return { draw: endless(rows, selection(seed, i, 0)), count: counts[i]! };
  });
  return () => sets.flatMap(({ draw, count }) => draw(count));
}

/** Draws without replacement, in passes over the rows. A new pass begins with rows that the current call has not drawn yet. */
function endless(rows: readonly number[], random: Random): (count: number) => number[] {
  let left: number[] = [];
  return (count) => {
    const drawn: number[] = [];
    while (drawn.length < count) {
      if (left.length === 0) {
        const order = random.shuffle(rows);
        const before = new Set(drawn);
        left = [...order.filter((row) => !before.has(row)), ...order.filter((row) => before.has(row))];
      }
      drawn.push(...left.splice(0, count - drawn.length));
    }
    return drawn;
  };
}

/**
 * Repeats rows by weight: as often as the whole part of the weight, and once more with the fractional part as probability. The same seed
 * and epoch draw the same rows.
 */
export function drawByWeight(
  rows: readonly number[],
  weightOf: (row: number) => number,
  seed: number,
  epoch: number,
): number[] {
  const random = selection(seed, epoch, 1);
  return rows.flatMap((row) => {
    const weight = weightOf(row);
    const whole = Math.floor(weight);
    return new Array<number>(whole + (random.chance(weight - whole) ? 1 : 0)).fill(row);
  });
}

/** Seeds are below zero, because the order within epochs uses those from zero upwards (`epochBatches`). Mixing is use 0, drawing use 1. */
const selection = (seed: number, number: number, use: 0 | 1): Random =>
  new Random(-(2 * (seed * 100_003 + number) + use + 1));
