/**
 * A training run on disk. The folder is a model at its best step so far (`config.json`, `tokenizer.json`,
 * `model.safetensors`); below `last/` lies what is needed to go on: parameters, moments, step and history.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { CodescoreError } from "../errors.ts";
import { readSafetensors, type Tensors, writeSafetensors } from "../model/index.ts";
import { exists, readJson, writeAtomic } from "../util/files.ts";
import type { AdamW } from "./adamw.ts";
import type { DevResult } from "./develop.ts";

export interface RunState {
  /** Updates made. */
  readonly step: number;
  /** What the run was told; a run with other settings is another run. */
  readonly signature: string;
  readonly best: DevResult | null;
  readonly bestStep: number;
}

/** Copies the parameters off the device. */
export function parametersOnHost(parameters: ReadonlyMap<string, tf.Variable>): Tensors {
  return new Map(
    [...parameters].map(([name, variable]) => [
      name,
      { shape: variable.shape, data: variable.dataSync() as Float32Array },
    ]),
  );
}

/** Puts parameters on the device. */
export function parametersOnDevice(tensors: Tensors): Map<string, tf.Variable> {
  // Inside tidy: a variable copies its tensor, which would stay behind.
  const variable = (data: Float32Array, shape: readonly number[]): tf.Variable =>
    tf.tidy(() => tf.variable(tf.tensor(data, [...shape])));
  return new Map([...tensors].map(([name, { shape, data }]) => [name, variable(data, shape)]));
}

/** Saves a run so that it can go on; the state file is written last and makes the rest valid. */
export async function saveRun(
  out: string,
  parameters: ReadonlyMap<string, tf.Variable>,
  optimizer: AdamW,
  state: RunState,
): Promise<void> {
  const folder = join(out, "last", `step-${state.step}`);
  await writeSafetensors(join(folder, "model.safetensors"), parametersOnHost(parameters));
  await writeSafetensors(join(folder, "optimizer.safetensors"), optimizer.state());
  const path = join(out, "last", "state.json");
  const previous = (await exists(path)) ? ((await readJson(path)) as RunState) : null;
  await writeAtomic(path, JSON.stringify(state));
  if (previous !== null && previous.step !== state.step) {
    await rm(join(out, "last", `step-${previous.step}`), { recursive: true, force: true });
  }
}

/**
 * The run that was left in a folder, or null when there is none.
 * Throws `CodescoreError("usage")` when it was made with other settings.
 */
export async function loadRun(
  out: string,
  signature: string,
): Promise<{ state: RunState; parameters: Tensors; moments: Tensors } | null> {
  const path = join(out, "last", "state.json");
  if (!(await exists(path))) return null;
  const state = (await readJson(path)) as RunState;
  if (state.signature !== signature) {
    throw new CodescoreError(
      "usage",
      `${out} holds a run with other settings or data; give another --output, or remove the folder`,
    );
  }
  const folder = join(out, "last", `step-${state.step}`);
  return {
    state,
    parameters: await readSafetensors(join(folder, "model.safetensors")),
    moments: await readSafetensors(join(folder, "optimizer.safetensors")),
  };
}
