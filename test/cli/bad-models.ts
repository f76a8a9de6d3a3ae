/** Unusable model folders, as a table for bad-input.test.ts. */
import { cp, mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeOnnx, FLOAT, INT64 } from "../../src/export/proto.ts";

type Spoil = (folder: string) => Promise<unknown>;

/** Sets one value of a JSON file. The last part of the path is the key. */
const set =
  (file: string, path: string, value: unknown): Spoil =>
  async (folder) => {
    const whole = JSON.parse(await readFile(join(folder, file), "utf8"));
    const keys = path.split("/");
    const last = keys.pop()!;
    keys.reduce((at, key) => at[key], whole)[last] = value;
    await writeFile(join(folder, file), JSON.stringify(whole));
  };

const put =
  (name: string, data: string | Uint8Array): Spoil =>
  (folder) =>
    writeFile(join(folder, name), data);

/** Sets keys of the `codescore` section. */
const inConfig =
  (values: object): Spoil =>
  async (folder) => {
    for (const [key, value] of Object.entries(values)) await set("config.json", `codescore/${key}`, value)(folder);
  };

const both =
  (...spoils: readonly Spoil[]): Spoil =>
  async (folder) => {
    for (const spoil of spoils) await spoil(folder);
  };

/** A graph that copies its input: valid ONNX, but a different kind of model. */
function graph(input: string, output: string, type: typeof FLOAT | typeof INT64): Uint8Array {
  const dims = ["batch", "sequence"];
  return encodeOnnx({
    nodes: [{ op: "Identity", domain: "", inputs: [input], output, attributes: {} }],
    initializers: [],
    inputs: [{ name: input, type, dims }],
    outputs: [{ name: output, type, dims }],
    opset: 17,
    producerVersion: "0",
    metadata: {},
  });
}

const ONNX = join("onnx", "model.onnx");

/** Changes to a complete folder with only `onnx/model.onnx`, and the error messages. */
export const MODELS: readonly (readonly [name: string, spoil: Spoil, message: RegExp])[] = [
  ["without config.json", (folder) => rm(join(folder, "config.json")), /has no config\.json/],
  ["with half a config.json", put("config.json", "{"), /not valid JSON/],
  ["with null for a config", put("config.json", "null"), /`codescore` section/],
  ["with a list for a config", put("config.json", "[]"), /`codescore` section/],
  ["of another kind", put("config.json", '{"model_type":"bert"}'), /`codescore` section/],
  ["with a text for a section", set("config.json", "codescore", "yes"), /`codescore` section/],
  ["with a text for a number", set("config.json", "pad_token_id", "1"), /`pad_token_id` .* got "1"/],
  ["with a broken number", set("config.json", "vocab_size", 3.5), /`vocab_size` .* got 3\.5/],
  ["without a length", set("config.json", "codescore/max_length", null), /`codescore.max_length` to be an integer/],
  ["with a length of 2", set("config.json", "codescore/max_length", 2), /`codescore.max_length` .*at least 8, got 2/],
  ["of a later version", set("config.json", "codescore/normalise", "tree"), /`codescore.normalise` .* got "tree"/],
  [
    "with a rule that takes all",
    set("config.json", "codescore/rule", 1),
    /`codescore.rule` to be a weight in \[0, 1\), got 1/,
  ],
  [
    "with trees that take more than the rule leaves",
    inConfig({ rule: 0.5, trees: 0.6 }),
    /`codescore.trees` .*together with `rule` at most 1, got 0\.6/,
  ],
  ["without the trees it asks for", inConfig({ trees: 0.5 }), /has no trees\.safetensors.*codescore boost/],
  [
    "with half of its trees",
    both(inConfig({ trees: 0.5 }), put("trees.safetensors", new Uint8Array([99, 0, 0, 0, 0, 0, 0, 0, 123]))),
    /no trees of this version.*shorter than its header says.*codescore boost/,
  ],
  [
    "with trees of nothing",
    both(inConfig({ trees: 0.5 }), put("trees.safetensors", new Uint8Array([2, 0, 0, 0, 0, 0, 0, 0, 123, 125]))),
    /no trees of this version.*a list of texts `elements`/,
  ],
  ["with marks that are no flag", set("config.json", "codescore/static_marks", 1), /`codescore.static_marks` to be/],
  ["without tokenizer.json", (folder) => rm(join(folder, "tokenizer.json")), /cannot use .*tokenizer\.json/],
  ["with half a tokenizer", (folder) => truncate(join(folder, "tokenizer.json"), 900), /cannot use .*tokenizer\.json/],
  [
    "with another kind of tokenizer",
    set("tokenizer.json", "model/type", "WordLevel"),
    /expected a model of the type BPE, WordPiece, Unigram, got WordLevel/,
  ],
  [
    "with a tokenizer of nothing",
    put("tokenizer.json", "{}"),
    /expected a model of the type BPE, WordPiece, Unigram, got undefined/,
  ],
  ["with a tokenizer without special tokens", set("tokenizer.json", "added_tokens", []), /special token <s>/],
  ["with a larger vocabulary", set("tokenizer.json", "model/vocab/zzz", 300), /301 tokens, the model 300/],
  ["with a smaller vocabulary", set("config.json", "vocab_size", 6000), /\d tokens, the model 6000/],
  ["without ONNX", (folder) => rm(join(folder, "onnx"), { recursive: true }), /codescore export/],
  ["with a cut-off ONNX", (folder) => truncate(join(folder, ONNX), 5000), /cannot load .*model\.onnx/],
  ["with an empty ONNX", put(ONNX, ""), /cannot load .*model\.onnx/],
  ["with noise for ONNX", put(ONNX, new Uint8Array(9999).fill(0xa5)), /cannot load .*model\.onnx/],
  ["with JSON for ONNX", put(ONNX, '{"a": 1}'), /cannot load .*model\.onnx/],
  ["with a folder for ONNX", folderForOnnx, /model\.onnx: expected a file .*got a folder/],
  ["with ONNX of other inputs", put(ONNX, graph("pixels", "score", FLOAT)), /inputs input_ids and att.*pixels/],
  ["with ONNX of other outputs", put(ONNX, graph("input_ids", "logits", INT64)), /outputs score and ex.*logits/],
  ["with half a calibration", put("calibration.json", '{"version": 1'), /calibration\.json/],
  ["with a calibration of nothing", put("calibration.json", "[]"), /calibration\.json/],
];

async function folderForOnnx(folder: string): Promise<void> {
  await rm(join(folder, ONNX));
  await mkdir(join(folder, ONNX));
}

/** Copies a complete model, with only its fp32 form. */
export async function copyModel(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  for (const name of ["model_fp16.onnx", "model_quantized.onnx"]) await rm(join(to, "onnx", name), { force: true });
}
