/** Where a scoring model lies, and whether it is whole. */
import { join } from "node:path";
import { CodescoreError, messageOf } from "../errors.ts";
import { isCpu } from "../onnx/index.ts";
import { NORMALISE, type Normalise } from "../tokenize/index.ts";
import { exists, packageRoot, readJson } from "../util/files.ts";
import { whereLeftOut } from "../util/shipped.ts";

/** The models that come with the package, best first: `CodeScorer.load("small")`. */
const SHIPPED = ["small", "tiny"] as const;

/** What is loaded where no model is named: the first that is there. */
const DEFAULTS = SHIPPED.map(shippedFolder);

export const PRECISIONS = ["auto", "fp32", "fp16", "int8"] as const;

/** A form of the network: 32-bit floats, 16-bit floats, or 8-bit weights; `auto` takes what suits the device. */
export type Precision = (typeof PRECISIONS)[number];

const FILES = { fp32: "model.onnx", fp16: "model_fp16.onnx", int8: "model_quantized.onnx" } as const;

/** What the scorer needs of `config.json`. */
export interface ScorerConfig {
  readonly padId: number;
  readonly maxLength: number;
  readonly maxDescription: number;
  readonly normalise: Normalise;
  readonly staticMarks: boolean;
  /** Names of the modules that programs can import, where it is not Python 3.11's standard library. */
  readonly modules?: ReadonlySet<string>;
  readonly emptyParts: "omit" | "keep";
  readonly vocabSize: number;
  /** Weight of `metrics/rule.ts` in scores of rows with a reference. */
  readonly rule: number;
  /** Weight of the folder's `trees.safetensors`. */
  readonly trees: number;
}

function shippedFolder(name: string): string {
  return join(packageRoot, "models", `codescore-${name}`);
}

/**
 * The folder of a model by its path or the name of a shipped one (`./small` is a path); without either, the default.
 * Throws `CodescoreError("model")` when there is none.
 */
export async function findModel(model?: string): Promise<string> {
  const candidates =
    model === undefined ? DEFAULTS : [SHIPPED.some((name) => name === model) ? shippedFolder(model) : model];
  for (const folder of candidates) if (await exists(model === undefined ? join(folder, "onnx") : folder)) return folder;
  const remedy = "give the folder of one (--model DIR), or train one with `npm run quickstart`";
  if (model === undefined) throw new CodescoreError("model", `no model in ${join(packageRoot, "models")}; ${remedy}`);
  throw new CodescoreError("model", `no model folder at ${model}; shipped models are called ${SHIPPED.join(", ")}`);
}

/** Reads `config.json`. Throws `CodescoreError("model")` that says what is missing and how to mend it. */
export async function readScorerConfig(folder: string): Promise<ScorerConfig> {
  const path = join(folder, "config.json");
  if (!(await exists(path))) {
    throw new CodescoreError("model", `${folder} is not a codescore model: it has no config.json`);
  }
  const raw = await readJson(path).catch((error: unknown) => {
    throw new CodescoreError("model", messageOf(error), { cause: error });
  });
  const unice = isObject(raw) ? raw.codescore : undefined;
  if (!isObject(raw) || !isObject(unice)) {
    throw new CodescoreError(
      "model",
      `${path}: expected a \`codescore\` section; an encoder becomes a scorer with \`codescore import\` and \`codescore train\``,
    );
  }
  const expectThat = (holds: boolean, key: string, wanted: string, got: unknown): void => {
    if (holds) return;
    throw new CodescoreError("model", `${path}: expected \`${key}\` to be ${wanted}, got ${JSON.stringify(got)}`);
  };
  const integer = (from: Record<string, unknown>, key: string, least: number, fallback?: number): number => {
    const value = from[key] ?? fallback;
    expectThat(Number.isInteger(value) && (value as number) >= least, key, `an integer of at least ${least}`, value);
    return value as number;
  };
  const maxLength = integer(unice, "max_length", SHORTEST);
  const {
    normalise = "none",
    static_marks: staticMarks = false,
    empty_parts: emptyParts = "omit",
    rule = 0,
    trees = 0,
    modules = null,
  } = unice;
  expectThat(isOneOf(NORMALISE, normalise), "normalise", "none, code, names or canonical", normalise);
  expectThat(isOneOf(["omit", "keep"], emptyParts), "empty_parts", "omit or keep", emptyParts);
  expectThat(typeof staticMarks === "boolean", "static_marks", "true or false", staticMarks);
  expectThat(isWeight(rule), "rule", "a weight in [0, 1)", rule);
  const isRest = isWeight(trees) && (rule as number) + trees < 1;
  expectThat(isRest, "trees", "a weight in [0, 1), together with `rule` below 1", trees);
  expectThat(modules === null || typeof modules === "string", "modules", "names separated by spaces, or null", modules);
  return {
    padId: integer(raw, "pad_token_id", 0),
    vocabSize: integer(raw, "vocab_size", 1),
    maxLength,
    maxDescription: integer(unice, "max_description", 1, maxLength),
    normalise: normalise as Normalise,
    staticMarks: staticMarks as boolean,
    emptyParts: emptyParts as "omit" | "keep",
    ...(modules !== null && { modules: new Set((modules as string).split(" ")) }),
    rule: rule as number,
    trees: trees as number,
  };
}

/** Shorter sequences would hold little but separators. */
const SHORTEST = 8;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isWeight = (value: unknown): value is number => typeof value === "number" && value >= 0 && value < 1;

const isOneOf = (known: readonly string[], value: unknown): boolean => known.some((one) => one === value);

/**
 * The ONNX file of a folder in the precision asked for. `auto`: on a CPU int8, which is fastest there, else fp32; fp16 where
 * there is nothing else. Throws `CodescoreError("model")` that says how to make it.
 */
export async function findOnnx(folder: string, precision: Precision = "auto", device = "cpu"): Promise<string> {
  const order = isCpu(device) ? (["int8", "fp32", "fp16"] as const) : (["fp32", "fp16", "int8"] as const);
  const names = (precision === "auto" ? order : [precision]).map((one) => join("onnx", FILES[one]));
  for (const name of names) if (await exists(join(folder, name))) return join(folder, name);
  const wanted = precision === "auto" ? join("onnx", FILES.fp32) : names[0];
  const weights = join(folder, "model.safetensors");
  const remedy = (await exists(weights)) ? "" : whereLeftOut(weights);
  throw new CodescoreError(
    "model",
    `${folder} has no ${wanted}${remedy || `; make it with \`codescore export ${folder}\``}`,
  );
}

/** Models pad their vocabulary to a round number of tokens at most; a wider gap is another tokenizer. */
const PADDING = 128;

/** Throws `CodescoreError("model")` for the tokenizer of another model. */
export function checkVocabulary(tokens: number, { vocabSize }: ScorerConfig, folder: string): void {
  if (tokens <= vocabSize && vocabSize - tokens < PADDING) return;
  throw new CodescoreError(
    "model",
    `${folder}: the tokenizer has ${tokens} tokens, the model ${vocabSize}; they are not of one model`,
  );
}
