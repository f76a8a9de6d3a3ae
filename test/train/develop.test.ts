/** Metrics on dev, early stopping, and the guard against losses that are not finite. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configOfSize, initialise } from "../../src/model/index.ts";
import { AdamW } from "../../src/train/adamw.ts";
import { parametersOnDevice, parametersOnHost } from "../../src/train/checkpoint.ts";
import { measure } from "../../src/train/develop.ts";
import type { Example } from "../../src/train/examples.ts";
import { openDevice, readLog, train } from "../../src/train/index.ts";
import { resolveTrainOptions } from "../../src/train/options.ts";
import { trainStep } from "../../src/train/step.ts";
import { rowsOf, scratch, settings, writeRows } from "./rows.ts";

describe("figures on dev", () => {
  const example = (taskId: string, passRatio: number, executable: 0 | 1) => ({ taskId, passRatio, executable });

  it("are those worked out by hand", () => {
    const rows = [example("a", 1, 1), example("a", 0.5, 1), example("a", 0, 0), example("b", 1, 1), example("b", 0, 0)];
    const got = measure(rows, [0.9, 0.5, 0.6, 0.3, 0.2], [0.9, 0.5, 0.6, 0.4, 0.1])!;
    expect(got.rows).toBe(5);
    // 5 pairs agree and 3 disagree. Two of the 10 are tied in PassRatio.
    expect(got.kendallTau).toBeCloseTo((5 - 3) / Math.sqrt(10 * 8), 12);
    // Ranks minus 3: 2 0 1 -1 -2 and 1.5 0 -1.5 1.5 -1.5.
    expect(got.spearman).toBeCloseTo(3 / Math.sqrt(10 * 9), 12);
    expect(got.pearson).toBeCloseTo(0.2 / Math.sqrt(0.3 * 1), 12);
    expect(got.mae).toBeCloseTo(1.6 / 5, 12);
    // The program that passes is ahead in each task; over all rows in 4 of 6 pairs.
    expect(got.withinAuc).toBe(1);
    // Predicted positive: three, including a probability of 0.5 (a logit of 0); correct: two; executable: three.
    expect(got.execF1).toBeCloseTo(4 / 6, 12);
    expect(got.execAuc).toBeCloseTo((2 + 1 + 1) / 6, 12);
  });

  it("are null where they are undefined", () => {
    const rows = [example("a", 0.5, 0), example("b", 0.5, 0)];
    const undefinedFigures = { kendallTau: null, spearman: null, pearson: null, withinAuc: null, execAuc: null };
    expect(measure(rows, [0.1, 0.2], [0.1, 0.2])).toMatchObject({ ...undefinedFigures, execF1: null });
    expect(measure(rows.slice(1), [0.1], [0.1])).toBeNull();
  });
});

describe("early stopping", () => {
  // Updates far below the precision of a float, so that no evaluation can be better than the first.
  const still = { ...settings, steps: 40, evaluateEvery: 1, learningRate: 1e-30, earlyStop: 2 };

  it("ends a run after so many evaluations without a better r_s, also one that was stopped between", async () => {
    const folder = scratch();
    const data = [writeRows(join(folder, "data.jsonl"), rowsOf(4))];
    const whole = await train({ ...still, data, out: join(folder, "a") });
    expect(whole).toMatchObject({ steps: 3, bestStep: 1, bestBy: "spearman", stoppedEarly: true });
    expect((await readLog(join(folder, "a"))).at(-1)!.step).toBe(3);

    const out = join(folder, "b");
    const stop = new AbortController();
    const onStep = ({ step }: { step: number }): unknown => step === 2 && stop.abort();
    await expect(train({ ...still, data, out, signal: stop.signal, onStep })).rejects.toThrow("stopped at step 2");
    expect(await train({ ...still, data, out })).toMatchObject({ steps: 3, bestStep: 1, stoppedEarly: true });

    const made: number[] = [];
    const again = await train({ ...still, data, out, onStep: ({ step }) => made.push(step) });
    expect(again).toMatchObject({ steps: 3, stoppedEarly: true, speed: null });
    expect(made).toEqual([]);
  });

  it("does not end a run that is over before", async () => {
    const folder = scratch();
    const data = [writeRows(join(folder, "data.jsonl"), rowsOf(4))];
    expect(await train({ ...still, steps: 2, data, out: join(folder, "a") })).toMatchObject({
      steps: 2,
      stoppedEarly: false,
    });
  });

  it("needs rows to go by", async () => {
    const folder = scratch();
    const data = [writeRows(join(folder, "data.jsonl"), rowsOf(4))];
    const run = train({ ...still, data, out: join(folder, "a"), devShare: 0 });
    await expect(run).rejects.toThrow(/expected dev rows for early stopping, got 0/);
  });
});

describe("a loss that is not finite", () => {
  it("ends the run with the step, and leaves the batch in a file", async () => {
    const folder = scratch();
    const rows = rowsOf(8).map((row) => (row.sample_id === "t/3#5" ? { ...row, weight: 1e300 } : row));
    const data = [writeRows(join(folder, "data.jsonl"), rows)];
    const dev = [writeRows(join(folder, "dev.jsonl"), rowsOf(2))];
    const out = join(folder, "run");
    const run = train({ ...settings, steps: 40, data, dev, out });
    await expect(run).rejects.toThrow(/^step \d+: expected a finite loss, got (Infinity|NaN) .*bad-batch\.json$/);
    const record = JSON.parse(readFileSync(join(out, "bad-batch.json"), "utf8"));
    const log = await readLog(out);
    expect(record.step).toBe(log.length + 1);
    expect(record.loss).toMatch(/^(Infinity|NaN)$/);
    expect(record.rows.length).toBeGreaterThan(1);
    // An odd task and an odd sample, so one that fails and has no description.
    expect(record.rows.find((row: { sample_id: string }) => row.sample_id === "t/3#5")).toEqual({
      sample_id: "t/3#5",
      task_id: "t/3",
      pass_ratio: 0,
      executable: 0,
      weight: 1e300,
      tokens: { ref: expect.any(Number) },
    });
  });

  it("leaves the parameters as they are", async () => {
    await openDevice("wasm");
    const config = configOfSize("nano", 300);
    const parameters = parametersOnDevice(initialise(config, 0));
    const example = (weight: number): Example =>
      ({
        sampleId: "s",
        taskId: "t",
        passRatio: 1,
        executable: 1,
        weight,
        ids: { nl: [0, 9, 2, 2, 10, 2] },
      }) as Example;
    const options = { ...resolveTrainOptions({ data: ["x"], out: "y", formats: ["nl"] }), step: 1 };
    const optimizer = new AdamW({ weightDecay: 0.1 });
    const before = await parametersOnHost(parameters);
    const copy = new Map([...before].map(([name, { data }]) => [name, Float32Array.from(data)]));
    const failed = trainStep({ config, parameters }, optimizer, [[example(1), example(1e300)]], options);
    await expect(failed).rejects.toThrow(/step 1: expected a finite loss/);
    expect(optimizer.step).toBe(0);
    for (const [name, { data }] of await parametersOnHost(parameters)) expect(data, name).toEqual(copy.get(name));
    await trainStep({ config, parameters }, optimizer, [[example(1)]], options);
    expect((await parametersOnHost(parameters)).get("unice.head.0.weight")!.data).not.toEqual(
      copy.get("unice.head.0.weight"),
    );
  });
});
