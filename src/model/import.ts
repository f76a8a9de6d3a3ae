/** Makes a UniCE checkpoint out of a Hugging Face RoBERTa or UniXcoder folder: its encoder and tokenizer, new heads. */
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { exists, readJson, writeAtomic } from "../util/files.ts";
import { checkConfig, IMPORTED, type UniceConfig } from "./config.ts";
import { initialise, type Tensors } from "./parameters.ts";
import { readSafetensors, writeSafetensors } from "./safetensors.ts";

export interface ImportResult {
  readonly out: string;
  /** Parameters taken from the folder. */
  readonly taken: number;
  /** Names of parameters that start anew: the layer mix, the channels, the heads. */
  readonly fresh: readonly string[];
}

/**
 * Reads `config.json`, `tokenizer.json` and `model.safetensors` of `folder` and writes a checkpoint to `out`.
 * Throws `CodescoreError("model")` when a file or a parameter is missing or of another shape.
 */
export async function importEncoder(
  folder: string,
  out: string,
  unice: Partial<UniceConfig> = {},
  seed = 0,
): Promise<ImportResult> {
  for (const name of ["config.json", "tokenizer.json", "model.safetensors"]) {
    if (!(await exists(join(folder, name)))) {
      throw new CodescoreError(
        "model",
        `${folder} has no ${name}: expected a Hugging Face folder with config.json, tokenizer.json and model.safetensors`,
      );
    }
  }
  const raw = (await readJson(join(folder, "config.json"))) as Record<string, unknown>;
  const config = checkConfig({ ...raw, codescore: { ...IMPORTED, ...unice } }, join(folder, "config.json"));
  const found = unprefixed(await readSafetensors(join(folder, "model.safetensors")));
  const fresh: string[] = [];
  const tensors: Tensors = new Map();
  for (const [name, start] of initialise(config, seed)) {
    const tensor = found.get(name);
    if (tensor === undefined && !name.startsWith("unice.")) {
      throw new CodescoreError("model", `${folder}: model.safetensors lacks ${name}; it is not a RoBERTa encoder`);
    }
    if (tensor !== undefined && `${tensor.shape}` !== `${start.shape}`) {
      throw new CodescoreError("model", `${folder}: expected ${name} of shape [${start.shape}], got [${tensor.shape}]`);
    }
    if (tensor === undefined) fresh.push(name);
    tensors.set(name, tensor ?? start);
  }
  await mkdir(out, { recursive: true });
  await copyFile(join(folder, "tokenizer.json"), join(out, "tokenizer.json"));
  await writeAtomic(join(out, "config.json"), `${JSON.stringify(config, null, 2)}\n`);
  await writeSafetensors(join(out, "model.safetensors"), tensors);
  return { out, taken: tensors.size - fresh.length, fresh };
}

/** Checkpoints with a language-model head keep the encoder under `roberta.`. */
function unprefixed(tensors: Tensors): Tensors {
  return new Map([...tensors].map(([name, tensor]) => [name.replace(/^roberta\./, ""), tensor]));
}
