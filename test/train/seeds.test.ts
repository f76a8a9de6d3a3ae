import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DevResult } from "../../src/train/index.ts";
import { trainSeeds } from "../../src/train/index.ts";
import { type SeedRun, summarise } from "../../src/train/seeds.ts";
import { rowsOf, scratch, settings, writeRows } from "./rows.ts";

function run(seed: number, figures: Partial<DevResult>): SeedRun {
  const none = { kendallTau: null, spearman: null, pearson: null, withinAuc: null, execF1: null, execAuc: null };
  return { seed, out: `runs/seed-${seed}`, steps: 4, bestStep: 2, best: { rows: 9, mae: 0.5, ...none, ...figures } };
}

describe("the summary of seeds", () => {
  it("has means and deviations of a sample, and names the seed with the best r_s", () => {
    const runs = [
      run(3, { spearman: 0.5, mae: 0.1 }),
      run(4, { spearman: 0.8, mae: 0.4, pearson: 0.3 }),
      run(5, { spearman: 0.2, mae: 0.4 }),
    ];
    const { dev, best } = summarise(runs);
    expect(dev.spearman.mean).toBeCloseTo(0.5, 12);
    expect(dev.spearman.deviation).toBeCloseTo(0.3, 12); // with n - 1: sqrt((0 + 0.09 + 0.09) / 2)
    expect(dev.mae.mean).toBeCloseTo(0.3, 12);
    expect(dev.mae.deviation).toBeCloseTo(Math.sqrt(0.03), 12); // sqrt((0.04 + 0.01 + 0.01) / 2)
    expect(dev.pearson).toEqual({ mean: null, deviation: null }); // only one seed has a value
    expect(best).toEqual({ seed: 4, out: "runs/seed-4" });
  });

  it("has no deviation of one seed, and no best seed without a score", () => {
    expect(summarise([run(0, { spearman: 0.5 })]).dev.spearman).toEqual({ mean: 0.5, deviation: null });
    expect(summarise([run(0, {}), run(1, {})]).best).toBeNull();
  });
});

describe("training with several seeds", () => {
  it("goes on where it was stopped and makes no run twice", async () => {
    const folder = scratch();
    const data = [writeRows(join(folder, "data.jsonl"), rowsOf(8))];
    const options = { ...settings, steps: 2, evaluateEvery: 1, data, out: join(folder, "runs") };
    const made: string[] = [];
    const stop = new AbortController();
    const onStep = ({ step }: { step: number }, out: string): void => {
      made.push(`${out.slice(-1)}:${step}`);
      if (made.length === 3) stop.abort();
    };
    await expect(trainSeeds({ ...options, onStep, signal: stop.signal }, [1, 2])).rejects.toThrow("stopped at step 1");
    const result = await trainSeeds({ ...options, onStep }, [1, 2]);
    expect(made).toEqual(["1:1", "1:2", "2:1", "2:2"]);

    expect(JSON.parse(readFileSync(join(options.out, "seeds.json"), "utf8"))).toEqual(result);
    expect(result.runs.map(({ seed, out, steps }) => [seed, out, steps])).toEqual([
      [1, join(options.out, "seed-1"), 2],
      [2, join(options.out, "seed-2"), 2],
    ]);
    const [a, b] = result.runs.map(({ best }) => best!.mae) as [number, number];
    expect(a).not.toBe(b);
    expect(result.dev.mae.mean).toBeCloseTo((a + b) / 2, 12);
    expect(result.dev.mae.deviation).toBeCloseTo(Math.abs(a - b) / Math.SQRT2, 12);
    // The seed does not choose the rows, so the figures of all seeds are for the same rows.
    expect(new Set(result.runs.map(({ best }) => best!.rows)).size).toBe(1);
    const model = (seed: number): Buffer => readFileSync(join(options.out, `seed-${seed}`, "model.safetensors"));
    expect(model(1).equals(model(2))).toBe(false);
  });

  it.each([[[]], [[1, 1]], [[-1]], [[0.5]]])("refuses the seeds %j", async (seeds) => {
    const run = trainSeeds({ ...settings, data: ["x"], out: "y" }, seeds);
    await expect(run).rejects.toThrow(/`seeds` to be distinct integers of at least 0/);
  });
});
