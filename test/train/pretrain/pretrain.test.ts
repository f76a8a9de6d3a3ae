import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initialise, readConfig, readSafetensors } from "../../../src/model/index.ts";
import { type MlmLogLine, pretrain, train } from "../../../src/train/index.ts";
import { readLog } from "../../../src/train/log.ts";

let folder: string;
let data: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-pretrain-"));
  data = await mkdtemp(join(folder, "source-"));
  for (let i = 0; i < 24; i++) {
    const functions = ["first", "second", "third", "fourth"].map(
      (name, k) => `def ${name}_${i}(value):\n    """Adds."""\n    total = value + ${i * k}\n    return total\n\n`,
    );
    await writeFile(join(data, `m${i}.py`), functions.join("\n"));
  }
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const settings = {
  vocabSize: 320,
  steps: 15,
  evaluateEvery: 5,
  batchTokens: 500,
  devShare: 0.1,
  learningRate: 1e-2,
  device: "wasm",
  quiet: true,
} as const;

describe("pretrain", () => {
  it("learns, keeps the best step without the language model's head, and leaves no tensor behind", async () => {
    const before = tf.memory().numTensors;
    const out = join(folder, "a");
    const result = await pretrain({ ...settings, data: [data], out });
    expect(tf.memory().numTensors).toBe(before);
    const log = await readLog<MlmLogLine>(out);
    expect(log.map(({ step }) => step)).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
    const devs = log.flatMap(({ dev }) => (dev ? [dev] : []));
    expect(devs.length).toBe(3);
    expect(Math.abs(log[0]!.loss - Math.log(result.vocabulary))).toBeLessThan(0.5); // a new model knows nothing
    expect(devs.at(-1)!.loss).toBeLessThan(0.7 * log[0]!.loss);
    expect(devs.at(-1)!.accuracy).toBeGreaterThan(0.2);
    expect(result.best!.loss).toBe(Math.min(...devs.map(({ loss }) => loss)));
    expect([result.trainFiles, result.devFiles]).toEqual([21, 3]);

    const config = await readConfig(out);
    const model = await readSafetensors(join(out, "model.safetensors"));
    const start = initialise(config, 0);
    expect([...model].map(([name, { shape }]) => [name, shape])).toEqual(
      [...start].map(([name, { shape }]) => [name, shape]),
    );
    const trained = [...model].filter(([name, { data }]) => !data.every((x, i) => x === start.get(name)!.data[i]));
    const still = [...model.keys()].filter((name) => !trained.some(([other]) => other === name));
    expect(still.filter((name) => !/^unice\.(scalars|gamma|head|mark)/.test(name))).toEqual([]);
    expect(trained.filter(([name]) => /^unice\.(scalars|gamma|head|mark)/.test(name))).toEqual([]);
    expect(trained.map(([name]) => name)).toContain("unice.part.weight");
    const last = await readSafetensors(join(out, "last", "step-15", "model.safetensors"));
    expect([...last.keys()].filter((name) => name.startsWith("lm_head.")).length).toBe(5);
  });

  it("trains an encoder of another architecture, as its config says", async () => {
    const config = join(folder, "modernbert.json");
    const shape = { hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 2, intermediate_size: 48 };
    const rotary = { global_attn_every_n_layers: 1, global_rope_theta: 1000, local_rope_theta: 1000 };
    const codescore = { max_length: 64, head_sizes: [16], embedding_range: 0.02 };
    const given = { model_type: "modernbert", ...shape, ...rotary, max_position_embeddings: 64, codescore };
    await writeFile(config, JSON.stringify(given));
    const out = join(folder, "modernbert");
    const result = await pretrain({ ...settings, data: [data], config, out });
    const [first] = await readLog<MlmLogLine>(out);
    expect(result.best!.loss).toBeLessThan(0.7 * first!.loss);
    expect(await readConfig(out)).toMatchObject({ ...given, codescore });
    const names = [...(await readSafetensors(join(out, "model.safetensors"))).keys()];
    expect(names).toContain("encoder.layer.1.intermediate.gate.weight");
    expect(names.filter((name) => name.includes("position_embeddings"))).toEqual([]);
  }, 60_000);

  it("stopped and resumed, ends with the same bytes as uninterrupted", async () => {
    const out = join(folder, "b");
    const stop = new AbortController();
    const onStep = ({ step }: MlmLogLine): unknown => step === 8 && stop.abort();
    await expect(pretrain({ ...settings, data: [data], out, signal: stop.signal, onStep })).rejects.toThrow(
      "stopped at step 8",
    );
    expect((await readLog(out)).length).toBe(8);
    await pretrain({ ...settings, data: [data], out });
    for (const file of [
      "model.safetensors",
      "last/step-15/model.safetensors",
      "last/step-15/optimizer.safetensors",
      "config.json",
      "tokenizer.json",
    ]) {
      expect((await readFile(join(out, file))).equals(await readFile(join(folder, "a", file))), file).toBe(true);
    }
    const curve = async (run: string): Promise<unknown[]> =>
      (await readLog<MlmLogLine>(join(folder, run))).map(({ seconds: _, ...line }) => line);
    expect(await curve("b")).toEqual(await curve("a"));
  });

  it("leaves what `train --init` starts from", async () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({
      task_id: `t/${i % 4}`,
      sample_id: `t/${i % 4}#${i}`,
      source: "test",
      made_by: "test",
      candidate: `def f(x):\n    return x + ${i}\n`,
      reference: "def f(x):\n    return x + 1\n",
      description: "Adds.",
      pass_ratio: i % 2,
      executable: 1,
      n_tests: 1,
      n_passed: i % 2,
      status: "ok",
      first_error: null,
      reason: null,
      weight: 1,
    }));
    const path = join(folder, "rows.jsonl");
    await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const out = join(folder, "scorer");
    const init = join(folder, "a");
    await train({ data: [path], dev: [path], init, out, steps: 2, learningRate: 1e-9, device: "wasm", quiet: true });
    const [encoder, scorer] = await Promise.all(
      [init, out].map((run) => readSafetensors(join(run, "model.safetensors"))),
    );
    for (const [name, { data }] of encoder!) {
      const other = scorer!.get(name)!.data;
      expect(Math.max(...data.map((x, i) => Math.abs(x - other[i]!))), name).toBeLessThan(1e-6);
    }
  });

  it("refuses to go on with a run of other settings", async () => {
    await expect(pretrain({ ...settings, steps: 16, data: [data], out: join(folder, "a") })).rejects.toThrow(
      /other settings/,
    );
  });

  it.each([
    [{ steps: 0 }, /`steps` to be a positive integer, got `0`/],
    [{ maskShare: 0 }, /`maskShare` to be in \(0, 1\), got `0`/],
    [{ size: "huge" as "nano" }, /`size` to be one of nano, tiny, small, base, got `huge`/],
    [{ size: "nano", config: "c.json" } as const, /one of config and size/],
    [{ data: [] }, /`data` to be at least one/],
  ])("refuses %j", async (wrong, message) => {
    await expect(pretrain({ ...settings, data: [data], out: join(folder, "c"), ...wrong })).rejects.toThrow(message);
  });
});
