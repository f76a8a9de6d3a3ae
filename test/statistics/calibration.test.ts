import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  clusterQuantile,
  equalMass,
  expectedCalibrationError,
  isotonic,
  isotonicKnots,
  plattSigmoid,
} from "../../src/statistics/index.ts";
import { Random } from "../../src/util/random.ts";

interface Recorded {
  readonly isotonic: { name: string; values: number[]; weights: number[]; fitted: number[] }[];
  readonly platt: { name: string; scores: number[]; labels: number[]; slope: number; intercept: number }[];
  readonly ece: { name: string; scores: number[]; labels: number[]; bins: number; width: number; mass: number }[];
}

const recorded = JSON.parse(
  readFileSync(new URL("../fixtures/metrics/calibration.json", import.meta.url), "utf8"),
) as Recorded;

describe("scipy's and numpy's recorded values", () => {
  test.each(recorded.isotonic.map((row) => [row.name, row] as const))("isotonic: %s", (_, row) => {
    const fitted = isotonic(row.values, row.weights);
    expect(fitted).toHaveLength(row.fitted.length);
    fitted.forEach((value, i) => void expect(value).toBeCloseTo(row.fitted[i]!, 9));
  });

  test.each(recorded.platt.map((row) => [row.name, row] as const))("Platt: %s", (_, row) => {
    const { slope, intercept } = plattSigmoid(row.scores, row.labels);
    expect(slope).toBeCloseTo(row.slope, 4);
    expect(intercept).toBeCloseTo(row.intercept, 4);
  });

  test.each(recorded.ece.map((row) => [row.name, row] as const))("expected calibration error: %s", (_, row) => {
    const { scores, labels, bins } = row;
    expect(expectedCalibrationError(scores, labels, { bins })).toBeCloseTo(row.width, 9);
    expect(expectedCalibrationError(scores, labels, { bins, binning: "mass" })).toBeCloseTo(row.mass, 9);
  });
});

describe("expectedCalibrationError", () => {
  it("is 0 where every bin has the mean label it says, 1 where all is the contrary", () => {
    expect(expectedCalibrationError([0.25, 0.25, 0.75, 0.75], [0, 0.5, 1, 0.5])).toBeCloseTo(0, 12);
    expect(expectedCalibrationError([0, 0, 1, 1], [1, 1, 0, 0])).toBe(1);
  });

  it("is undefined without rows and for what is no probability", () => {
    expect(expectedCalibrationError([], [])).toBeNaN();
    expect(expectedCalibrationError([1.5], [1])).toBeNaN();
    expect(() => expectedCalibrationError([Number.NaN], [1])).toThrow("row 0 of scores");
  });
});

it("equalMass parts all rows in order, keeps equal values together and takes no empty group", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 12 })), fc.integer({ min: 1, max: 9 }), (values, count) => {
      const groups = equalMass(values, count);
      const order = groups.flat();
      expect([...order].sort((a, b) => a - b)).toEqual([...values.keys()]);
      expect(order.map((i) => values[i]!)).toEqual([...values].sort((a, b) => a - b));
      expect(groups.length).toBeLessThanOrEqual(count);
      for (const [k, group] of groups.entries()) {
        expect(group.length).toBeGreaterThan(0);
        const before = groups[k - 1]?.at(-1);
        if (before !== undefined) expect(values[before]).toBeLessThan(values[group[0]!]!);
      }
    }),
  );
});

describe("isotonicKnots", () => {
  it("rises strictly and lies near a known function", () => {
    const random = new Random(3);
    const scores = Array.from({ length: 8000 }, () => random.float());
    const labels = scores.map((score) => Number(random.chance(score ** 2)));
    const { x, y } = isotonicKnots(scores, labels);
    expect(x.length).toBeGreaterThan(10);
    for (let i = 1; i < x.length; i++) {
      expect(x[i]!).toBeGreaterThan(x[i - 1]!);
      expect(y[i]!).toBeGreaterThan(y[i - 1]!);
    }
    x.forEach((score, i) => void expect(Math.abs(y[i]! - score ** 2)).toBeLessThan(0.07));
  });

  it("is one knot for scores that say nothing, or the contrary", () => {
    expect(isotonicKnots([0.5, 0.5, 0.5], [0, 1, 1])).toEqual({ x: [0.5], y: [2 / 3] });
    const falling = Array.from({ length: 100 }, (_, i) => i / 100);
    expect(
      isotonicKnots(
        falling,
        falling.map((score) => 1 - score),
      ).x,
    ).toHaveLength(1);
  });
});

describe("clusterQuantile", () => {
  it("is split conformal prediction's order statistic with one row a cluster", () => {
    const values = [5, 3, 9, 1, 7, 2, 8, 4, 6]; // 9 rows: the ceil(10 x level)-th smallest
    const clusters = values.map(String);
    expect(clusterQuantile(values, clusters, 0.5)).toBe(5);
    expect(clusterQuantile(values, clusters, 0.81)).toBe(9);
    expect(clusterQuantile(values, clusters, 0.9)).toBe(9);
    expect(clusterQuantile(values, clusters, 0.91)).toBe(Number.POSITIVE_INFINITY);
  });

  it("lets a cluster of many rows count no more than one of few", () => {
    const values = [...Array.from({ length: 97 }, () => 1), 2, 3, 4];
    const clusters = values.map((value) => (value === 1 ? "many" : String(value)));
    expect(clusterQuantile(values, clusters, 0.4)).toBe(2); // 1/5 for "many", 1/5 for 2
  });

  it("holds a row of a new cluster as often as it says, where pooling the rows does not", () => {
    const random = new Random(11);
    // A few clusters are large and easy. Most rows belong to them.
    const cluster = (): number[] => {
      const easy = random.chance(0.3);
      return Array.from({ length: easy ? 40 : 4 }, () => Math.abs(random.normal()) * (easy ? 0.2 : 1));
    };
    let [held, pooled] = [0, 0];
    const rounds = 600;
    for (let round = 0; round < rounds; round++) {
      const groups = Array.from({ length: 39 }, cluster);
      const names = groups.flatMap((rows, k) => rows.map(() => k));
      const next = random.pick(cluster());
      held += Number(next <= clusterQuantile(groups.flat(), names, 0.9));
      const sorted = groups.flat().sort((a, b) => a - b);
      pooled += Number(next <= sorted[Math.ceil(0.9 * (sorted.length + 1)) - 1]!);
    }
    const error = 3.5 * Math.sqrt((0.9 * 0.1) / rounds);
    expect(held / rounds).toBeGreaterThan(0.9 - error);
    expect(held / rounds).toBeLessThan(0.9 + 1 / 40 + error);
    expect(pooled / rounds).toBeLessThan(0.9 - error);
  });
});
