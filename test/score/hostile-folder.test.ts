/** Model folders made to block the process that loads them. Such files are refused before they are read. */
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readEncoderFolder } from "../../src/metrics/embedding/folder.ts";
import { readPytorch } from "../../src/model/pytorch.ts";
import { readSafetensors } from "../../src/model/safetensors.ts";
import { CodeScorer } from "../../src/score/index.ts";
import { readTrees } from "../../src/trees/index.ts";
import { makeModel } from "./model.ts";

let model: string;
beforeAll(async () => {
  model = await makeModel();
});
afterAll(() => rm(model, { recursive: true }));

async function copy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codescore-hostile-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(model, folder, { recursive: true });
  return folder;
}

const endless = {
  code: "model",
  message: expect.stringMatching(/: expected a file of at most \d+ bytes, got a device/),
};

/** The function that reads each file of a folder. */
const readers: readonly (readonly [string, (folder: string) => Promise<unknown>])[] = [
  ["config.json", (folder) => CodeScorer.load(folder)],
  ["tokenizer.json", (folder) => CodeScorer.load(folder)],
  ["calibration.json", (folder) => CodeScorer.load(folder)],
  ["onnx/model.onnx", (folder) => CodeScorer.load(folder, { precision: "fp32" })],
  ["onnx/model.onnx.data", (folder) => CodeScorer.load(folder, { precision: "fp32" })],
  ["onnx/model_quantized.onnx", (folder) => CodeScorer.load(folder)],
  ["config.json", (folder) => readEncoderFolder(folder)],
  ["model.safetensors", (folder) => readSafetensors(join(folder, "model.safetensors"))],
  ["pytorch_model.bin", (folder) => readPytorch(join(folder, "pytorch_model.bin"))],
  ["trees.safetensors", (folder) => readTrees(folder)],
];

describe("a model's folder", () => {
  it.each(readers)("whose %s leads to a device without an end is refused", async (name, read) => {
    const folder = await copy();
    await rm(join(folder, name), { force: true });
    await symlink("/dev/zero", join(folder, name));
    await expect(read(folder)).rejects.toMatchObject(endless);
  });

  it("with a pipe that nobody writes to is refused", async () => {
    const folder = await copy();
    await rm(join(folder, "tokenizer.json"));
    execFileSync("mkfifo", [join(folder, "tokenizer.json")]);
    await expect(CodeScorer.load(folder)).rejects.toMatchObject(endless);
  });

  it("with a config of a gigabyte is refused", async () => {
    const folder = await copy();
    await truncate(join(folder, "config.json"), 2 ** 30); // a sparse file, which takes no disk space
    await expect(CodeScorer.load(folder)).rejects.toThrow(/at most 16777216 bytes, got one of 1073741824/);
  });

  it.each([
    ["num_hidden_layers", 1e9],
    ["hidden_size", 2 ** 40],
    ["vocab_size", 1e12],
    ["num_attention_heads", 1e300],
    ["intermediate_size", 1e9],
    ["max_position_embeddings", 1e9],
    ["num_hidden_layers", "12"],
    ["head_sizes", [1e9]],
    ["head_sizes", Array(100_000).fill(1)],
  ])("whose config says that %s is %s is refused", async (key, value) => {
    const folder = await copy();
    const path = join(folder, "config.json");
    const config = JSON.parse(await readFile(path, "utf8")) as { codescore: object };
    const given = key === "head_sizes" ? { codescore: { ...config.codescore, [key]: value } } : { [key]: value };
    await writeFile(path, JSON.stringify({ ...config, ...given }));
    const message = expect.stringMatching(
      new RegExp(`expected \`(codescore\\.)?${key}\` to be .*from 1 to \\d+, got `),
    );
    await expect(CodeScorer.load(folder)).rejects.toMatchObject({ code: "model", message });
  });
});
