/** Reads a pack's folder into the arguments of `runPrepared`. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { initialise, readConfig, readSafetensors } from "../../model/index.ts";
import { exists, readJson, sha256 } from "../../util/files.ts";
import type { ResolvedTrainOptions } from "../options.ts";
import type { Prepared } from "../prepare.ts";
import { signatureOf } from "../run.ts";
import { readSets } from "./prepared.ts";
import { PARTS, type RunFile } from "./run-file.ts";

export interface OpenedPack {
  readonly run: RunFile;
  readonly prepared: Prepared;
  /** Bytes of the examples file. */
  readonly bytes: number;
}

/** Throws `CodescoreError("input")` unless everything is as it was packed. */
export async function openPack(folder: string): Promise<OpenedPack> {
  const run = (await readJson(join(folder, PARTS.run))) as RunFile;
  const examples = await readFile(join(folder, PARTS.examples));
  const got = sha256(examples);
  if (got !== run.examplesSha256) {
    throw new CodescoreError(
      "input",
      `${join(folder, PARTS.examples)}: expected the SHA-256 ${run.examplesSha256}, got ${got}; copy the pack again`,
    );
  }
  const model = join(folder, PARTS.model);
  const config = await readConfig(model);
  const weights = join(model, "model.safetensors");
  const tensors = (await exists(weights)) ? await readSafetensors(weights) : null;
  const names = (await readdir(model)).filter((name) => !["model.safetensors", "training.json"].includes(name));
  const files = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(model, name))] as const)),
  );
  const training = await readFile(join(model, "training.json"), "utf8");
  const initial: Prepared["initial"] = (seed) => tensors ?? initialise(config, seed);
  const prepared = { config, files, training, initial, ...readSets(examples) };
  if (signatureOf(optionsOf(run, folder), prepared) !== run.signature) {
    throw new CodescoreError("input", `${folder}: its data differ from what was packed; copy the pack again`);
  }
  return { run, prepared, bytes: examples.length };
}

/** The options of a run that writes into a folder. */
export const optionsOf = ({ options }: RunFile, out: string): ResolvedTrainOptions => ({
  ...options,
  out,
  quiet: false,
});
