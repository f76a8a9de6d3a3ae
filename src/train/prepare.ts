/** What a run needs of its data: rows as token ids, and the model to start from. The rest of training reads no program. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { modulesOf } from "../dataset/index.ts";
import { CodescoreError } from "../errors.ts";
import {
  configOfSize,
  initialise,
  type ModelConfig,
  readConfig,
  readNewConfig,
  readSafetensors,
  type Tensors,
} from "../model/index.ts";
import {
  loadTokenizer,
  type Normalise,
  normaliser,
  Tokenizer,
  type TokenizerFile,
  trainBpe,
} from "../tokenize/index.ts";
import type { LabelledRow } from "../types.ts";
import { exists, readJson } from "../util/files.ts";
import { encodeRows, type LabelledData } from "./encode.ts";
import type { Example } from "./examples.ts";
import type { ResolvedTrainOptions } from "./options.ts";
import { provenance } from "./provenance.ts";

export interface Prepared {
  readonly config: ModelConfig;
  /** What goes into the run's folder beside the parameters, by name. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** `training.json`, what the model has seen; null where the folder has one. */
  readonly training: string | null;
  /** The parameters to start from; the seed makes those of a new model. */
  readonly initial: (seed: number) => Tensors;
  /** A list for each data file. */
  readonly trainSets: readonly (readonly Example[])[];
  readonly devSet: readonly Example[];
}

/**
 * Encodes rows for the model that the options name, a checkpoint's or a new one.
 * @param folder where the run may lie already: what it has of tokenizer and `training.json` stays. null: nowhere
 */
export async function prepare(
  options: ResolvedTrainOptions,
  rows: LabelledData,
  folder: string | null,
): Promise<Prepared> {
  const { config, tokenizer, files, initial } = await prepareModel(options, rows.train.flat(), folder);
  const encoded = async (set: readonly LabelledRow[]): Promise<Example[]> =>
    (await encodeRows(set, tokenizer, config, options.formats)).filter(({ ids }) => Object.keys(ids).length > 0);
  const trainSets: Example[][] = [];
  for (const set of rows.train) trainSets.push(await encoded(set));
  const devSet = await encoded(rows.dev);
  checkSets(options, trainSets, devSet);
  const training = await provenance(rows.train.flat(), options.init, folder);
  return { config, files, training, initial, trainSets, devSet };
}

type Model = Pick<Prepared, "config" | "files" | "initial"> & { readonly tokenizer: Tokenizer };

/** The model to start from: a checkpoint's, or a new one with a vocabulary of the training rows. */
async function prepareModel(
  options: ResolvedTrainOptions,
  rows: readonly LabelledRow[],
  folder: string | null,
): Promise<Model> {
  const { init } = options;
  const textOf = (config: ModelConfig): string => `${JSON.stringify(config, null, 2)}\n`;
  const modules = (await modulesOf(options.data))?.join(" ") ?? null;
  if (init !== null) {
    const { codescore, ...shape } = await readConfig(init);
    const tensors = await readSafetensors(join(init, "model.safetensors"));
    // What these rows' programs could import, not those of the checkpoint's; its trees stay in its folder.
    const config = { ...shape, codescore: { ...codescore, modules: modules ?? codescore.modules, trees: 0 } };
    return {
      config,
      tokenizer: await loadTokenizer(init),
      files: { "config.json": textOf(config), "tokenizer.json": await readFile(join(init, "tokenizer.json")) },
      initial: () => tensors,
    };
  }
  const configOf = async (vocabSize: number): Promise<ModelConfig> => {
    const { codescore, ...shape } =
      options.config === null ? configOfSize(options.size, vocabSize) : await readNewConfig(options.config, vocabSize);
    return { ...shape, codescore: { ...codescore, modules: codescore.modules ?? modules } };
  };
  const path = folder === null ? null : join(folder, "tokenizer.json");
  const file =
    path !== null && (await exists(path))
      ? ((await readJson(path)) as TokenizerFile)
      : trainBpe(await textsOf(rows, (await configOf(1)).codescore.normalise), { vocabSize: options.vocabSize });
  const tokenizer = new Tokenizer(file);
  const config = await configOf(tokenizer.vocabSize);
  const files = { "config.json": textOf(config), "tokenizer.json": `${JSON.stringify(file)}\n` };
  return { config, tokenizer, files, initial: (seed) => initialise(config, seed) };
}

/** What a tokenizer is trained on: programs as the model will read them, and descriptions. */
async function textsOf(rows: readonly LabelledRow[], normalise: Normalise): Promise<Set<string>> {
  const normalised = await normaliser(normalise);
  const programs = new Set<string>();
  const texts = new Set<string>();
  for (const { candidate, reference, description } of rows) {
    programs.add(candidate);
    if (reference !== null) programs.add(reference);
    if (description !== null) texts.add(description);
  }
  for (const program of programs) texts.add(normalised(program));
  return texts;
}

/** Every data file must bring rows in the formats asked for, and what goes by the dev score needs rows for it. */
function checkSets(
  options: ResolvedTrainOptions,
  sets: readonly (readonly Example[])[],
  dev: readonly Example[],
): void {
  sets.forEach((set, i) => {
    if (set.length > 0) return;
    throw new CodescoreError(
      "input",
      `expected rows of ${options.data[i]} to train on in one of ${options.formats.join(", ")}, got none`,
    );
  });
  const needs = options.earlyStop > 0 ? "early stopping" : options.schedule === "plateau" ? "schedule plateau" : null;
  if (needs !== null && dev.length < 2) {
    throw new CodescoreError(
      "usage",
      `expected dev rows for ${needs}, got ${dev.length}; give files with --dev, or a larger share of the problems`,
    );
  }
}
