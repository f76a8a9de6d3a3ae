/** Makes a UniCE checkpoint out of a Hugging Face RoBERTa or UniXcoder folder: its encoder and tokenizer, new heads. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CodescoreError } from "../errors.ts";
import { loadTokenizer, Tokenizer, tokenizerFromVocabulary } from "../tokenize/index.ts";
import { exists, readJson, writeAtomic } from "../util/files.ts";
import { checkConfig, type ModelConfig } from "./config.ts";
import { initialise, type ParameterSpec, parameterSpecs, type Tensors } from "./parameters.ts";
import { readPytorch } from "./pytorch.ts";
import { readSafetensors, writeSafetensors } from "./safetensors.ts";
import { IMPORTED, type UniceConfig } from "./unice.ts";

export interface ImportResult {
  readonly out: string;
  /** Parameters taken from the folder. */
  readonly taken: number;
  /** Names of parameters that start anew: the layer mix, the channels, the heads. */
  readonly fresh: readonly string[];
}

/** The files that hold the weights and the tokenizer; the first complete set is taken. */
export const WEIGHT_FILES = ["model.safetensors", "pytorch_model.bin"] as const;
export const TOKENIZER_FILES = [["tokenizer.json"], ["vocab.json", "merges.txt"]] as const;

/**
 * Reads the encoder of `folder` (config.json; tokenizer.json, or vocab.json and merges.txt; model.safetensors, or
 * pytorch_model.bin) and writes a checkpoint to `out`. Throws `CodescoreError("model")` when a file or a parameter is
 * missing or of another shape, or the tokenizer is not the model's.
 */
export async function importEncoder(
  folder: string,
  out: string,
  unice: Partial<UniceConfig> = {},
  seed = 0,
): Promise<ImportResult> {
  if (resolve(folder) === resolve(out)) {
    throw new CodescoreError("usage", `${out} is the folder that is read; give the checkpoint one of its own`);
  }
  const config = await readEncoderConfig(folder, unice);
  const tokenizer = await readTokenizerText(folder, config);
  const weights = await firstOf(folder, WEIGHT_FILES);
  const path = join(folder, weights);
  const found = unprefixed(await (weights === "pytorch_model.bin" ? readPytorch : readSafetensors)(path));
  const specs = parameterSpecs(config);
  checkFit(specs, found, config, path);
  const fresh = initialise(
    config,
    seed,
    specs.filter(({ name }) => !found.has(name)),
  );
  const tensors: Tensors = new Map(specs.map(({ name }) => [name, (found.get(name) ?? fresh.get(name))!]));
  await writeAtomic(join(out, "tokenizer.json"), tokenizer);
  await writeAtomic(join(out, "config.json"), `${JSON.stringify(config, null, 2)}\n`);
  await writeSafetensors(join(out, "model.safetensors"), tensors);
  return { out, taken: tensors.size - fresh.size, fresh: [...fresh.keys()] };
}

/** The config of an encoder's folder as a checkpoint's. Throws `CodescoreError("model")` when it is no RoBERTa. */
export async function readEncoderConfig(folder: string, unice: Partial<UniceConfig> = {}): Promise<ModelConfig> {
  const path = join(folder, await firstOf(folder, ["config.json"]));
  const raw = (await readJson(path)) as Record<string, unknown>;
  const config = checkConfig({ ...raw, codescore: { ...IMPORTED, ...unice } }, path);
  const positions = raw.position_embedding_type ?? "absolute";
  if (positions === "absolute") return config;
  throw new CodescoreError("model", `${path}: expected \`position_embedding_type\` absolute, got ${String(positions)}`);
}

async function firstOf<T extends string>(folder: string, names: readonly T[]): Promise<T> {
  for (const name of names) if (await exists(join(folder, name))) return name;
  throw new CodescoreError(
    "model",
    `${folder} has no ${names.join(" and no ")}: expected a Hugging Face folder with config.json, tokenizer.json (or vocab.json and merges.txt) and model.safetensors (or pytorch_model.bin)`,
  );
}

/** The text of `tokenizer.json`, once its ids are seen to be the model's. */
async function readTokenizerText(folder: string, config: ModelConfig): Promise<string> {
  const name = await firstOf(folder, ["tokenizer.json", "vocab.json"]);
  const path = join(folder, name);
  const made = name === "tokenizer.json" ? null : await tokenizerFromVocabulary(folder);
  const tokenizer = made === null ? await loadTokenizer(folder) : new Tokenizer(made);
  if (tokenizer.vocabSize > config.vocab_size) {
    throw new CodescoreError(
      "model",
      `${path}: its ids go up to ${tokenizer.vocabSize - 1}, but config.json has \`vocab_size\` ${config.vocab_size}; are the files of one model?`,
    );
  }
  for (const [token, key] of [
    ["<s>", "bos_token_id"],
    ["<pad>", "pad_token_id"],
    ["</s>", "eos_token_id"],
  ] as const) {
    const id = tokenizer.special(token);
    if (id === config[key]) continue;
    throw new CodescoreError("model", `${path}: ${token} is ${id}, but config.json has \`${key}\` ${config[key]}`);
  }
  return made === null ? readFile(path, "utf8") : `${JSON.stringify(made)}\n`;
}

/** What stands before a language model's encoder (`roberta.`) or one inside of another model (`encoder.`) goes away. */
function unprefixed(tensors: Tensors): Tensors {
  const anchor = "embeddings.word_embeddings.weight";
  const prefix = [...tensors.keys()].find((name) => name.endsWith(anchor))?.slice(0, -anchor.length) ?? "";
  return new Map(
    [...tensors].map(([name, tensor]) => [name.startsWith(prefix) ? name.slice(prefix.length) : name, tensor]),
  );
}

function checkFit(specs: readonly ParameterSpec[], found: Tensors, config: ModelConfig, path: string): void {
  const missing = specs.filter(({ name }) => !name.startsWith("unice.") && !found.has(name)).map(({ name }) => name);
  if (missing.length > 0) {
    const rest = missing.length > 3 ? ` and ${missing.length - 3} more` : "";
    throw new CodescoreError(
      "model",
      `${path} lacks ${missing.slice(0, 3).join(", ")}${rest}; it is not the RoBERTa encoder that config.json describes`,
    );
  }
  for (const { name, shape } of specs) {
    const came = found.get(name)?.shape ?? shape;
    if (`${came}` === `${shape}`) continue;
    throw new CodescoreError("model", `${path}: by config.json ${name} is of shape [${shape}], got [${came}]`);
  }
  const next = `encoder.layer.${config.num_hidden_layers}.`;
  if (![...found.keys()].some((name) => name.startsWith(next))) return;
  throw new CodescoreError("model", `${path} has more layers than config.json's ${config.num_hidden_layers}`);
}
