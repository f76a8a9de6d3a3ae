/** Finds a scoring model and checks that it is complete. */
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import type { ModelConfig } from "../model/config.ts";
import { isCpu } from "../onnx/index.ts";
import { exists, packageRoot } from "../util/files.ts";
import { whereLeftOut } from "../util/shipped.ts";

/** The models that come with the package, best first: `CodeScorer.load("tiny")`. */
const SHIPPED = ["tiny", "small"] as const;

/** Folders to try if no model is named, best first. */
const DEFAULTS = SHIPPED.map(shippedFolder);

export const PRECISIONS = ["auto", "fp32", "fp16", "int8"] as const;

/** Number format of the network: 32-bit floats, 16-bit floats, or 8-bit weights. `auto` picks the best one for the device. */
export type Precision = (typeof PRECISIONS)[number];

const FILES = { fp32: "model.onnx", fp16: "model_fp16.onnx", int8: "model_quantized.onnx" } as const;

function shippedFolder(name: string): string {
  return join(packageRoot, "models", `codescore-${name}`);
}

/**
 * The folder of a model, given its path or the name of a shipped model (`./small` is a path). Without `model`, the default model. Throws
 * `CodescoreError("model")` if there is none.
 */
export async function findModel(model?: string): Promise<string> {
  const candidates =
    model === undefined ? DEFAULTS : [SHIPPED.some((name) => name === model) ? shippedFolder(model) : model];
  for (const folder of candidates)
    if (await exists(model === undefined ? join(folder, "config.json") : folder)) return folder;
  const remedy = "set --model DIR, or train a model with `npm run quickstart`";
  if (model === undefined) throw new CodescoreError("model", `no model in ${join(packageRoot, "models")}; ${remedy}`);
  throw new CodescoreError("model", `no model folder at ${model}; the shipped models are ${SHIPPED.join(", ")}`);
}

/**
 * The ONNX file of a folder in the requested precision. `auto`: int8 on a CPU, where it is fastest, otherwise fp32; if the first choice is
 * missing, the next of the other two that exists. Throws `CodescoreError("model")` with a message that says how to make the file.
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
    `${folder} has no ${wanted}${remedy || `; create it with \`codescore export ${folder}\``}`,
  );
}

/** Models pad their vocabulary to a round number, by fewer tokens than this. A wider gap means another model's tokenizer. */
const PADDING = 128;

/** Throws `CodescoreError("model")` if the tokenizer belongs to another model. */
export function checkVocabulary(tokens: number, { vocab_size: vocabSize }: ModelConfig, folder: string): void {
  if (tokens <= vocabSize && vocabSize - tokens < PADDING) return;
  throw new CodescoreError(
    "model",
    `${folder}: the tokenizer has ${tokens} tokens, the model ${vocabSize}; they belong to different models`,
  );
}
