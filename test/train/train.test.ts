import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLog, train } from "../../src/train/index.ts";
import { settings as quick, rowsOf, writeRows } from "./rows.ts";

let folder: string;
let data: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codescore-train-"));
  data = writeRows(join(folder, "data.jsonl"), rowsOf(12));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

const settings = { ...quick, steps: 8, evaluateEvery: 2, devShare: 0.2 } as const;

describe("train", () => {
  it("learns, keeps the best step, and leaves no tensor behind", async () => {
    const before = tf.memory().numTensors;
    const result = await train({ ...settings, data: [data], out: join(folder, "a") });
    expect(tf.memory().numTensors).toBe(before);
    const log = await readLog(join(folder, "a"));
    expect(log.map(({ step }) => step)).toEqual(Array.from({ length: 8 }, (_, i) => i + 1));
    expect(log.at(-1)!.loss).toBeLessThan(log[0]!.loss);
    expect(log.filter(({ dev }) => dev).map(({ step }) => step)).toEqual([2, 4, 6, 8]);
    expect(result.best!.spearman).toBeGreaterThan(0.5);
    expect(result.best!.spearman).toBe(Math.max(...log.flatMap(({ dev }) => dev?.spearman ?? [])));
    expect(result.devRows + result.trainRows).toBe(96);
  });

  it("marks as missing what its data's programs could not import", async () => {
    const rows = writeRows(join(folder, "elsewhere.jsonl"), rowsOf(12));
    await writeFile(`${rows}.manifest.json`, JSON.stringify({ executor: { modules: ["math", "numpy"] } }));
    const modules = async (out: string): Promise<unknown> =>
      JSON.parse(await readFile(join(out, "config.json"), "utf8")).codescore.modules;
    await train({ ...settings, steps: 1, data: [data, rows], out: join(folder, "there") });
    expect(await modules(join(folder, "there"))).toBe("math numpy");
    expect(await modules(join(folder, "a"))).toBeNull();
    await train({ ...settings, steps: 1, data: [rows], init: join(folder, "a"), out: join(folder, "from-a") });
    expect(await modules(join(folder, "from-a"))).toBe("math numpy");
    await train({ ...settings, steps: 1, data: [data], init: join(folder, "there"), out: join(folder, "from-there") });
    expect(await modules(join(folder, "from-there"))).toBe("math numpy");
  });

  it("stopped and resumed, ends with the same bytes as uninterrupted", async () => {
    const out = join(folder, "b");
    // A run with the same settings, stopped between two evaluations.
    const stop = new AbortController();
    const stopped = train({
      ...settings,
      data: [data],
      out,
      signal: stop.signal,
      onStep: ({ step }) => step === 5 && stop.abort(),
    });
    await expect(stopped).rejects.toThrow("stopped at step 5");
    expect((await readLog(out)).length).toBe(5);
    await train({ ...settings, data: [data], out });
    for (const file of [
      "model.safetensors",
      "last/step-8/model.safetensors",
      "last/step-8/optimizer.safetensors",
      "config.json",
      "tokenizer.json",
    ]) {
      expect((await readFile(join(out, file))).equals(await readFile(join(folder, "a", file))), file).toBe(true);
    }
    // Identical bytes, except for the time of each step.
    const curve = async (run: string): Promise<string> =>
      (await readFile(join(folder, run, "log.jsonl"), "utf8")).replaceAll(/"seconds":[^,}]+/g, "");
    expect(await curve("b")).toBe(await curve("a"));
    expect(await curve("a")).toContain('"withinAuc":');
  });

  it("refuses to go on with a run of other settings, and leaves it as it is", async () => {
    const config = await readFile(join(folder, "a", "config.json"));
    for (const other of [{ steps: 9 }, { size: "tiny" as const }]) {
      const run = train({ ...settings, ...other, data: [data], out: join(folder, "a") });
      await expect(run).rejects.toThrow(/other settings/);
    }
    expect((await readFile(join(folder, "a", "config.json"))).equals(config)).toBe(true);
  });

  it.each([
    [{ steps: 0 }, /`steps` to be a positive integer, got `0`/],
    [{ size: "huge" as "nano" }, /`size` to be one of nano, tiny, small, base, got `huge`/],
    [{ dropout: 1 }, /`dropout`/],
    [{ data: [] }, /`data` to be at least one/],
  ])("refuses %j", async (wrong, message) => {
    await expect(train({ ...settings, data: [data], out: join(folder, "c"), ...wrong })).rejects.toThrow(message);
  });
});
