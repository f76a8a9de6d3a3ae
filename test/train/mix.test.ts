import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Example } from "../../src/train/examples.ts";
import { drawByWeight, mixEpochs, sharesOf } from "../../src/train/mix.ts";
import { resolveTrainOptions } from "../../src/train/options.ts";
import { batchSequence } from "../../src/train/sequence.ts";
import { Random } from "../../src/util/random.ts";

const distinct = (rows: readonly number[]): number => new Set(rows).size;

describe("shares", () => {
  it.each([
    [[0.7, 0.3], 10, [7, 3]],
    [[7, 3], 10, [7, 3]],
    [[1, 1, 1], 10, [4, 3, 3]],
    [[0.5, 0.25, 0.25], 7, [3, 2, 2]],
    [[1, 1e-9], 5, [5, 0]],
  ])("of %j in %i rows are %j", (weights, total, expected) => {
    expect(sharesOf(weights, total)).toEqual(expected);
  });

  it("are whole, sum to the total and are less than a row off", () => {
    const weights = fc.array(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(weights, fc.nat(10_000), (weights, total) => {
        const shares = sharesOf(weights, total);
        const sum = weights.reduce((a, b) => a + b, 0);
        expect(shares.reduce((a, b) => a + b, 0)).toBe(total);
        shares.forEach((share, i) => {
          expect(Math.abs(share - (weights[i]! / sum) * total)).toBeLessThan(1 + 1e-6);
        });
      }),
    );
  });
});

describe("epochs of two sets mixed 0.7 to 0.3", () => {
  const [small, large] = [100, 900];
  const epochs = (seed: number, count: number): number[][] => {
    const next = mixEpochs([small, large], [0.7, 0.3], seed);
    return Array.from({ length: count }, next);
  };

  it("have as many rows as both sets, in those shares", () => {
    for (const epoch of epochs(0, 4)) {
      expect(epoch).toHaveLength(1000);
      expect(epoch.filter((row) => row < small)).toHaveLength(700);
      expect(epoch.every((row) => row >= 0 && row < small + large)).toBe(true);
    }
  });

  it("repeat no row of the larger set before all have come, and those of the smaller equally often", () => {
    const seen = epochs(0, 3);
    expect(distinct(seen.flat().filter((row) => row >= small))).toBe(large);
    const times = new Map<number, number>();
    for (const row of seen[0]!.filter((row) => row < small)) times.set(row, (times.get(row) ?? 0) + 1);
    expect([...times.values()]).toEqual(Array(small).fill(7));
  });

  it("hold no row twice where a pass over a set ends within the epoch", () => {
    const next = mixEpochs([10, 7], [10, 5], 3); // 17 rows: 11 and 6; six does not divide seven
    for (let epoch = 0; epoch < 20; epoch++) {
      const rows = next();
      expect(distinct(rows.filter((row) => row >= 10))).toBe(6);
      expect(distinct(rows.filter((row) => row < 10))).toBe(10);
    }
  });

  it("are the same for the same seed, and others for another", () => {
    expect(epochs(5, 3)).toEqual(epochs(5, 3));
    expect(epochs(5, 1)).not.toEqual(epochs(6, 1));
  });
});

describe("batches of mixed sets", () => {
  const examples: Example[] = Array.from({ length: 60 }, (_, i) => ({
    sampleId: `${i}`,
    taskId: `t/${i % 9}`,
    passRatio: 0,
    executable: 0,
    weight: 1,
    ids: { ref: Array(8 + (i % 5)).fill(7) as number[] },
  })) as unknown as Example[];
  const options = resolveTrainOptions({ data: ["a", "b"], out: "out", mix: [1, 3], batchTokens: 64, formats: ["ref"] });

  it("bring each set's share in an epoch, and the same when a run goes on in a later one", () => {
    const sequence = batchSequence(options, examples, [40, 20]);
    const all: Example[][] = [];
    while (all.flat().length < 120) all.push(sequence.at(all.length));
    const firstEpoch = all.slice(0, sequence.epochLength).flat();
    expect(firstEpoch).toHaveLength(60);
    expect(firstEpoch.filter(({ sampleId }) => Number(sampleId) < 40)).toHaveLength(15);
    const later = sequence.epochLength + 2;
    expect(batchSequence(options, examples, [40, 20]).at(later)).toEqual(all[later]);
  });

  it("are every row once without weights", () => {
    const sequence = batchSequence({ ...options, mix: null }, examples, [40, 20]);
    const epoch = Array.from({ length: sequence.epochLength }, (_, i) => sequence.at(i)).flat();
    expect(new Set(epoch.map(({ sampleId }) => sampleId)).size).toBe(60);
    expect(epoch).toHaveLength(60);
  });
});

it.each([
  [{ mix: [1] }, /`mix` to be one weight above zero for each of the 2 data files, got `1`/],
  [{ mix: [1, 0] }, /`mix`/],
  [{ earlyStop: -1 }, /`earlyStop` to be an integer of at least 0, got `-1`/],
  [{ config: "model.json", size: "tiny" as const }, /one of init, config and size, got config and size/],
])("refuses %j", (wrong, message) => {
  expect(() => resolveTrainOptions({ data: ["a", "b"], out: "out", ...wrong })).toThrow(message);
});

describe("rows drawn by weight", () => {
  const weights = [0.25, 1, 2.5, 0];
  const drawn = Array.from({ length: 4000 }, (_, epoch) =>
    drawByWeight([0, 1, 2, 3], (row) => weights[row]!, 7, epoch),
  );

  it("come as often as their weights say", () => {
    weights.forEach((weight, row) => {
      const mean = drawn.flat().filter((one) => one === row).length / drawn.length;
      expect(Math.abs(mean - weight)).toBeLessThan(0.03);
    });
  });

  it("come at least as often as the whole part, and the same for the same epoch", () => {
    for (const rows of drawn.slice(0, 50)) {
      expect(rows.filter((row) => row === 1)).toHaveLength(1);
      expect([2, 3]).toContain(rows.filter((row) => row === 2).length);
    }
    expect(drawByWeight([0, 1, 2, 3], (row) => weights[row]!, 7, 3)).toEqual(drawn[3]);
  });

  it("are not told by the order of the epoch, nor by the mix", () => {
    const rows = Array.from({ length: 64 }, (_, row) => row);
    const byOrder = new Random(5 * 100_003 + 2); // the order of epoch 2 for seed 5 (examples.ts)
    expect(drawByWeight(rows, () => 0.5, 5, 2)).not.toEqual(rows.filter(() => byOrder.chance(0.5)));
    const ofSecondSet = mixEpochs([4, 64], [4, 64], 5)().slice(4);
    expect(ofSecondSet).not.toEqual(new Random(5 * 100_003 + 1).shuffle(rows.map((row) => row + 4)));
  });
});
