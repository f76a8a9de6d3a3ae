/** Measures how fast a box trains: steps of the run itself, and one matrix product, which shows the most that its engine can do. */
import * as tf from "@tensorflow/tfjs";
import { parametersOnDevice } from "../checkpoint.ts";
import { graphsFor } from "../engine/graphs.ts";
import { type Speed, SpeedMeter } from "../flops.ts";
import type { ResolvedTrainOptions } from "../options.ts";
import type { Prepared } from "../prepare.ts";
import { makeOptimizer } from "../run.ts";
import { batchSequence } from "../sequence.ts";
import { type Trainee, trainStep } from "../step.ts";

export interface Bench {
  readonly speed: Speed;
  readonly steps: number;
  readonly secondsPerStep: number;
  /** [rows, tokens] of each pass through the network in a step. */
  readonly passes: readonly (readonly [number, number])[];
}

/** Repeats a step on the run's first batches for a number of seconds. The first step, which compiles, is not counted. */
export async function benchSteps(options: ResolvedTrainOptions, prepared: Prepared, seconds: number): Promise<Bench> {
  const { config, trainSets } = prepared;
  const sizes = trainSets.map(({ length }) => length);
  const sequence = batchSequence(options, trainSets.flat(), sizes);
  const batches = Array.from({ length: options.accumulate }, (_, i) => sequence.at(i));
  const { note: _, ...recording } = await graphsFor(options.steps, options.batchTokens, options.precision);
  const parameters = parametersOnDevice(prepared.initial(options.seed));
  const trainee: Trainee = { config, parameters, ...recording };
  const optimizer = makeOptimizer(options, config.num_hidden_layers, 0);
  const meter = new SpeedMeter(config);
  const rows = batches.flat().length;
  let steps = 0;
  let spent = 0;
  try {
    for (let step = 1; step === 1 || steps === 0 || spent < seconds; step++) {
      const began = performance.now();
      const { tokens } = await trainStep(trainee, optimizer, batches, { ...options, step });
      if (step === 1) continue;
      const took = (performance.now() - began) / 1000;
      meter.add({ rows, tokens, seconds: took });
      spent += took;
      steps += 1;
    }
  } finally {
    optimizer.dispose();
    trainee.graphs?.dispose();
    tf.dispose([...parameters.values()]);
  }
  const passes = batches.flatMap((batch) =>
    options.formats.flatMap((format) => {
      const lengths = batch.flatMap(({ ids }) => ids[format]?.length ?? []);
      return lengths.length === 0 ? [] : [[lengths.length, Math.max(...lengths)] as const];
    }),
  );
  return { speed: meter.speed!, steps, secondsPerStep: spent / steps, passes };
}

/** Measures a product of two square float32 matrices, in 1e9 operations per second. The first one is not counted. */
export async function matmulGigaflops(size: number, seconds: number): Promise<number> {
  const [a, b] = tf.tidy(() => [tf.randomUniform([size, size]), tf.randomUniform([size, size])] as const);
  const product = async (): Promise<void> => {
    const one = tf.tidy(() => tf.slice(tf.matMul(a, b), [0, 0], [1, 1]));
    await one.data();
    tf.dispose(one);
  };
  try {
    await product();
    let products = 0;
    const began = performance.now();
    while (products === 0 || performance.now() - began < seconds * 1000) {
      await product();
      products += 1;
    }
    return (products * 2 * size ** 3) / ((performance.now() - began) / 1000) / 1e9;
  } finally {
    tf.dispose([a, b]);
  }
}
