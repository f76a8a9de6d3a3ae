import { describe, expect, it } from "vitest";
import { bootstrapByCluster, groupRows } from "../../src/statistics/index.ts";
import { Random } from "../../src/util/random.ts";

describe("the clustered bootstrap", () => {
  const tasks = Array.from({ length: 40 }, (_, task) => `t${task}`);
  const clusters = tasks.flatMap((task) => [task, task, task, task, task]);
  const random = new Random(11);
  const effects = new Map(tasks.map((task) => [task, random.normal()]));
  const values = clusters.map((task) => effects.get(task)! + 0.1 * random.normal());
  const meanOf = (rows: Int32Array): number => rows.reduce((sum, row) => sum + values[row]!, 0) / rows.length;

  it("draws whole tasks: its width is that of the task means, not of the rows", () => {
    const { estimate, low, high } = bootstrapByCluster(clusters, meanOf, { seed: 1, resamples: 2000 });
    const means = [...groupRows(clusters).values()].map((rows) => meanOf(Int32Array.from(rows)));
    const center = means.reduce((a, b) => a + b) / means.length;
    const error = Math.sqrt(means.reduce((sum, m) => sum + (m - center) ** 2, 0) / (means.length - 1) / means.length);
    expect(estimate).toBeCloseTo(center, 12);
    expect((high - low) / (2 * 1.96 * error)).toBeGreaterThan(0.9);
    expect((high - low) / (2 * 1.96 * error)).toBeLessThan(1.1);
    expect(low).toBeLessThan(estimate);
    expect(high).toBeGreaterThan(estimate);
  });

  it("repeats itself with the same seed and differs with another", () => {
    const run = (seed: number) => bootstrapByCluster(clusters, meanOf, { seed, resamples: 50 }).values;
    expect(run(1)).toEqual(run(1));
    expect(run(1)).not.toEqual(run(2));
  });

  it("holds tasks of unequal size", () => {
    const uneven = Array.from({ length: 60 }, (_, i) => (i < 50 ? "large" : `small${i}`));
    const lengths: number[] = [];
    bootstrapByCluster(uneven, (rows) => lengths.push(rows.length), { seed: 2, resamples: 100 });
    expect(Math.max(...lengths)).toBeGreaterThan(100); // the large task was drawn more than once
    expect(Math.min(...lengths)).toBeLessThan(60);
  });

  it("leaves out resamples in which the statistic is undefined, and says nothing about one cluster", () => {
    let call = 0;
    const { values: kept } = bootstrapByCluster(clusters, () => (call++ % 2 ? 1 : Number.NaN), {
      seed: 1,
      resamples: 10,
    });
    expect(kept).toHaveLength(5);
    expect(bootstrapByCluster(["a", "a"], () => 1, { seed: 1 })).toMatchObject({ estimate: 1, low: Number.NaN });
  });

  it("refuses options out of range", () => {
    expect(() => bootstrapByCluster(clusters, meanOf, { seed: 1, resamples: 0 })).toThrow("got 0 and 0.95");
    expect(() => bootstrapByCluster(clusters, meanOf, { seed: 1, level: 95 })).toThrow("got 1000 and 95");
  });
});
