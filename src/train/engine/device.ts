/** Selects and opens the TensorFlow.js engine for training. */
import { realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { CodescoreError, messageOf } from "../../errors.ts";
import { findNative, loadNative, prepareNative } from "../../setup/index.ts";
import { type Cuda, whyNoGpu } from "./cuda.ts";
import { loadPackage } from "./package.ts";
import { replaceWasmKernels } from "./wasm-kernels.ts";
import { findGpu, type GpuAdapter, mayHaveGpu, withoutGpu } from "./webgpu.ts";

export const DEVICES = ["auto", "tensorflow", "webgpu", "wasm", "cpu"] as const;
export type Device = (typeof DEVICES)[number];

export interface OpenedDevice {
  readonly name: Exclude<Device, "auto">;
  /** The choice and its reason, for people to read. */
  readonly note: string;
  /** Releases resources that would keep the process alive. */
  readonly close: () => void;
}

/**
 * Opens an engine. `tensorflow` is the native engine that `codescore setup tensorflow` built, otherwise that of an installed
 * `@tensorflow/tfjs-node-gpu` or `@tensorflow/tfjs-node`. `webgpu` is any GPU with a Vulkan, Metal or Direct3D 12 driver. `wasm` and `cpu`
 * need no native code. `auto` takes the first available of: TensorFlow on a GPU, WebGPU on a GPU, TensorFlow on the CPU, wasm, cpu. Throws
 * `CodescoreError("environment")` if the requested engine is not available.
 */
export async function openDevice(device: Device): Promise<OpenedDevice> {
  tf.enableProdMode(); // skips checks per operation, and the native engine's advertisement on stderr
  if (device === "auto") return pick();
  if (device === "tensorflow") return start(device, (await openTensorFlow()).note);
  if (device === "webgpu") {
    const gpu = await findGpu();
    if (gpu === null) throw new CodescoreError("environment", withoutGpu(process.platform));
    return startWebGpu(gpu);
  }
  return start(device, device === "wasm" ? await openWasm() : CPU);
}

async function pick(): Promise<OpenedDevice> {
  const reasons: string[] = [];
  const attempt = <T>(open: () => Promise<T>): Promise<T | null> =>
    open().catch((error: unknown) => {
      reasons.push(messageOf(error));
      return null;
    });
  const because = (opened: OpenedDevice): OpenedDevice =>
    reasons.length === 0 ? opened : { ...opened, note: `${opened.note} (${reasons.join("; ")})` };
  const native = await attempt(openTensorFlow);
  if (native?.gpu) return start("tensorflow", native.note);
  const webgpu = await attempt(async () => {
    const gpu = mayHaveGpu() ? await findGpu() : null;
    if (gpu === null) throw new Error("WebGPU finds no GPU");
    if (gpu.software) throw new Error(`WebGPU has no GPU but ${gpu.name}, ${SOFTWARE}`);
    return startWebGpu(gpu);
  });
  if (webgpu !== null) return because(webgpu);
  if (native !== null) return because(await start("tensorflow", native.note));
  const wasm = await attempt(async () => start("wasm", await openWasm()));
  return because(wasm ?? (await start("cpu", CPU)));
}

const CPU = "cpu: plain JavaScript, slow";
/** For messages: a GPU that is emulated on the CPU. */
export const SOFTWARE = "a software renderer on the CPU";

async function start(
  name: OpenedDevice["name"],
  note: string,
  close: OpenedDevice["close"] = () => {},
): Promise<OpenedDevice> {
  const isSet = await tf.setBackend(name).catch((error: unknown) => {
    throw new CodescoreError("environment", `the ${name} engine does not start: ${messageOf(error)}`, { cause: error });
  });
  // Otherwise another engine would silently take over, a hundred times slower.
  if (!isSet) throw new CodescoreError("environment", `the ${name} engine does not start`);
  await tf.ready();
  return { name, note, close };
}

async function startWebGpu({ name, software, open }: GpuAdapter): Promise<OpenedDevice> {
  return start("webgpu", `webgpu: ${name}${software ? `, ${SOFTWARE}, slow` : ""}`, await open());
}

interface Native {
  readonly note: string;
  readonly gpu: boolean;
}

async function openTensorFlow(): Promise<Native> {
  const built = await findNative();
  if (built !== undefined) {
    try {
      const { version, gpu } = loadNative(built);
      const cuda = built.endsWith("-gpu") ? ({ version: "12", folder: await cudaOf(built) } as const) : null;
      return onWhat(`TensorFlow ${version}`, gpu, cuda, ", built by codescore setup");
    } catch (error) {
      const message = `${built} does not load (fix it with codescore setup tensorflow): ${messageOf(error)}`;
      throw new CodescoreError("environment", message, { cause: error });
    }
  }
  prepareNative();
  for (const packageName of ["@tensorflow/tfjs-node-gpu", "@tensorflow/tfjs-node"]) {
    try {
      await import(packageName);
      const { isUsingGpuDevice } = tf.findBackend("tensorflow") as unknown as { readonly isUsingGpuDevice: boolean };
      return onWhat(packageName, isUsingGpuDevice, packageName.endsWith("-gpu") ? { version: "11.2" } : null);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") continue;
      throw new CodescoreError("environment", `${packageName} is installed but does not load: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
  throw new CodescoreError("environment", "no native TensorFlow (`codescore setup tensorflow` builds it)");
}

/** The folder in which a setup's TensorFlow finds CUDA. */
const cudaOf = async (built: string): Promise<string> =>
  dirname(await realpath(join(built, "npm/node_modules/@tensorflow/tfjs-node/deps/lib/libtensorflow.so")));

/** `cuda` is the CUDA that the engine was built for, null if it was built without. */
function onWhat(engine: string, gpu: boolean, cuda: Cuda | null, origin = ""): Native {
  const blind = !gpu && cuda !== null ? `; it was built for GPUs but finds none: ${whyNoGpu(cuda)}` : "";
  return { note: `tensorflow: ${engine} on ${gpu ? "a GPU" : "the CPU"}${origin}${blind}`, gpu };
}

async function openWasm(): Promise<string> {
  const wasm = await loadPackage("@tensorflow/tfjs-backend-wasm", () => import("@tensorflow/tfjs-backend-wasm"));
  const folder = dirname(createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm"));
  wasm.setWasmPaths(join(folder, "/"));
  // The threaded build keeps its memory in a SharedArrayBuffer, which Node reads 100 times more slowly.
  tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  replaceWasmKernels();
  return "wasm: WebAssembly, one core";
}
