/**
 * A model's shape. `config.json` has the encoder's keys under Hugging Face's names, so that other tools can read it, and ours under
 * `codescore`.
 */
import { join } from "node:path";
import { CodescoreError, messageOf } from "../errors.ts";
import type { EncodeOptions } from "../tokenize/index.ts";
import { checkModelFile, exists, LARGEST, readJson } from "../util/files.ts";
import { architectureOf, type RawConfig } from "./architectures/index.ts";
import { BEFORE, checkUnice, UNICE, type UniceConfig, usesNetwork } from "./unice.ts";

export interface ModelConfig {
  /** Hugging Face's name for the architecture (`architectures/`). */
  readonly model_type: string;
  readonly vocab_size: number;
  readonly hidden_size: number;
  readonly num_hidden_layers: number;
  readonly num_attention_heads: number;
  readonly intermediate_size: number;
  /** Rows of the position table. In RoBERTa, the tokens of a sequence start after row `pad_token_id`. */
  readonly max_position_embeddings: number;
  readonly type_vocab_size: number;
  readonly pad_token_id: number;
  readonly bos_token_id: number;
  readonly eos_token_id: number;
  readonly layer_norm_eps: number;
  readonly hidden_dropout_prob: number;
  readonly initializer_range: number;
  readonly codescore: UniceConfig;
}

/** The parts of a sequence: candidate, reference, description. */
export const PARTS = 3;

const BASE = {
  model_type: "roberta",
  architectures: ["RobertaModel"],
  type_vocab_size: 1,
  bos_token_id: 0,
  pad_token_id: 1,
  eos_token_id: 2,
  layer_norm_eps: 1e-5,
  hidden_act: "gelu",
  hidden_dropout_prob: 0.1,
  initializer_range: 0.02,
} as const;

/** Defaults that all architectures share, for keys that a file leaves out. */
const OF_ALL = { hidden_act: BASE.hidden_act, hidden_dropout_prob: 0.1, initializer_range: 0.02 } as const;

export const SIZES = {
  /** Trains in a minute or two on a CPU without native code. */
  nano: {
    hidden_size: 64,
    num_hidden_layers: 2,
    num_attention_heads: 1,
    intermediate_size: 128,
    head_sizes: [64, 32],
    max_length: 320,
  },
  tiny: {
    hidden_size: 192,
    num_hidden_layers: 4,
    num_attention_heads: 6,
    intermediate_size: 768,
    head_sizes: [512, 256],
    max_length: 512,
  },
  small: {
    hidden_size: 384,
    num_hidden_layers: 6,
    num_attention_heads: 6,
    intermediate_size: 1536,
    head_sizes: [1024, 512],
    max_length: 512,
  },
  base: {
    hidden_size: 768,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    intermediate_size: 3072,
    head_sizes: [3072, 1024],
    max_length: 1022,
  },
} as const;

export type SizeName = keyof typeof SIZES;

/**
 * Standard deviation of new weight matrices. With embeddings of deviation 1 it gives products of deviation 0.7. With small embeddings it is
 * RoBERTa's.
 */
const initializerRange = (width: number, embeddingRange: number): number =>
  embeddingRange > 0 ? Number((0.7 / Math.sqrt(width)).toFixed(3)) : BASE.initializer_range;

/** The config of a new model of a named size. */
export function configOfSize(size: SizeName, vocabSize: number, embedding_range = UNICE.embedding_range): ModelConfig {
  const { head_sizes, max_length, ...encoder } = SIZES[size];
  return {
    ...BASE,
    ...encoder,
    initializer_range: initializerRange(encoder.hidden_size, embedding_range),
    vocab_size: vocabSize,
    max_position_embeddings: max_length + BASE.pad_token_id + 1,
    codescore: { ...UNICE, embedding_range, head_sizes: [...head_sizes], max_length },
  };
}

/**
 * Reads and checks `config.json` of a folder with a network. Training, export and scoring all use it, so that missing keys mean the same
 * everywhere. Throws `CodescoreError("model")` that names the file and the key.
 */
export async function readConfig(folder: string): Promise<ModelConfig> {
  const { shape } = await readScorerConfig(folder);
  if (shape !== null) return shape;
  throw new CodescoreError(
    "model",
    `${folder} has no network, only a rule and trees; expected a model with a network, such as the shipped small`,
  );
}

/** What `codescore score` needs to know about a model. */
export interface ScorerConfig {
  readonly codescore: UniceConfig;
  /** Null for a folder without a network: the rule and the trees have the whole weight, and no size is given. */
  readonly shape: ModelConfig | null;
}

/** Reads and checks `config.json` of any model folder. Throws as `readConfig`. */
export async function readScorerConfig(folder: string): Promise<ScorerConfig> {
  const path = join(folder, "config.json");
  if (!(await exists(path))) {
    const why = (await exists(folder))
      ? `${folder} is not a codescore model: it has no config.json`
      : `no model folder at ${folder}`;
    throw new CodescoreError("model", why);
  }
  await checkModelFile(path, LARGEST.config);
  const raw = await readJson(path).catch((error: unknown) => {
    throw new CodescoreError("model", messageOf(error), { cause: error });
  });
  if (isObject(raw) && isObject(raw.codescore) && raw.hidden_size === undefined) {
    const codescore = { ...UNICE, ...BEFORE, ...raw.codescore };
    if (!usesNetwork(codescore)) {
      checkUnice(codescore, codescore.max_length, path);
      return { codescore, shape: null };
    }
  }
  const shape = checkConfig(raw, path);
  for (const key of ["bos_token_id", "eos_token_id"] as const) {
    if (Number.isInteger(shape[key])) continue;
    throw new CodescoreError("model", `${path}: expected \`${key}\` to be an integer, got ${shape[key]}`);
  }
  return { codescore: shape.codescore, shape };
}

/**
 * Reads the shape of a new model from a file with the keys of RoBERTa, or of its `model_type`, and optionally ours under `codescore`. The
 * vocabulary is the tokenizer's. Throws `CodescoreError("model")` that names the file and the key.
 */
export async function readNewConfig(
  path: string,
  vocabSize: number,
  embedding_range = UNICE.embedding_range,
): Promise<ModelConfig> {
  await checkModelFile(path, LARGEST.config);
  const raw = await readJson(path);
  if (!isObject(raw)) {
    throw new CodescoreError("model", `${path}: expected an object with a model's shape, got ${JSON.stringify(raw)}`);
  }
  const given = raw as { readonly hidden_size?: number; readonly codescore?: Partial<UniceConfig> };
  const codescore = { ...UNICE, embedding_range, ...given.codescore };
  const initializer_range = initializerRange(Number(given.hidden_size), codescore.embedding_range);
  const { bos_token_id, pad_token_id, eos_token_id } = BASE;
  const ids = { bos_token_id, pad_token_id, eos_token_id };
  const config = checkConfig({ ...ids, initializer_range, ...raw, codescore, vocab_size: vocabSize }, path);
  for (const key of ["bos_token_id", "pad_token_id", "eos_token_id"] as const) {
    if (config[key] === BASE[key]) continue;
    const why = `as in the tokenizer that is trained with the model, got ${config[key]}`;
    throw new CodescoreError("model", `${path}: expected \`${key}\` to be ${BASE[key]}, ${why}; leave it out`);
  }
  return config;
}

/**
 * Reads the `codescore` section of a file, for an import. Missing keys take the import's defaults. Throws `CodescoreError("model")` that
 * names the file.
 */
export async function readUniceConfig(path: string): Promise<Partial<UniceConfig>> {
  await checkModelFile(path, LARGEST.config);
  const raw = await readJson(path);
  if (isObject(raw) && isObject(raw.codescore)) return raw.codescore;
  throw new CodescoreError("model", `${path}: expected an object with a \`codescore\` section`);
}

/** Maximum sizes. No encoder is larger, and larger values would exhaust memory before any other check fails. */
const LARGEST_SIZES = {
  vocab_size: 2 ** 22,
  hidden_size: 2 ** 14,
  num_hidden_layers: 256,
  num_attention_heads: 256,
  intermediate_size: 2 ** 16,
  max_position_embeddings: 2 ** 20,
} as const;

/** Fills in the architecture's defaults and checks the rest. Throws `CodescoreError("model")`. */
export function checkConfig(raw: unknown, path: string): ModelConfig {
  if (!isObject(raw) || !isObject(raw.codescore)) {
    throw new CodescoreError(
      "model",
      `${path}: expected a \`codescore\` section; turn an encoder into a scorer with \`codescore import\` and \`codescore train\``,
    );
  }
  const { codescore: unice, ...given } = raw;
  const { model_type = BASE.model_type } = raw;
  const architecture = architectureOf(model_type, path);
  const config = {
    ...(model_type === BASE.model_type && BASE),
    ...OF_ALL,
    ...architecture.defaults,
    ...ourKeys(given, architecture.keys),
    codescore: { ...UNICE, ...BEFORE, ...(unice as object) },
  } as unknown as ModelConfig;
  for (const [key, most] of Object.entries(LARGEST_SIZES)) {
    const size = config[key as keyof typeof LARGEST_SIZES];
    if (Number.isInteger(size) && size >= 1 && size <= most) continue;
    const got = JSON.stringify(raw[key]);
    throw new CodescoreError("model", `${path}: expected \`${key}\` to be an integer from 1 to ${most}, got ${got}`);
  }
  if (!Number.isInteger(config.pad_token_id) || config.pad_token_id < 0) {
    const got = JSON.stringify(raw.pad_token_id);
    throw new CodescoreError("model", `${path}: expected \`pad_token_id\` to be an integer of at least 0, got ${got}`);
  }
  const longest = config.max_position_embeddings - (architecture.shape({ ...config }, path).firstPosition ?? 0);
  checkUnice(config.codescore, longest, path);
  return { ...config, codescore: { ...config.codescore, max_length: Math.min(config.codescore.max_length, longest) } };
}

/** A file's keys without null values. Keys that the file has under another name get ours. */
function ourKeys(raw: RawConfig, names: Readonly<Record<string, readonly string[]>> = {}): RawConfig {
  const renamed = Object.entries(names).flatMap(([ours, theirs]) => {
    const found = theirs.find((name) => (raw[name] ?? null) !== null);
    return found === undefined ? [] : [[ours, raw[found]]];
  });
  const kept = Object.entries(raw).filter(([, value]) => value !== null);
  return Object.fromEntries([...renamed, ...kept]);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The options that turn a model's rows into tokens. */
export function encodeOptions({ codescore: unice }: Pick<ModelConfig, "codescore">): EncodeOptions {
  return {
    maxLength: unice.max_length,
    maxDescription: unice.max_description,
    normalise: unice.normalise,
    emptyParts: unice.empty_parts,
    staticMarks: unice.static_marks,
    symbols: unice.symbols,
    ...(unice.modules !== null && { modules: new Set(unice.modules.split(" ")) }),
  };
}
