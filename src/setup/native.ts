/**
 * Loads the native engine of TensorFlow.js: finds what `codescore setup tensorflow` built and gives it this process's
 * own copy of TensorFlow.js. It does not build and does not choose between engines.
 *
 * Environment variables, read when TensorFlow loads: `TF_SET_ONEDNN_FPMATH_MODE=BF16` lets oneDNN multiply matrices in
 * bfloat16 where the CPU has AMX (8 instead of 24 bits of precision, so off unless asked for; on an AVX512-BF16 CPU
 * without AMX oneDNN 3.7 takes the same f32 kernels, to the same bits), `TF_CPP_MIN_LOG_LEVEL` (here 2: errors only; one
 * line about oneDNN comes before it counts), `TF_ENABLE_ONEDNN_OPTS` (here 1).
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import util from "node:util";
import { exists } from "../util/files.ts";
import { type Build, CHECKED, tensorflowFolder } from "./places.ts";

export interface NativeEngine {
  /** TensorFlow's own, e.g. `2.21.0`. */
  readonly version: string;
  /** Whether TensorFlow found a GPU. */
  readonly gpu: boolean;
}

/** The folder of the engine that setup built and checked, for a GPU where there are both. */
export async function findNative(): Promise<string | undefined> {
  for (const build of ["gpu", "cpu"] satisfies Build[]) {
    const folder = tensorflowFolder(build);
    if (await exists(join(folder, CHECKED))) return folder;
  }
  return undefined;
}

/** Must run before any tfjs-node loads, npm's own too. */
export function prepareNative(): void {
  process.env.TF_CPP_MIN_LOG_LEVEL ??= "2";
  process.env.TF_ENABLE_ONEDNN_OPTS ??= "1";
  // tfjs-node 4.22 calls these two; Node 22 warns of them and Node 23 has them no more.
  Object.assign(util, {
    isNullOrUndefined: (value: unknown): boolean => value === null || value === undefined,
    isArray: Array.isArray,
  });
}

/**
 * Registers the backend `tensorflow` of a folder that setup built. Its JavaScript gets the TensorFlow.js that this
 * package uses, whatever project that is installed in: the two packages' places in the folder are filled, in Node's
 * module cache, with the modules that are loaded here. Throws what loading throws.
 */
export function loadNative(folder: string): NativeEngine {
  prepareNative();
  const ours = createRequire(import.meta.url);
  const theirs = createRequire(join(folder, "npm", "package.json"));
  const core = createRequire(ours.resolve("@tensorflow/tfjs")).resolve("@tensorflow/tfjs-core");
  for (const [name, path] of [
    ["@tensorflow/tfjs", ours.resolve("@tensorflow/tfjs")],
    ["@tensorflow/tfjs-core", core],
  ] as const) {
    ours(path);
    theirs.cache[theirs.resolve(name)] = ours.cache[path];
  }
  theirs("@tensorflow/tfjs-node");
  const binding = theirs(join(folder, BINDING)) as { TF_Version: string; isUsingGpuDevice(): boolean };
  return { version: binding.TF_Version, gpu: binding.isUsingGpuDevice() };
}

const BINDING = "npm/node_modules/@tensorflow/tfjs-node/lib/napi-v8/tfjs_binding.node";
