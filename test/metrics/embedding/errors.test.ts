/** Errors in a folder are reported before anything is scored. */
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it, test } from "vitest";
import { getMetric, type MetricOptions } from "../../../src/metrics/index.ts";
import { recordedFolder, remove, robertaFolder } from "./folders.ts";

const scorer = fileURLToPath(new URL("../../../models/codescore-small/onnx/model_quantized.onnx", import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await robertaFolder();
});
afterEach(() => remove(folder));

const opening = (name: string, options: MetricOptions): Promise<void> => getMetric(name, options).prepare!();

/** Changes a JSON file of the folder. */
async function edit(name: string, change: Record<string, unknown>): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), ...change }));
}

test.each<[string, () => Promise<unknown>, RegExp]>([
  ["no folder", () => remove(folder), /there is no folder/],
  [
    "no ONNX file",
    () => rm(join(folder, "onnx"), { recursive: true }),
    /has no onnx.model\.onnx or model\.onnx: export/,
  ],
  [
    "no config.json",
    () => rm(join(folder, "config.json")),
    /has no config\.json; transformers writes it: config\.save_/,
  ],
  ["no tokenizer.json", () => rm(join(folder, "tokenizer.json")), /has no tokenizer\.json; transformers writes it/],
  ["a broken config.json", () => writeFile(join(folder, "config.json"), "{"), /config\.json is not valid JSON/],
  [
    "a config.json of no object",
    () => writeFile(join(folder, "config.json"), "[1]"),
    /expected a JSON object, got \[1\]/,
  ],
  [
    "no padding",
    () => edit("config.json", { pad_token_id: null }),
    /expected vocab_size and pad_token_id to be integers/,
  ],
  ["a smaller vocabulary", () => edit("config.json", { vocab_size: 399 }), /tokenizer has 400 tokens, the encoder 399/],
  [
    "a far larger vocabulary",
    () => edit("config.json", { vocab_size: 600 }),
    /tokenizer has 400 tokens, the encoder 600/,
  ],
  [
    "a tokenizer of no kind",
    () => edit("tokenizer.json", { model: { type: "Words" } }),
    /cannot use .*tokenizer\.json/,
  ],
  ["no positions", () => edit("config.json", { max_position_embeddings: 4 }), /2 positions leave no room/],
  ["a file that is no ONNX", () => writeFile(join(folder, "onnx", "model.onnx"), "no"), /cannot load .*model\.onnx/],
  [
    "no hidden states",
    () => copyFile(scorer, join(folder, "onnx", "model.onnx")),
    /expected the float32 output last_hidden_state or hidden_states\.N .*got score \(float32/,
  ],
  [
    "a COMET",
    () => copyFile(join(recordedFolder("comet"), "model.onnx"), join(folder, "onnx", "model.onnx")),
    /expected the int64 inputs input_ids, attention_mask and optionally token_type_ids, got src_input_ids/,
  ],
])("an encoder with %s", async (_, spoil, message) => {
  await spoil();
  await expect(opening("codebertscore", { encoder: folder })).rejects.toThrow(message);
});

it("says which layers there are", async () => {
  await expect(opening("bertscore", { encoder: folder, layer: 7 })).rejects.toThrow(
    /expected the float32 output hidden_states\.7 .* got last_hidden_state \(float32 .*hidden_states\.3/,
  );
});

test.each<[string, string, RegExp]>([
  ["no such layer", "LAYER,P,R,F\n1,.1,.1,.1\n", /expected a line whose LAYER is 3/],
  ["no such column", "LAYER,P,R\n3,.1,.1\n", /baseline\.csv:2: expected the column F to be below 1, got undefined/],
  ["a value that leaves nothing", "LAYER,P,R,F\n3,.1,.1,1\n", /:2: expected the column F to be below 1, got "1"/],
])("a baseline with %s", async (_, text, message) => {
  const baseline = join(folder, "baseline.csv");
  await writeFile(baseline, text);
  await expect(opening("bertscore", { encoder: folder, baseline })).rejects.toThrow(message);
});

it("a baseline where the layer has no number", async () => {
  const options = { encoder: recordedFolder("bert"), baseline: "any.csv" };
  await expect(opening("bertscore", options)).rejects.toThrow(
    /the layer of last_hidden_state is unknown; set --encoder-layer/,
  );
});

it("a description before code needs a tokenizer that loses nothing", async () => {
  const options = { encoder: recordedFolder("bert"), context: true };
  await expect(opening("codebertscore", options)).rejects.toThrow(/--context.* needs a tokenizer with byte-level BPE/);
});

it("needs a folder, and says how to give it", () => {
  expect(() => getMetric("codebertscore-f3", {})).toThrow(
    /needs a model .*--encoder DIR .* --metric-model codebertscore=DIR/,
  );
  expect(() => getMetric("comet", { encoder: folder })).toThrow(
    /`comet` needs a model .*ONNX: set --metric-model comet=DIR/,
  );
});

it("a COMET must read and give what COMET does", async () => {
  await expect(opening("comet", { models: { comet: folder } })).rejects.toThrow(
    /expected the int64 inputs src_input_ids, .*\(or only input_ids, attention_mask\) and the float32 output score, got input_ids/,
  );
  const unified = join(recordedFolder("unified"), "model.onnx");
  await copyFile(unified, join(folder, "onnx", "model.onnx"));
  await edit("config.json", { input_segments: ["ref", "mt"] });
  await expect(opening("comet", { models: { comet: folder } })).rejects.toThrow(
    /`input_segments` .* got \["ref","mt"\]/,
  );
});
