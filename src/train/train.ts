/**
 * Trains UniCE: L_Uni over the input formats in every step, AdamW with warm-up and cosine. Keeps the parameters of the step that is best on
 * held-out problems. A killed run continues from its last saved state and ends with the same parameters.
 */
import { locked } from "../util/lock.ts";
import { readRows } from "./encode.ts";
import { openDevice } from "./engine/device.ts";
import { type ResolvedTrainOptions, resolveTrainOptions, type TrainOptions } from "./options.ts";
import { prepare } from "./prepare.ts";
import { runPrepared, type TrainResult } from "./run.ts";

/** Trains and returns the result. The model is in `options.out`. Only one run at a time may write there. */
export async function train(given: TrainOptions): Promise<TrainResult> {
  const options = resolveTrainOptions(given);
  return locked(options.out, () => run(options));
}

async function run(options: ResolvedTrainOptions): Promise<TrainResult> {
  const rows = await readRows(options.data, options.dev, options.devShare);
  const device = await openDevice(options.device);
  try {
    return await runPrepared(options, await prepare(options, rows, options.out), device);
  } finally {
    device.close();
  }
}
