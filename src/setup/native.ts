/**
 * Loads the native engine of TensorFlow.js: finds what `codescore setup tensorflow` built and gives it this process's
 * own copy of TensorFlow.js. It does not build and does not choose between engines.
 *
 * Environment variables, read when TensorFlow loads: `TF_SET_ONEDNN_FPMATH_MODE=BF16` lets oneDNN multiply matrices in
 * bfloat16 if the CPU has AMX (8 instead of 24 bits of precision, so off by default; on an AVX512-BF16 CPU
 * without AMX, oneDNN 3.7 uses the same f32 kernels, with bit-identical results), `TF_CPP_MIN_LOG_LEVEL` (here 2: errors only;
 * one line about oneDNN is printed before it takes effect), `TF_ENABLE_ONEDNN_OPTS` (here 1).
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import util from "node:util";
import { exists } from "../util/files.ts";
import { type Build, CHECKED, tensorflowFolder } from "./places.ts";

export interface NativeEngine {
  /** TensorFlow's version, e.g. `2.21.0`. */
  readonly version: string;
  /** Whether TensorFlow found a GPU. */
  readonly gpu: boolean;
}

/** The folder of the engine that setup built and checked; the GPU build if there are both. */
export async function findNative(): Promise<string | undefined> {
  for (const build of ["gpu", "cpu"] satisfies Build[]) {
    const folder = tensorflowFolder(build);
    if (await exists(join(folder, CHECKED))) return folder;
  }
  return undefined;
}

/** Must run before any tfjs-node loads, including npm's own. */
export function prepareNative(): void {
  process.env.TF_CPP_MIN_LOG_LEVEL ??= "2";
  process.env.TF_ENABLE_ONEDNN_OPTS ??= "1";
  // tfjs-node 4.22 calls these two functions. Node 22 warns about them and Node 23 no longer has them.
  Object.assign(util, {
    isNullOrUndefined: (value: unknown): boolean => value === null || value === undefined,
    isArray: Array.isArray,
  });
}

/**
 * Registers the backend `tensorflow` from a folder that setup built. Its JavaScript gets the TensorFlow.js that this
 * package uses, in any project where it is installed: in Node's module cache, the entries of the folder's two packages
 * are replaced by the modules loaded here. Throws what loading throws.
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
