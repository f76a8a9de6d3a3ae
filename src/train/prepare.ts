/** Prepares a run: rows as token ids, and the model to start from. No other part of training reads programs. */
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
  /** Files to write into the run's folder next to the parameters, by name. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Content of `training.json`, which describes the training data. Null if the folder already has the file. */
  readonly training: string | null;
  /** The initial parameters. The seed determines those of a new model. */
  readonly initial: (seed: number) => Tensors;
  /** One list per data file. */
  readonly trainSets: readonly (readonly Example[])[];
  readonly devSet: readonly Example[];
}

/**
 * Encodes rows for the model that the options select, a checkpoint's or a new one.
 * @param folder an existing run's folder, whose tokenizer and `training.json` are kept. null: there is none
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

/** The model to start from: a checkpoint's, or a new one with a vocabulary trained on the training rows. */
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
    // The modules that these rows' programs could import, not the checkpoint's. The checkpoint's trees are not copied.
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

/** The training texts of a tokenizer: programs as the model will read them, and descriptions. */
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

/** Checks that every data file has rows in the requested formats, and that settings that depend on the dev score have dev rows. */
function checkSets(
  options: ResolvedTrainOptions,
  sets: readonly (readonly Example[])[],
  dev: readonly Example[],
): void {
  sets.forEach((set, i) => {
    if (set.length > 0) return;
    throw new CodescoreError(
      "input",
      `expected rows in ${options.data[i]} with a format among ${options.formats.join(", ")}, got none`,
    );
  });
  const needs = options.earlyStop > 0 ? "early stopping" : options.schedule === "plateau" ? "schedule plateau" : null;
  if (needs !== null && dev.length < 2) {
    throw new CodescoreError(
      "usage",
      `expected dev rows for ${needs}, got ${dev.length}; set --dev FILES (or a larger \`devShare\`)`,
    );
  }
}
