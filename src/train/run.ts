/** A run on prepared data, from its initial parameters, or from the state that an earlier process saved, to the finished model. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { writeAtomic } from "../util/files.ts";
import { AdamW } from "./adamw.ts";
import { loadRun, parametersOnDevice } from "./checkpoint.ts";
import type { DevResult } from "./develop.ts";
import type { OpenedDevice } from "./engine/device.ts";
import { graphsFor } from "./engine/graphs.ts";
import { longestOf } from "./examples.ts";
import type { Speed } from "./flops.ts";
import { parameterGroups } from "./groups.ts";
import { isExhausted, trainLoop } from "./loop.ts";
import { withBatchThatFits } from "./memory.ts";
import type { ResolvedTrainOptions } from "./options.ts";
import type { Prepared } from "./prepare.ts";
import { noPlateau } from "./schedule.ts";
import { batchSequence } from "./sequence.ts";
import type { Trainee } from "./step.ts";

export interface TrainResult {
  readonly out: string;
  readonly device: string;
  readonly steps: number;
  /** Whether early stopping on the dev score ended the run. */
  readonly stoppedEarly: boolean;
  readonly parameters: number;
  readonly trainRows: number;
  readonly devRows: number;
  readonly best: DevResult | null;
  readonly bestStep: number;
  /** The figure of `best` that selects the step: r_s with PassRatio on the dev rows. */
  readonly bestBy: "spearman";
  /** Speed of the steps made by this call. Null if the run was already finished. */
  readonly speed: Speed | null;
}

/** Trains on an open engine and returns the result. The model is in `options.out`. */
export async function runPrepared(
  options: ResolvedTrainOptions,
  prepared: Prepared,
  device: OpenedDevice,
): Promise<TrainResult> {
  const { config, files, training, trainSets, devSet } = prepared;
  const trainSet = trainSets.flat();
  const signature = signatureOf(options, prepared);
  const left = await loadRun(options.out, signature);
  // Only now, because loadRun throws if the folder holds a run with other settings, and such a folder must stay unchanged.
  for (const [name, content] of Object.entries(files)) await writeAtomic(join(options.out, name), content);
  if (training !== null) await writeAtomic(join(options.out, "training.json"), training);
  const initial = prepared.initial(options.seed);
  const batches = batchSequence(
    options,
    trainSet,
    trainSets.map(({ length }) => length),
  );
  const frozenUpdates = Math.ceil((options.frozenEpochs * batches.epochLength) / options.accumulate);
  const { note, ...recording } = await graphsFor(options.steps, options.batchTokens, options.precision);
  const trainee: Trainee = { config, parameters: parametersOnDevice(left?.parameters ?? initial), ...recording };
  const averages = options.ema > 0 ? parametersOnDevice(left?.averages ?? initial) : null;
  const optimizer = makeOptimizer(options, config.num_hidden_layers, frozenUpdates);
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
      bestBy: "spearman",
      speed,
    };
  } finally {
    optimizer.dispose();
    trainee.graphs?.dispose();
    tf.dispose([...trainee.parameters.values(), ...(averages?.values() ?? [])]);
  }
}

/** The AdamW optimizer for a run with these options. */
export const makeOptimizer = (options: ResolvedTrainOptions, layers: number, frozenUpdates: number): AdamW =>
  new AdamW({
    ...parameterGroups(options, layers, frozenUpdates),
    weightDecay: options.weightDecay,
    decays: (name) => !/bias$|LayerNorm|^unice\.(scalars|gamma|part|cover|mark)/.test(name),
  });

/** A hash of everything that determines the result of the run, except the engine. */
export function signatureOf(
  options: ResolvedTrainOptions,
  { config, trainSets, devSet }: Pick<Prepared, "config" | "trainSets" | "devSet">,
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
  const sizes = options.mix === null ? null : trainSets.map(({ length }) => length);
  const hash = createHash("sha256").update(JSON.stringify([settings, config, sizes]));
  for (const example of [...trainSets.flat(), null, ...devSet]) hash.update(JSON.stringify(example));
  return hash.digest("hex");
}
