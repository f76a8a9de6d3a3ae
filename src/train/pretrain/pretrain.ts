/**
 * Pretrains an encoder and its tokenizer on Python source as a masked language model (Liu et al. 2019), to give `train` a starting point
 * without the hub. A killed run continues from its last saved state and ends with the same parameters.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { initialise, parameterSpecs } from "../../model/index.ts";
import { writeAtomic } from "../../util/files.ts";
import { locked } from "../../util/lock.ts";
import { AdamW } from "../adamw.ts";
import { loadRun, parametersOnDevice } from "../checkpoint.ts";
import { openDevice } from "../engine/device.ts";
import { graphsFor } from "../engine/graphs.ts";
import type { Speed } from "../flops.ts";
import type { Trainee } from "../step.ts";
import { mlmBatches } from "./batches.ts";
import type { SkipReason } from "./files.ts";
import { type PretrainState, pretrainLoop } from "./loop.ts";
import { mlmHeadSpecs } from "./mlm.ts";
import { type PretrainOptions, type ResolvedPretrainOptions, resolvePretrainOptions } from "./options.ts";
import { type PretrainData, preparePretraining } from "./prepare.ts";
import type { MlmDev } from "./step.ts";

export interface PretrainResult {
  readonly out: string;
  readonly device: string;
  readonly steps: number;
  /** Number of parameters of the model, without the language model's head. */
  readonly parameters: number;
  readonly vocabulary: number;
  readonly trainFiles: number;
  readonly devFiles: number;
  readonly skippedFiles: Readonly<Record<SkipReason, number>>;
  /** Number of tokens in the training files. */
  readonly trainTokens: number;
  readonly best: MlmDev | null;
  readonly bestStep: number;
  /** Speed of the steps made by this call. Null if the run was already finished. */
  readonly speed: Speed | null;
}

/** Trains and returns the result. The model, with untrained heads, is in `options.out`. Only one run at a time may write there. */
export async function pretrain(given: PretrainOptions): Promise<PretrainResult> {
  const options = resolvePretrainOptions(given);
  const device = await openDevice(options.device); // first, so that an unavailable engine is reported before the files are read
  try {
    const { note, ...recording } = await graphsFor(options.steps, options.batchTokens, "auto");
    const result = await locked(options.out, () => run(options, recording));
    return { device: device.note + note, ...result };
  } finally {
    device.close();
  }
}

async function run(
  options: ResolvedPretrainOptions,
  recording: Pick<Trainee, "graphs">,
): Promise<Omit<PretrainResult, "device">> {
  const data = await preparePretraining(options);
  const { config, train, dev } = data;
  const signature = signatureOf(options, data);
  const left = await loadRun<PretrainState>(options.out, signature);
  await writeAtomic(join(options.out, "config.json"), `${JSON.stringify(config, null, 2)}\n`);
  await writeAtomic(join(options.out, "tokenizer.json"), `${JSON.stringify(data.tokenizerFile)}\n`);
  const initial = initialise(config, options.seed, [...parameterSpecs(config), ...mlmHeadSpecs(config)]);
  const trainee: Trainee = { config, parameters: parametersOnDevice(left?.parameters ?? initial), ...recording };
  const optimizer = new AdamW({
    beta2: 0.98, // this and eps as in Liu et al. 2019, section 3.1
    eps: 1e-6,
    weightDecay: options.weightDecay,
    decays: (name) => !/bias$|LayerNorm|layer_norm|^unice\./.test(name),
  });
  if (left !== null) optimizer.restore(left.moments, left.state.step);
  try {
    const start = left?.state ?? { step: 0, signature, best: null, bestStep: 0 };
    const batches = mlmBatches(train, dev, config, options);
    const { state, speed } = await pretrainLoop({ options, trainee, optimizer, batches }, start);
    return {
      out: options.out,
      steps: state.step,
      parameters: parameterSpecs(config).reduce((sum, { name }) => sum + initial.get(name)!.data.length, 0),
      vocabulary: config.vocab_size,
      trainFiles: train.length,
      devFiles: dev.length,
      skippedFiles: data.skipped,
      trainTokens: train.flat().reduce((sum, window) => sum + window.length, 0),
      best: state.best,
      bestStep: state.bestStep,
      speed,
    };
  } finally {
    optimizer.dispose();
    recording.graphs?.dispose();
    tf.dispose([...trainee.parameters.values()]);
  }
}

/** A hash of everything that determines the result of the run, except the engine. */
function signatureOf(
  {
    data: _1,
    out: _2,
    config: _3,
    device: _4,
    quiet: _5,
    signal: _6,
    onStep: _7,
    ...settings
  }: ResolvedPretrainOptions,
  { config, train, dev }: PretrainData,
): string {
  const hash = createHash("sha256").update(JSON.stringify([settings, config]));
  for (const windows of [...train, ...dev]) {
    hash.update(`${windows.length} `);
    for (const window of windows) hash.update(`${window.length} `).update(window);
  }
  return hash.digest("hex");
}
