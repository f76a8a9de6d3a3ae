/**
 * An encoder with UniXcoder's shape imports, trains, exports and scores within the memory of an ordinary machine. CODESCORE_LAYERS=12
 * uses all of its layers, which takes six minutes. The default is 2.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ImportResult, Tensors } from "../../src/model/index.ts";
import { readSafetensors } from "../../src/model/index.ts";
import { CodeScorer } from "../../src/score/index.ts";
import type { LogLine, TrainResult } from "../../src/train/index.ts";
import type { LabelledRow, Score } from "../../src/types.ts";
import { bundled } from "../bundled.ts";

const LAYERS = Number(process.env.CODESCORE_LAYERS ?? 2);
/** Counted by hand: embedding tables and their norm, layers of 7,087,872, no pooler (with it and 12 layers 125,929,728, as PyTorch counts). */
const encoderOf = (layers: number): number => (51_416 + 1026 + 10) * 768 + 2 * 768 + layers * 7_087_872;
const ENCODER = encoderOf(LAYERS);
const HEADS = 768 * 3072 + 3072 + 3072 * 1024 + 1024 + 1024 * 2 + 2;
/** Layer weights and gamma; part, cover and mark embeddings. */
const POOLING = LAYERS + 1 + 1 + 3 * 768 + 6 * 768 + 8 * 768;

const script = bundled(new URL("base-run.ts", import.meta.url));

const GB = 1e9;

interface Predictions {
  readonly rows: LabelledRow[];
  readonly lengths: number[];
  readonly predictions: { readonly score: number; readonly exec: number }[];
}

let folder: string;
/** Peak memory of each stage, in bytes. */
const peaks: Record<string, number> = {};

async function run<T>(stage: string): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, stage, folder]);
  const { peak, ...result } = JSON.parse(stdout);
  peaks[stage] = peak;
  return result;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "codescore-base-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("an encoder of UniXcoder's shape", { timeout: 1_200_000 }, () => {
  let base: Tensors;
  let predicted: Predictions;

  it("is imported, with new heads", async () => {
    const { taken, fresh } = await run<ImportResult>("import");
    expect(taken).toBe(3 + 2 + LAYERS * 16);
    expect(fresh).toHaveLength(5 + 6);
    base = await readSafetensors(join(folder, "base", "model.safetensors"));
    const count = (pattern: RegExp): number =>
      [...base].reduce((sum, [name, { data }]) => sum + (pattern.test(name) ? data.length : 0), 0);
    expect(encoderOf(12)).toBe(125_929_728 - 590_592);
    expect(count(/^e/)).toBe(ENCODER);
    expect(count(/^unice\.head/)).toBe(HEADS);
    expect(count(/^unice\.(?!head)/)).toBe(POOLING);
    const shapes = {
      "embeddings.word_embeddings.weight": [51_416, 768],
      "embeddings.position_embeddings.weight": [1026, 768],
      [`encoder.layer.${LAYERS - 1}.output.dense.weight`]: [768, 3072],
      "unice.head.0.weight": [3072, 768],
      "unice.head.1.weight": [1024, 3072],
      "unice.head.2.weight": [2, 1024],
    };
    for (const [name, shape] of Object.entries(shapes)) expect(base.get(name)?.shape, name).toEqual(shape);
  });

  it("makes a step on 2 x 64 tokens", async () => {
    const { parameters, log, ...predictions } = await run<TrainResult & { log: LogLine[] } & Predictions>("train");
    predicted = predictions;
    expect(parameters).toBe(ENCODER + HEADS + POOLING);
    expect(log).toMatchObject([{ step: 1, rows: 2, tokens: 128 }]);
    expect(log[0]!.loss).toBeGreaterThan(0);
    expect(log[0]!.gradientNorm).toBeGreaterThan(0);
    const trained = await readSafetensors(join(folder, "out", "model.safetensors"));
    // The gradient of a key bias is only rounding error.
    const others = [...trained].filter(([name]) => !name.endsWith("key.bias"));
    const kept = others.filter(([name, { data }]) => data.every((value, i) => value === base.get(name)!.data[i]));
    expect(kept.map(([name]) => name)).toEqual([]);
  });

  it("scores from ONNX as the trainer does", async () => {
    await run("export");
    const path = join(folder, "out", "onnx", "model.onnx");
    const bytes = 4 * (ENCODER + HEADS + POOLING);
    expect(statSync(path).size).toBeGreaterThan(bytes);
    expect(statSync(path).size).toBeLessThan(bytes + 1e6); // far below protobuf's 2 GiB
    const { rows, lengths, predictions } = predicted;
    expect(lengths).toEqual([64, 63]);
    const scorer = await CodeScorer.load(join(folder, "out"), { precision: "fp32" });
    const scores = (await scorer.scoreAll(rows, { format: "ref+nl" })) as Score[];
    for (const [i, { score, exec }] of predictions.entries()) {
      expect(Math.abs(scores[i]!.score - score)).toBeLessThan(1e-4);
      expect(Math.abs(scores[i]!.exec - exec)).toBeLessThan(1e-4);
    }
  });

  it("needs no more memory than a plain machine has", () => {
    // The parameters take 0.52 GB. Training holds them, gradients and two moments, and saves copies.
    expect(peaks.import).toBeLessThan(2 * GB);
    expect(peaks.train).toBeLessThan(7 * GB);
    expect(peaks.export).toBeLessThan(4 * GB); // besides writing, onnxruntime runs the model to find the scales of int8
    expect(existsSync(join(folder, "out", "last", "state.json"))).toBe(true);
  });
});
