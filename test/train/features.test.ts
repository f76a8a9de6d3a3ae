/** All training options beyond the paper at once: a stopped run resumes exactly, and keeps its averages. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSafetensors } from "../../src/model/index.ts";
import { readLog, type TrainOptions, train } from "../../src/train/index.ts";
import { rowsOf, scratch, settings, writeRows } from "./rows.ts";

/** Rewrites that pass, and mutants that fail to different degrees. */
const rows = rowsOf(6).map((row, i) => ({
  ...row,
  made_by: row.pass_ratio === 1 ? "rewrite:rename" : "mutant:swap",
  pass_ratio: row.pass_ratio === 1 ? 1 : (i % 5) / 5,
}));

it("a run with all of it, stopped twice and resumed, ends with the same bytes as uninterrupted", async () => {
  const folder = scratch();
  const [whole, parted] = [join(folder, "whole"), join(folder, "parted")];
  const options = {
    ...settings,
    data: [writeRows(join(folder, "data.jsonl"), rows)],
    // Equal labels have no r_s, so no evaluation after the first is better, and each halves the rate.
    dev: [writeRows(join(folder, "dev.jsonl"), rows.filter(({ pass_ratio }) => pass_ratio === 1).slice(0, 4))],
    batchTokens: 200,
    accumulate: 2,
    headLearningRate: 5e-3,
    layerDecay: 0.9,
    schedule: "plateau",
    plateauPatience: 1,
    frozenEpochs: 0.1,
    ema: 0.9,
    layerDropout: 0.3,
    loss: "bce",
    labelSmoothing: 0.05,
    rankingWeight: 0.5,
    contrastWeight: 0.5,
  } as const satisfies Omit<TrainOptions, "out">;
  await train({ ...options, out: whole });
  const encoderMoved: boolean[] = [];
  for (const at of [1, 5]) {
    const stop = new AbortController();
    const onStep = ({ step }: { step: number }): void => {
      if (step === at) stop.abort();
    };
    const stopped = train({ ...options, out: parted, signal: stop.signal, onStep });
    await expect(stopped).rejects.toThrow(`stopped at step ${at}`);
    const moments = await readSafetensors(join(parted, "last", `step-${at}`, "optimizer.safetensors"));
    encoderMoved.push(moments.has("m.encoder.layer.0.output.dense.weight"));
  }
  await train({ ...options, out: parted });
  const files = (await readdir(join(whole, "last", "step-6"))).sort();
  expect(files).toEqual(["average.safetensors", "model.safetensors", "optimizer.safetensors"]);
  for (const file of ["model.safetensors", "last/state.json", ...files.map((name) => `last/step-6/${name}`)]) {
    expect((await readFile(join(parted, file))).equals(await readFile(join(whole, file))), file).toBe(true);
  }
  const log = await readLog(whole);
  const told = (lines: typeof log) => lines.map(({ loss, learningRate, dev }) => ({ loss, learningRate, dev }));
  expect(told(await readLog(parted))).toEqual(told(log));
  // The stops were at the critical points: before the encoder was unfrozen, and after the rate was halved.
  expect(encoderMoved).toEqual([false, true]);
  expect(log.map(({ learningRate }) => learningRate / 3e-3)).toEqual([1, 1, 1, 1, 0.5, 0.5]);
});

it("the averaged parameters are the model", async () => {
  const folder = scratch();
  const data = [writeRows(join(folder, "data.jsonl"), rows)];
  const out = join(folder, "out");
  const { bestStep } = await train({ ...settings, ema: 0.9, steps: 4, evaluateEvery: 4, data, out });
  expect(bestStep).toBe(4);
  const average = await readFile(join(out, "last", "step-4", "average.safetensors"));
  expect((await readFile(join(out, "model.safetensors"))).equals(average)).toBe(true);
  const last = await readSafetensors(join(out, "last", "step-4", "model.safetensors"));
  const mean = await readSafetensors(join(out, "model.safetensors"));
  const name = "unice.head.0.weight";
  const apart = last.get(name)!.data.map((value, i) => value - mean.get(name)!.data[i]!);
  expect(Math.hypot(...apart)).toBeGreaterThan(1e-4);
});

it("a run in a single format takes the rows that have it", async () => {
  const folder = scratch();
  const data = [writeRows(join(folder, "data.jsonl"), rows)];
  const options = { ...settings, steps: 1, formats: ["ref"], data, out: join(folder, "out") } as const;
  const { devRows, trainRows } = await train(options);
  expect(devRows + trainRows).toBe(rows.filter(({ reference }) => reference !== null).length);
});

it.each<[Partial<TrainOptions>, RegExp]>([
  [{ formats: ["code" as "nl"] }, /`formats` to be among ref, nl, ref\+nl, got `code`/],
  [{ schedule: "step" as "linear" }, /`schedule` to be one of cosine, linear, constant, plateau, got `step`/],
  [{ schedule: "plateau", devShare: 0 }, /dev rows for schedule plateau, got 0/],
  [{ layerDecay: 0 }, /`layerDecay` to be in \(0, 1\]/],
  [{ accumulate: 0 }, /`accumulate` to be a positive integer/],
  [{ ema: 1 }, /`ema` to be in \[0, 1\)/],
])("a run refuses %j", async (wrong, message) => {
  const folder = scratch();
  const data = [writeRows(join(folder, "data.jsonl"), rows)];
  await expect(train({ ...settings, data, out: join(folder, "out"), ...wrong })).rejects.toThrow(message);
});
