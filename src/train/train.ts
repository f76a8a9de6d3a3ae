/**
 * Trains UniCE: L_Uni over the input formats in every step, AdamW with warm-up and cosine, the best step on problems kept
 * aside. A killed run goes on where its last evaluation left it and ends with the same parameters.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
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
import { exists, readJson, writeAtomic } from "../util/files.ts";
import { locked } from "../util/lock.ts";
import { AdamW } from "./adamw.ts";
import { loadRun, parametersOnDevice } from "./checkpoint.ts";
import type { DevResult } from "./develop.ts";
import { openDevice } from "./engine/device.ts";
import { graphsFor } from "./engine/graphs.ts";
import { type Example, encodeRows, longestOf, readRows } from "./examples.ts";
import type { Speed } from "./flops.ts";
import { parameterGroups } from "./groups.ts";
import { isExhausted, trainLoop } from "./loop.ts";
import { withBatchThatFits } from "./memory.ts";
import { type ResolvedTrainOptions, resolveTrainOptions, type TrainOptions } from "./options.ts";
import { provenance } from "./provenance.ts";
import { noPlateau } from "./schedule.ts";
import { batchSequence } from "./sequence.ts";
import type { Trainee } from "./step.ts";

export interface TrainResult {
  readonly out: string;
  readonly device: string;
  readonly steps: number;
  /** Whether it was the dev score that ended the run. */
  readonly stoppedEarly: boolean;
  readonly parameters: number;
  readonly trainRows: number;
  readonly devRows: number;
  readonly best: DevResult | null;
  readonly bestStep: number;
  /** Of the steps made now; null when the run had been over already. */
  readonly speed: Speed | null;
}

/** Trains and returns what came of it; the model lies in `options.out`, which one run at a time may write. */
export async function train(given: TrainOptions): Promise<TrainResult> {
  const options = resolveTrainOptions(given);
  return locked(options.out, () => run(options));
}

async function run(options: ResolvedTrainOptions): Promise<TrainResult> {
  const rows = await readRows(options.data, options.dev, options.devShare);
  const device = await openDevice(options.device);
  const { config, tokenizer, files, initial } = await prepareModel(options, rows.train.flat());
  const encoded = async (set: readonly LabelledRow[]): Promise<Example[]> =>
    (await encodeRows(set, tokenizer, config, options.formats)).filter(({ ids }) => Object.keys(ids).length > 0);
  const trainSets: Example[][] = [];
  for (const set of rows.train) trainSets.push(await encoded(set));
  const trainSet = trainSets.flat();
  const devSet = await encoded(rows.dev);
  checkSets(options, trainSets, devSet);
  const signature = signatureOf(options, config, trainSets, devSet);
  const left = await loadRun(options.out, signature);
  // Not before: a folder with a run of other settings must stay as it is.
  for (const [name, content] of Object.entries(files)) await writeAtomic(join(options.out, name), content);
  const seen = await provenance(rows.train.flat(), options.init, options.out);
  if (seen !== null) await writeAtomic(join(options.out, "training.json"), seen);
  const batches = batchSequence(
    options,
    trainSet,
    trainSets.map(({ length }) => length),
  );
  const frozenUpdates = Math.ceil((options.frozenEpochs * batches.epochLength) / options.accumulate);
  const { note, ...recording } = await graphsFor(options.steps, options.batchTokens, options.precision);
  const trainee: Trainee = { config, parameters: parametersOnDevice(left?.parameters ?? initial), ...recording };
  const averages = options.ema > 0 ? parametersOnDevice(left?.averages ?? initial) : null;
  const optimizer = new AdamW({
    ...parameterGroups(options, config.num_hidden_layers, frozenUpdates),
    weightDecay: options.weightDecay,
    decays: (name) => !/bias$|LayerNorm|^unice\.(scalars|gamma|part|cover|mark)/.test(name),
  });
  if (left !== null) optimizer.restore(left.moments, left.state.step);
  try {
    const start = left?.state ?? { step: 0, signature, best: null, bestStep: 0, withoutGain: 0, plateau: noPlateau };
    const longest = trainSet.reduce((most, example) => Math.max(most, longestOf(example)), 0);
    const parts = { options, trainee, averages, optimizer, batches, devSet };
    const { state, speed } = await trainLoop(parts, start).catch((error: unknown) => {
      throw withBatchThatFits(error, config, { ...options, length: longest });
    });
    return {
      out: options.out,
      device: device.note + note,
      steps: state.step,
      stoppedEarly: isExhausted(state, options),
      parameters: [...initial.values()].reduce((sum, { data }) => sum + data.length, 0),
      trainRows: trainSet.length,
      devRows: devSet.length,
      best: state.best,
      bestStep: state.bestStep,
      speed,
    };
  } finally {
    optimizer.dispose();
    trainee.graphs?.dispose();
    tf.dispose([...trainee.parameters.values(), ...(averages?.values() ?? [])]);
    device.close();
  }
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

interface Prepared {
  readonly config: ModelConfig;
  readonly tokenizer: Tokenizer;
  /** What goes into the run's folder beside the parameters, by name. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly initial: Tensors;
}

/** The model to start from: a checkpoint's, or a new one with a vocabulary of the training rows. */
async function prepareModel(options: ResolvedTrainOptions, rows: readonly LabelledRow[]): Promise<Prepared> {
  const { out, init } = options;
  const textOf = (config: ModelConfig): string => `${JSON.stringify(config, null, 2)}\n`;
  const modules = (await modulesOf(options.data))?.join(" ") ?? null;
  if (init !== null) {
    const { codescore, ...shape } = await readConfig(init);
    // What these rows' programs could import, not those of the checkpoint's; its trees stay in its folder.
    const config = { ...shape, codescore: { ...codescore, modules: modules ?? codescore.modules, trees: 0 } };
    return {
      config,
      tokenizer: await loadTokenizer(init),
      files: { "config.json": textOf(config), "tokenizer.json": await readFile(join(init, "tokenizer.json")) },
      initial: await readSafetensors(join(init, "model.safetensors")),
    };
  }
  const configOf = async (vocabSize: number): Promise<ModelConfig> => {
    const { codescore, ...shape } =
      options.config === null ? configOfSize(options.size, vocabSize) : await readNewConfig(options.config, vocabSize);
    return { ...shape, codescore: { ...codescore, modules: codescore.modules ?? modules } };
  };
  const path = join(out, "tokenizer.json");
  const file = (await exists(path))
    ? ((await readJson(path)) as TokenizerFile)
    : trainBpe(await textsOf(rows, (await configOf(1)).codescore.normalise), { vocabSize: options.vocabSize });
  const tokenizer = new Tokenizer(file);
  const config = await configOf(tokenizer.vocabSize);
  const files = { "config.json": textOf(config), "tokenizer.json": `${JSON.stringify(file)}\n` };
  return { config, tokenizer, files, initial: initialise(config, options.seed) };
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

/** A hash of everything that decides what the run computes, but for the engine. */
function signatureOf(
  options: ResolvedTrainOptions,
  config: ModelConfig,
  sets: readonly (readonly Example[])[],
  dev: readonly Example[],
): string {
  const {
    data: _1,
    dev: _2,
    out: _3,
    device: _4,
    quiet: _5,
    signal: _6,
    onStep: _7,
    config: _8,
    ...settings
  } = options;
  const sizes = options.mix === null ? null : sets.map(({ length }) => length);
  const hash = createHash("sha256").update(JSON.stringify([settings, config, sizes]));
  for (const example of [...sets.flat(), null, ...dev]) hash.update(JSON.stringify(example));
  return hash.digest("hex");
}
