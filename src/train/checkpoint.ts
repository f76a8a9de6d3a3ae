/**
 * A training run on disk. The folder is a model at its best step so far (`config.json`, `tokenizer.json`, `model.safetensors`). `last/`
 * holds the state to continue from: parameters, moments, step and history.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { CodescoreError } from "../errors.ts";
import { readSafetensors, type Tensors, writeSafetensors } from "../model/index.ts";
import { exists, readJson, writeAtomic } from "../util/files.ts";
import type { AdamW } from "./adamw.ts";
import type { DevResult } from "./develop.ts";
import type { Plateau } from "./schedule.ts";

/** State that every kind of training saves besides parameters and moments. */
export interface RunMark {
  /** Number of updates made. */
  readonly step: number;
  /** Hash of the settings. A run with other settings is a different run. */
  readonly signature: string;
}

export interface RunState extends RunMark {
  readonly best: DevResult | null;
  readonly bestStep: number;
  /** Evaluations since the best one. */
  readonly withoutGain: number;
  readonly plateau: Plateau;
}

/** Copies the parameters from the device to the host. */
export async function parametersOnHost(parameters: ReadonlyMap<string, tf.Variable>): Promise<Tensors> {
  const tensors: Tensors = new Map();
  for (const [name, variable] of parameters) {
    tensors.set(name, { shape: variable.shape, data: (await variable.data()) as Float32Array });
  }
  return tensors;
}

/** Copies parameters to the device. */
export function parametersOnDevice(tensors: Tensors): Map<string, tf.Variable> {
  // In `tidy`, because a variable copies its tensor, and the original would leak.
  const variable = (data: Float32Array, shape: readonly number[]): tf.Variable =>
    tf.tidy(() => tf.variable(tf.tensor(data, [...shape])));
  return new Map([...tensors].map(([name, { shape, data }]) => [name, variable(data, shape)]));
}

/** The state that an update changes. */
export interface Changing {
  readonly parameters: ReadonlyMap<string, tf.Variable>;
  readonly averages: ReadonlyMap<string, tf.Variable> | null;
  readonly optimizer: AdamW;
}

/** Saves a run so that it can continue. The state file is written last and makes the rest valid. */
export async function saveRun(
  out: string,
  { parameters, averages, optimizer }: Changing,
  state: RunMark,
): Promise<void> {
  const folder = join(out, "last", `step-${state.step}`);
  await writeSafetensors(join(folder, "model.safetensors"), await parametersOnHost(parameters));
  if (averages !== null) await writeSafetensors(join(folder, "average.safetensors"), await parametersOnHost(averages));
  await writeSafetensors(join(folder, "optimizer.safetensors"), await optimizer.state());
  const path = join(out, "last", "state.json");
  const previous = (await exists(path)) ? ((await readJson(path)) as RunMark) : null;
  await writeAtomic(path, JSON.stringify(state));
  if (previous !== null && previous.step !== state.step) {
    await rm(join(out, "last", `step-${previous.step}`), { recursive: true, force: true });
  }
}

/** The saved run in a folder, or null if there is none. Throws `CodescoreError("usage")` if it was made with other settings. */
export async function loadRun<State extends RunMark = RunState>(
  out: string,
  signature: string,
): Promise<{ state: State; parameters: Tensors; averages: Tensors | null; moments: Tensors } | null> {
  const path = join(out, "last", "state.json");
  if (!(await exists(path))) return null;
  const state = (await readJson(path)) as State;
  if (state.signature !== signature) {
    throw new CodescoreError(
      "usage",
      `${out} contains a run with other settings or data; use another --output, or remove the folder`,
    );
  }
  const folder = join(out, "last", `step-${state.step}`);
  const averages = join(folder, "average.safetensors");
  return {
    state,
    parameters: await readSafetensors(join(folder, "model.safetensors")),
    averages: (await exists(averages)) ? await readSafetensors(averages) : null,
    moments: await readSafetensors(join(folder, "optimizer.safetensors")),
  };
}
