/**
 * Trains UniCE: L_Uni over the input formats in every step, AdamW with warm-up and cosine, the best step on problems kept
 * aside. A killed run goes on where its last evaluation left it and ends with the same parameters.
 */
import { locked } from "../util/lock.ts";
import { readRows } from "./encode.ts";
import { openDevice } from "./engine/device.ts";
import { type ResolvedTrainOptions, resolveTrainOptions, type TrainOptions } from "./options.ts";
import { prepare } from "./prepare.ts";
import { runPrepared, type TrainResult } from "./run.ts";

/** Trains and returns what came of it; the model lies in `options.out`, which one run at a time may write. */
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
