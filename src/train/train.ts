/**
 * Trains UniCE: L_Uni over the input formats in every step, AdamW with warm-up and cosine, the best step on problems kept
 * aside. A killed run goes on where its last evaluation left it and ends with the same parameters.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import {
  configOfSize,
  initialise,
  type ModelConfig,
  readConfig,
  readSafetensors,
  type Tensors,
} from "../model/index.ts";
import { loadTokenizer, stripPython, Tokenizer, type TokenizerFile, trainBpe } from "../tokenize/index.ts";
import type { LabelledRow } from "../types.ts";
import { exists, readJson, writeAtomic } from "../util/files.ts";
import { AdamW } from "./adamw.ts";
import { loadRun, parametersOnDevice } from "./checkpoint.ts";
import type { DevResult } from "./develop.ts";
import { openDevice } from "./device.ts";
import { type Example, encodeRows, readRows } from "./examples.ts";
import { trainLoop } from "./loop.ts";
import { type ResolvedTrainOptions, resolveTrainOptions, type TrainOptions } from "./options.ts";
import type { Trainee } from "./step.ts";

export interface TrainResult {
  readonly out: string;
  readonly device: string;
  readonly steps: number;
  readonly parameters: number;
  readonly trainRows: number;
  readonly devRows: number;
  readonly best: DevResult | null;
  readonly bestStep: number;
}

/** Trains and returns what came of it; the model lies in `options.out`. */
export async function train(given: TrainOptions): Promise<TrainResult> {
  const options = resolveTrainOptions(given);
  const rows = await readRows(options.data, options.dev, options.devShare, options.seed);
  const device = await openDevice(options.device);
  const { config, tokenizer, initial } = await prepareModel(options, rows.train);
  const trainSet = encodeRows(rows.train, tokenizer, config, options.formats).filter(
    ({ ids }) => Object.keys(ids).length > 0,
  );
  const devSet = encodeRows(rows.dev, tokenizer, config, options.formats);
  const signature = signatureOf(options, config, trainSet);
  const left = await loadRun(options.out, signature);
  const trainee: Trainee = { config, parameters: parametersOnDevice(left?.parameters ?? initial) };
  const optimizer = new AdamW({
    weightDecay: options.weightDecay,
    decays: (name) => !/bias$|LayerNorm|^unice\.(scalars|gamma|part|cover)/.test(name),
  });
  if (left !== null) optimizer.restore(left.moments, left.state.step);
  try {
    const start = left?.state ?? { step: 0, signature, best: null, bestStep: 0 };
    const state = await trainLoop({ options, trainee, optimizer, trainSet, devSet }, start);
    return {
      out: options.out,
      device: device.note,
      steps: state.step,
      parameters: [...initial.values()].reduce((sum, { data }) => sum + data.length, 0),
      trainRows: trainSet.length,
      devRows: devSet.length,
      best: state.best,
      bestStep: state.bestStep,
    };
  } finally {
    optimizer.dispose();
    tf.dispose([...trainee.parameters.values()]);
  }
}

interface Prepared {
  readonly config: ModelConfig;
  readonly tokenizer: Tokenizer;
  readonly initial: Tensors;
}

/** The model to start from: a checkpoint's, or a new one with a vocabulary of the training rows. */
async function prepareModel(options: ResolvedTrainOptions, rows: readonly LabelledRow[]): Promise<Prepared> {
  const { out, init } = options;
  if (init !== null) {
    const config = await readConfig(init);
    await writeAtomic(join(out, "config.json"), `${JSON.stringify(config, null, 2)}\n`);
    await writeAtomic(join(out, "tokenizer.json"), await readFile(join(init, "tokenizer.json")));
    return {
      config,
      tokenizer: await loadTokenizer(init),
      initial: await readSafetensors(join(init, "model.safetensors")),
    };
  }
  const path = join(out, "tokenizer.json");
  const file = (await exists(path))
    ? ((await readJson(path)) as TokenizerFile)
    : trainBpe(textsOf(rows), { vocabSize: options.vocabSize });
  const tokenizer = new Tokenizer(file);
  const config = configOfSize(options.size, tokenizer.vocabSize);
  await writeAtomic(path, `${JSON.stringify(file)}\n`);
  await writeAtomic(join(out, "config.json"), `${JSON.stringify(config, null, 2)}\n`);
  return { config, tokenizer, initial: initialise(config, options.seed) };
}

function textsOf(rows: readonly LabelledRow[]): Set<string> {
  const texts = new Set<string>();
  for (const { candidate, reference, description } of rows) {
    texts.add(stripPython(candidate));
    if (reference !== null) texts.add(stripPython(reference));
    if (description !== null) texts.add(description);
  }
  return texts;
}

/** A hash of everything that decides what the run computes, but for the engine. */
function signatureOf(options: ResolvedTrainOptions, config: ModelConfig, examples: readonly Example[]): string {
  const { data: _1, dev: _2, out: _3, device: _4, quiet: _5, signal: _6, onStep: _7, ...settings } = options;
  const hash = createHash("sha256").update(JSON.stringify([settings, config]));
  for (const example of examples) hash.update(JSON.stringify(example));
  return hash.digest("hex");
}
