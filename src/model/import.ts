/** Makes a UniCE checkpoint from a Hugging Face encoder folder: its encoder and tokenizer, with new heads. */
import { join, resolve } from "node:path";
import { CodescoreError } from "../errors.ts";
import type { ScoreInput } from "../types.ts";
import { readJson, writeAtomic } from "../util/files.ts";
import { type Architecture, architectureOf } from "./architectures/index.ts";
import { checkConfig, type ModelConfig } from "./config.ts";
import { firstOf, importVocabulary, readVocabulary } from "./import-vocabulary.ts";
import { initialise, type ParameterSpec, parameterSpecs, type Tensor, type Tensors } from "./parameters.ts";
import { readPytorch } from "./pytorch.ts";
import { readSafetensors, writeSafetensors } from "./safetensors.ts";
import { IMPORTED, type UniceConfig } from "./unice.ts";

export interface ImportOptions {
  /** Changes to `IMPORTED`, the settings that the checkpoint adds to the encoder. */
  readonly unice?: Partial<UniceConfig>;
  /** Seed of the new heads. @default 0 */
  readonly seed?: number;
  /** Keeps only the tokens that these rows use, plus single characters. @default all tokens */
  readonly vocabularyFrom?: AsyncIterable<ScoreInput>;
}

export interface ImportResult {
  readonly out: string;
  /** Parameters taken from the folder. */
  readonly taken: number;
  /** Names of newly initialised parameters: the layer mix, the channels, the heads. */
  readonly fresh: readonly string[];
  /** Vocabulary sizes of the folder and of the checkpoint. */
  readonly vocabulary: { readonly from: number; readonly to: number };
}

/** Possible names of the weight file. The first that exists is used. */
export const WEIGHT_FILES = ["model.safetensors", "pytorch_model.bin"] as const;

/** The embedding table with one row per token. */
const WORDS = "embeddings.word_embeddings.weight";

/**
 * Reads the encoder in `folder` (config.json; tokenizer.json, or the files of a vocabulary; model.safetensors, or pytorch_model.bin) and
 * writes a checkpoint to `out`. Throws `CodescoreError("model")` if a file or parameter is missing, a parameter has another shape, or the
 * tokenizer does not belong to the model.
 */
export async function importEncoder(
  folder: string,
  out: string,
  { unice = {}, seed = 0, vocabularyFrom }: ImportOptions = {},
): Promise<ImportResult> {
  if (resolve(folder) === resolve(out)) {
    throw new CodescoreError("usage", `${out} is the input folder; choose another output folder`);
  }
  const given = await readEncoderConfig(folder, unice);
  const weights = await firstOf(folder, WEIGHT_FILES);
  const read = await readVocabulary(folder, given);
  const path = join(folder, weights);
  const tensorsRead = await (weights === "pytorch_model.bin" ? readPytorch : readSafetensors)(path);
  const found = underOurNames(tensorsRead, architectureOf(given.model_type));
  checkFit(parameterSpecs(given), found, given, path);
  const { tokenizer, config, rows } = await importVocabulary(read, given, unice, vocabularyFrom);
  found.set(WORDS, gatherRows(found.get(WORDS)!, rows));
  const specs = parameterSpecs(config);
  const fresh = initialise(
    config,
    seed,
    specs.filter(({ name }) => !found.has(name)),
  );
  const tensors: Tensors = new Map(specs.map(({ name }) => [name, (found.get(name) ?? fresh.get(name))!]));
  await writeAtomic(join(out, "tokenizer.json"), tokenizer);
  await writeAtomic(join(out, "config.json"), `${JSON.stringify(config, null, 2)}\n`);
  await writeSafetensors(join(out, "model.safetensors"), tensors);
  const vocabulary = { from: given.vocab_size, to: config.vocab_size };
  return { out, taken: tensors.size - fresh.size, fresh: [...fresh.keys()], vocabulary };
}

/** Reads the config of an encoder's folder as a checkpoint's config. Throws `CodescoreError("model")` if its architecture is not supported. */
export async function readEncoderConfig(folder: string, unice: Partial<UniceConfig> = {}): Promise<ModelConfig> {
  const path = join(folder, await firstOf(folder, ["config.json"]));
  const raw = (await readJson(path)) as Record<string, unknown>;
  return checkConfig({ ...raw, codescore: { ...IMPORTED, ...unice } }, path);
}

/** A new table. Each row is the mean of the rows in its list of row numbers. */
function gatherRows({ shape, data }: Tensor, rows: readonly (readonly number[])[]): Tensor {
  const width = shape[1]!;
  const out = new Float32Array(rows.length * width);
  for (const [i, from] of rows.entries()) {
    for (const row of from) {
      for (let k = 0; k < width; k++) out[i * width + k]! += data[row * width + k]! / from.length;
    }
  }
  return { shape: [rows.length, width], data: out };
}

/**
 * Renames a file's tensors to our names. Removes a prefix before the encoder, such as a language model's (`roberta.`) or that of an encoder
 * inside another model (`encoder.`).
 */
export function underOurNames(tensors: Tensors, { words = WORDS, names = [] }: Architecture): Tensors {
  const prefix = [...tensors.keys()].find((name) => name.endsWith(words))?.slice(0, -words.length) ?? "";
  const ours: Tensors = new Map();
  for (const [name, tensor] of tensors) {
    const own = ofToday(name.startsWith(prefix) ? name.slice(prefix.length) : name);
    const [pattern, to] = names.find(([pattern]) => pattern.test(own)) ?? [];
    const targets = pattern === undefined ? [own] : [to].flat().map((one) => own.replace(pattern, one!));
    for (const [share, target] of targets.entries()) ours.set(target, shareOf(tensor, share, targets.length));
  }
  return ours;
}

/** One of several equal shares of a tensor's rows. */
function shareOf(tensor: Tensor, share: number, shares: number): Tensor {
  if (shares === 1) return tensor;
  const { shape, data } = tensor;
  const size = data.length / shares;
  return { shape: [shape[0]! / shares, ...shape.slice(1)], data: data.subarray(share * size, (share + 1) * size) };
}

/** Replaces the names that the first BERTs used for the parameters of a layer norm. */
const ofToday = (name: string): string =>
  name.replace(/LayerNorm\.(gamma|beta)$/, (_, old) => `LayerNorm.${old === "gamma" ? "weight" : "bias"}`);

function checkFit(specs: readonly ParameterSpec[], found: Tensors, config: ModelConfig, path: string): void {
  const missing = specs.filter(({ name }) => !name.startsWith("unice.") && !found.has(name)).map(({ name }) => name);
  if (missing.length > 0) {
    const rest = missing.length > 3 ? ` and ${missing.length - 3} more` : "";
    throw new CodescoreError(
      "model",
      `${path} lacks ${missing.slice(0, 3).join(", ")}${rest}; it is not the ${architectureOf(config.model_type).title} encoder that config.json describes`,
    );
  }
  for (const { name, shape } of specs) {
    const came = found.get(name)?.shape ?? shape;
    if (`${came}` === `${shape}`) continue;
    throw new CodescoreError(
      "model",
      `${path}: expected ${name} of shape [${shape}] (from config.json), got [${came}]`,
    );
  }
  const next = `encoder.layer.${config.num_hidden_layers}.`;
  if (![...found.keys()].some((name) => name.startsWith(next))) return;
  throw new CodescoreError("model", `${path} has more layers than config.json's ${config.num_hidden_layers}`);
}
