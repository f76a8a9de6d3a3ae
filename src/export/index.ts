/** Exports a checkpoint folder's network as ONNX, in three forms, with a model card. */
import { copyFile, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CodescoreError } from "../errors.ts";
import {
  type ModelConfig,
  parameterSpecs,
  readConfig,
  readSafetensors,
  readScorerConfig,
  type Tensors,
  writeSafetensors,
} from "../model/index.ts";
import { loadTokenizer } from "../tokenize/index.ts";
import type { ScoreInput } from "../types.ts";
import { exists, packageVersion, writeAtomic } from "../util/files.ts";
import { activationRanges } from "./calibrate.ts";
import { writeCard } from "./card.ts";
import { buildGraph } from "./graph.ts";
import { HalfOps } from "./half-ops.ts";
import { Int8Ops } from "./int8-ops.ts";
import { OnnxOps } from "./onnx-ops.ts";

/** The forms of an exported network and their files under `onnx/`, named as transformers.js expects them. */
export const FORMS = { fp32: "model.onnx", fp16: "model_fp16.onnx", int8: "model_quantized.onnx" } as const;

export type Form = keyof typeof FORMS;

export interface ExportOptions {
  /** @default all */
  readonly forms?: readonly Form[];
  /**
   * Rows like those to be scored, to choose the scales of the 8-bit form: up to 128 of them are used, evenly spread.
   * @default solutions of the starter problems
   */
  readonly rows?: readonly ScoreInput[];
  /** Another folder to write to. It gets a copy of the model with weights rounded to half precision, which is half as large to ship. */
  readonly to?: string;
}

/**
 * Reads `config.json` and `model.safetensors` of a folder (and `tokenizer.json`, for int8). Writes the forms under `onnx/`, the card as
 * `README.md` unless a person wrote that file, and a `tokenizer_config.json` if there is none. A folder without a network gets only its card.
 * Returns the files written. Throws `CodescoreError("model")` if the folder is not a checkpoint or lacks parameters.
 */
export async function exportOnnx(
  folder: string,
  { forms = Object.keys(FORMS) as Form[], rows, to }: ExportOptions = {},
): Promise<string[]> {
  if (to !== undefined) {
    await copyHalved(folder, to);
    return exportOnnx(to, { forms, ...(rows && { rows }) });
  }
  const read = await readScorerConfig(folder);
  if (read.shape === null) return [await writeCard(folder, read, null)].filter((path) => path !== null);
  const config = read.shape;
  const tensors = await readSafetensors(join(folder, "model.safetensors"));
  checkParameters(config, tensors, folder);
  const version = await packageVersion();
  const written: string[] = [];
  for (const form of forms) {
    const path = join(folder, "onnx", FORMS[form]);
    await writeAtomic(path, buildGraph(await opsOf(form), config, version));
    written.push(path);
  }
  const others = [await writeTokenizerConfig(folder, config), await writeCard(folder, config, tensors)];
  return [...written, ...others.filter((path) => path !== null)];

  async function opsOf(form: Form): Promise<OnnxOps> {
    if (form === "fp32") return new OnnxOps(tensors, config);
    if (form === "fp16") return new HalfOps(tensors, config);
    return new Int8Ops(tensors, config, await activationRanges(folder, config, tensors, rows));
  }
}

/** Copies the files of a trained model, with weights in half precision. The export then uses these weights. */
async function copyHalved(folder: string, to: string): Promise<void> {
  if (resolve(folder) === resolve(to)) {
    throw new CodescoreError("usage", `the half-precision model needs another folder than ${folder}`);
  }
  const config = await readConfig(folder);
  const tensors = await readSafetensors(join(folder, "model.safetensors"));
  checkParameters(config, tensors, folder);
  await mkdir(to, { recursive: true });
  for (const name of ["config.json", "tokenizer.json", "trees.safetensors", "training.json", "metrics.json"]) {
    if (await exists(join(folder, name))) await copyFile(join(folder, name), join(to, name));
  }
  await writeSafetensors(join(to, "model.safetensors"), tensors, {}, "F16");
}

/** Tokenizer classes of transformers that match these names of special tokens. */
const TOKENIZER_CONFIGS = {
  "<s>": {
    tokenizer_class: "RobertaTokenizer",
    ...{ bos_token: "<s>", eos_token: "</s>", pad_token: "<pad>", unk_token: "<unk>", mask_token: "<mask>" },
  },
  "[CLS]": {
    tokenizer_class: "PreTrainedTokenizerFast",
    ...{ cls_token: "[CLS]", sep_token: "[SEP]", pad_token: "[PAD]", unk_token: "[UNK]", mask_token: "[MASK]" },
  },
} as const;

/** Writes the file that transformers and transformers.js need besides `tokenizer.json`. Null if it exists, or if there is no tokenizer. */
async function writeTokenizerConfig(folder: string, { codescore }: ModelConfig): Promise<string | null> {
  const path = join(folder, "tokenizer_config.json");
  if ((await exists(path)) || !(await exists(join(folder, "tokenizer.json")))) return null;
  const name = (await loadTokenizer(folder)).nameOf("start");
  const tokens = TOKENIZER_CONFIGS[name === "[CLS]" ? name : "<s>"];
  const config = { ...tokens, model_max_length: codescore.max_length };
  await writeAtomic(path, `${JSON.stringify(config, null, 2)}\n`);
  return path;
}

function checkParameters(config: ModelConfig, tensors: Tensors, folder: string): void {
  for (const { name, shape } of parameterSpecs(config)) {
    const found = tensors.get(name);
    const came = found === undefined ? "nothing" : `[${found.shape}]`;
    if (came !== `[${shape}]`) {
      throw new CodescoreError("model", `${folder}: expected the parameter ${name} of shape [${shape}], got ${came}`);
    }
  }
}

export { buildGraph } from "./graph.ts";
export { OnnxOps } from "./onnx-ops.ts";
