/**
 * One stage from an encoder with UniXcoder's shape to an exported scorer, in a separate process so that its memory
 * can be measured: `base-run.ts STAGE FOLDER`. Prints a line of JSON.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { exportOnnx } from "../../src/export/index.ts";
import {
  checkConfig,
  importEncoder,
  initialise,
  type ModelConfig,
  type ParameterSpec,
  parameterSpecs,
  readConfig,
  readSafetensors,
  type Tensors,
  writeSafetensors,
} from "../../src/model/index.ts";
import { findNative } from "../../src/setup/index.ts";
import { loadTokenizer } from "../../src/tokenize/index.ts";
import { parametersOnDevice } from "../../src/train/checkpoint.ts";
import { encodeRows } from "../../src/train/encode.ts";
import { openDevice, readLog, train } from "../../src/train/index.ts";
import { predict } from "../../src/train/step.ts";
import type { LabelledRow } from "../../src/types.ts";
import { packageRoot } from "../../src/util/files.ts";

/** UniXcoder has 12 layers. CI trains fewer, with its width and vocabulary size. */
const LAYERS = Number(process.env.CODESCORE_LAYERS ?? 2);

/** The keys of microsoft/unixcoder-base's config.json that define its shape. */
const UNIXCODER = {
  model_type: "roberta",
  vocab_size: 51_416,
  hidden_size: 768,
  num_hidden_layers: LAYERS,
  num_attention_heads: 12,
  intermediate_size: 3072,
  max_position_embeddings: 1026,
  type_vocab_size: 10,
};

const FORMAT = "ref+nl";

/** Two rows of 64 and 63 tokens. */
const rows = [0, 1].map(
  (i): LabelledRow => ({
    task_id: `t/${i}`,
    sample_id: `t/${i}#0`,
    source: "test",
    made_by: "test",
    candidate: `def f${i}(x):\n    return x ${i === 0 ? "-" : "+"} 1`,
    reference: `def f${i}(x):\n    return x + 1`,
    description: "Return the whole number that comes after x, given x.",
    pass_ratio: i,
    executable: 1,
    n_tests: 1,
    n_passed: i,
    n_opaque: 0,
    passes_base: null,
    temperature: null,
    status: "ok",
    first_error: null,
    reason: null,
    weight: 1,
  }),
);

const [stage, folder] = process.argv.slice(-2) as [string, string];
const [source, base, out] = ["source", "base", "out"].map((name) => join(folder, name)) as [string, string, string];
const engine = (await findNative()) === undefined ? "auto" : "tensorflow";

/** Parameters like those of `initialise`, but from a few repeated normal numbers, because drawing 54 million would take longest of all. */
function filled(config: ModelConfig, specs: readonly ParameterSpec[]): Tensors {
  // Their count is a prime, so that no two rows or columns are equal.
  const { data: drawn } = initialise(config, 1, [{ name: "drawn", shape: [65_521], init: 1 }]).get("drawn")!;
  const fill = ({ name, shape, init }: ParameterSpec) => {
    const data = new Float32Array(shape.reduce((a, b) => a * b, 1));
    if (init === "ones") data.fill(1);
    else for (let i = 0; i < data.length; i++) data[i] = Number(init) * drawn[i % drawn.length]!;
    return [name, { shape, data }] as const;
  };
  return new Map(specs.map(fill));
}

const stages: Record<string, () => Promise<object>> = {
  /** Imports a folder in Hugging Face's format, which it creates first. */
  async import() {
    mkdirSync(source);
    writeFileSync(join(source, "config.json"), JSON.stringify(UNIXCODER));
    // The small fixture's tokenizer, extended: a scorer refuses a tokenizer with fewer tokens than the model.
    const path = join(packageRoot, "test", "fixtures", "unixcoder-tiny", "tokenizer.json");
    const tokenizer = JSON.parse(readFileSync(path, "utf8"));
    const { vocab } = tokenizer.model;
    for (let id = Object.keys(vocab).length; id < UNIXCODER.vocab_size; id++) vocab[`unused ${id}`] = id;
    writeFileSync(join(source, "tokenizer.json"), JSON.stringify(tokenizer));
    const config = checkConfig({ ...UNIXCODER, codescore: {} }, source);
    const encoder = parameterSpecs(config).filter(({ name }) => !name.startsWith("unice."));
    await writeSafetensors(join(source, "model.safetensors"), filled(config, encoder));
    return importEncoder(source, base);
  },
  /** Trains, and returns what the trainer then predicts. */
  async train() {
    const data = [join(folder, "data.jsonl")];
    writeFileSync(data[0]!, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const settings = { steps: 1, batchTokens: 128, schedule: "constant", warmup: 0, quiet: true } as const;
    const result = await train({ ...settings, device: engine, formats: [FORMAT], data, dev: data, init: base, out });
    const log = await readLog(out);
    await openDevice(engine);
    const config = await readConfig(out);
    const parameters = parametersOnDevice(await readSafetensors(join(out, "model.safetensors")));
    const examples = await encodeRows(rows, await loadTokenizer(out), config, [FORMAT]);
    const predictions = await predict({ config, parameters }, examples, FORMAT, 128);
    tf.dispose([...parameters.values()]);
    return { ...result, log, rows, predictions, lengths: examples.map(({ ids }) => ids[FORMAT]!.length) };
  },
  export: async () => ({ path: await exportOnnx(out, { rows }) }),
};

const result = await stages[stage]!();
/** Peak memory in bytes. */
const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
// Uses maxRSS only as a last resort, because it includes the memory of the process that this one was forked from.
const peak = 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
process.stdout.write(`${JSON.stringify({ ...result, peak })}\n`, () => process.exit());
