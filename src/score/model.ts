/** Where a scoring model lies, and whether it is whole. */
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import type { ModelConfig } from "../model/config.ts";
import { isCpu } from "../onnx/index.ts";
import { exists, packageRoot } from "../util/files.ts";
import { whereLeftOut } from "../util/shipped.ts";

/** The models that come with the package, best first: `CodeScorer.load("small")`. */
const SHIPPED = ["small", "tiny"] as const;

/** What is loaded where no model is named: the first that is there. */
const DEFAULTS = SHIPPED.map(shippedFolder);

export const PRECISIONS = ["auto", "fp32", "fp16", "int8"] as const;

/** A form of the network: 32-bit floats, 16-bit floats, or 8-bit weights; `auto` takes what suits the device. */
export type Precision = (typeof PRECISIONS)[number];

const FILES = { fp32: "model.onnx", fp16: "model_fp16.onnx", int8: "model_quantized.onnx" } as const;

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
export function checkVocabulary(tokens: number, { vocab_size: vocabSize }: ModelConfig, folder: string): void {
  if (tokens <= vocabSize && vocabSize - tokens < PADDING) return;
  throw new CodescoreError(
    "model",
    `${folder}: the tokenizer has ${tokens} tokens, the model ${vocabSize}; they are not of one model`,
  );
}
