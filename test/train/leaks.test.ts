import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { describe, expect, it } from "vitest";
import { openDevice, train } from "../../src/train/index.ts";
import { rowsOf, scratch, settings, writeRows } from "./rows.ts";

describe.each([
  ["as it is", {}],
  [
    "with all that a step can do",
    { ema: 0.9, accumulate: 2, layerDropout: 0.2, rankingWeight: 0.1, labelSmoothing: 0.1 },
  ],
])("a run %s", (_, more) => {
  it("keeps as many tensors from step to step, evaluations among them, and none after it", async () => {
    const folder = scratch();
    const data = [writeRows(join(folder, "data.jsonl"), rowsOf(8))];
    await openDevice("wasm");
    const before = tf.memory().numTensors;
    const counts: number[] = [];
    await train({
      ...settings,
      ...more,
      steps: 4,
      data,
      out: join(folder, "run"),
      onStep: () => counts.push(tf.memory().numTensors),
    });
    expect(counts).toHaveLength(4);
    // The first step creates the optimizer's moments, two per parameter.
    expect(counts.slice(1)).toEqual(Array(3).fill(counts[0]));
    expect(tf.memory().numTensors).toBe(before);
  });

  it("leaves none behind when it fails", async () => {
    const folder = scratch();
    const rows = rowsOf(8).map((row) => ({ ...row, weight: 1e300 }));
    const data = [writeRows(join(folder, "data.jsonl"), rows)];
    await openDevice("wasm");
    const before = tf.memory().numTensors;
    await expect(train({ ...settings, ...more, data, out: join(folder, "run") })).rejects.toThrow("finite");
    expect(tf.memory().numTensors).toBe(before);
  });
});
