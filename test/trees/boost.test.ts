/** Boosting compared with LightGBM's trees on the same rows (scripts/record/lightgbm_boost.py), and what is stored. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { forestOf } from "../../src/trees/forest.ts";
import { type BoostOptions, boost, type Forest, meanOf, predict, predictor, type Rows } from "../../src/trees/index.ts";

interface Recorded {
  readonly settings: BoostOptions;
  readonly features: number[][];
  readonly targets: number[];
  readonly weights: number[];
  readonly predictions: number[];
}

const recorded = JSON.parse(
  readFileSync(new URL("../fixtures/lightgbm-boost.json", import.meta.url), "utf8"),
) as Recorded;
const rows: Rows = {
  features: recorded.features.map((values) => Float64Array.from(values)),
  targets: Float64Array.from(recorded.targets),
  weights: Float64Array.from(recorded.weights),
};
const predictions = (forest: Forest): number[] =>
  recorded.targets.map((_, i) => {
    return predict(
      forest,
      Float64Array.from(rows.features, (values) => values[i]!),
    );
  });
/** The number of leaves of each tree. */
const leavesOf = ({ feature, roots }: Forest): number[] =>
  Array.from(roots, (root, i) => feature.subarray(root, roots[i + 1]).filter((one) => one < 0).length);

describe("boost", () => {
  it("grows what LightGBM grows", () => {
    const forest = boost(rows, { ...recorded.settings, rowShare: 1, featureShare: 1 });
    const apart = predictions(forest).map((p, i) => Math.abs(p - recorded.predictions[i]!));
    expect(Math.max(...apart)).toBeLessThan(1e-6); // in single precision
    expect(leavesOf(forest)).toEqual([1, 8, 8, 8, 8, 8, 8]);
  });

  it("comes nearer to its targets with each tree, and sees other rows with another seed", () => {
    const loss = (forest: Forest): number =>
      predictions(forest).reduce((sum, p, i) => {
        const target = recorded.targets[i]!;
        return sum - recorded.weights[i]! * (target * Math.log(p) + (1 - target) * Math.log(1 - p));
      }, 0);
    const losses = [1, 10, 40].map((trees) => loss(boost(rows, { trees })));
    expect(losses).toEqual(losses.toSorted((a, b) => b - a));
    expect(boost(rows, { trees: 5 })).toEqual(boost(rows, { trees: 5, seed: 1 }));
    expect(boost(rows, { trees: 5 })).not.toEqual(boost(rows, { trees: 5, seed: 2 }));
  });

  it("knows no more than the mean of rows that are all alike, and takes targets that are all one", () => {
    const alike = {
      features: [new Float64Array(100)],
      targets: new Float64Array(100).fill(0.25),
      weights: new Float64Array(100).fill(1),
    };
    expect(predict(boost(alike), Float64Array.of(0))).toBeCloseTo(0.25, 4);
    for (const one of [0, 1]) {
      const forest = boost({ ...alike, targets: new Float64Array(100).fill(one) }, { trees: 3 });
      expect(Math.abs(predict(forest, Float64Array.of(0)) - one)).toBeLessThan(0.01);
    }
  });

  it("splits features of many values", () => {
    const values = Float64Array.from({ length: 2000 }, (_, i) => i / 7);
    const targets = values.map((value) => (value > 100 ? 0.9 : 0.1));
    const forest = boost({ features: [values], targets, weights: new Float64Array(2000).fill(1) }, { featureShare: 1 });
    expect(predict(forest, Float64Array.of(90))).toBeCloseTo(0.1, 1);
    expect(predict(forest, Float64Array.of(110))).toBeCloseTo(0.9, 1);
  });

  it("is averaged in log odds", () => {
    const [feature, right] = [
      [-1, 0, -1, -1],
      [0, 2, 0, 0],
    ];
    const forests = [
      [0.2, 1.5, -0.3, 0.6],
      [-0.1, 0.5, 0.9, -1.2],
    ].map((value) => forestOf({ feature, value, right }, 1)!);
    const odds = (p: number): number => Math.log(p / (1 - p));
    for (const x of [0, 1, 2]) {
      const [a, b] = forests.map((forest) => odds(predict(forest, Float64Array.of(x))));
      expect(odds(predict(meanOf(forests), Float64Array.of(x)))).toBeCloseTo((a! + b!) / 2, 5);
    }
  });

  it.each([31, 32, 33])("is read by its sorted splits as by its nodes, with up to %i leaves a tree", (leaves) => {
    const size = 1000;
    const values = [7, 11, 13].map((step) => Float64Array.from({ length: size }, (_, i) => ((i * step) % 101) - 50));
    const targets = Float64Array.from({ length: size }, (_, i) => ((i * 37) % 89) / 89);
    const weights = new Float64Array(size).fill(1);
    const forest = boost({ features: values, targets, weights }, { trees: 10, leaves, leastRows: 2 });
    expect(Math.max(...leavesOf(forest))).toBe(leaves);
    const read = predictor(forest);
    for (let i = 0; i < size; i++) {
      // On the limits, between them, beyond them, and no number.
      const row = Float64Array.from(values, (own, k) =>
        (i + k) % 17 === 0 ? Number.NaN : own[i]! * 1.2 + (k % 2) / 2,
      );
      expect(read(row)).toBe(predict(forest, row));
    }
  });
});
