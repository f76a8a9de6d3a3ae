/** Which TensorFlow.js engine trains. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { CodescoreError, messageOf } from "../errors.ts";
import { findNative, loadNative, prepareNative } from "../setup/index.ts";
import { replaceWasmSlice } from "./wasm-slice.ts";

export const DEVICES = ["auto", "tensorflow", "wasm", "cpu"] as const;
export type Device = (typeof DEVICES)[number];

export interface OpenedDevice {
  readonly name: Exclude<Device, "auto">;
  /** What was picked and why, for people. */
  readonly note: string;
}

/**
 * Makes an engine ready: `tensorflow` is the native one that `codescore setup tensorflow` built, else that of an installed
 * `@tensorflow/tfjs-node-gpu` or `@tensorflow/tfjs-node`; `wasm` and `cpu` need no native code. `auto` takes the first that works, in that order.
 * Throws `CodescoreError("environment")` when the engine asked for is not to be had.
 */
export async function openDevice(device: Device): Promise<OpenedDevice> {
  if (device !== "auto") return open(device);
  const reasons: string[] = [];
  for (const name of ["tensorflow", "wasm", "cpu"] as const) {
    try {
      const opened = await open(name);
      return { ...opened, note: [opened.note, ...reasons].join("; ") };
    } catch (error) {
      reasons.push(messageOf(error));
    }
  }
  throw new CodescoreError("environment", `no TensorFlow.js engine works: ${reasons.join("; ")}`);
}

async function open(name: OpenedDevice["name"]): Promise<OpenedDevice> {
  tf.enableProdMode(); // no checks per operation, and no advertisement for the native engine on stderr
  const note =
    name === "tensorflow" ? await openTensorFlow() : name === "wasm" ? await openWasm() : "cpu: plain JavaScript, slow";
  await tf.setBackend(name).catch((error: unknown) => {
    throw new CodescoreError("environment", `the ${name} engine does not start: ${messageOf(error)}`, { cause: error });
  });
  await tf.ready();
  return { name, note };
}

async function openTensorFlow(): Promise<string> {
  const built = await findNative();
  if (built !== undefined) {
    try {
      const { version, gpu } = loadNative(built);
      return `tensorflow: TensorFlow ${version} on ${gpu ? "a GPU" : "the CPU"}, built by codescore setup`;
    } catch (error) {
      throw new CodescoreError(
        "environment",
        `${built} does not load (codescore setup tensorflow mends it): ${messageOf(error)}`,
        {
          cause: error,
        },
      );
    }
  }
  prepareNative();
  for (const packageName of ["@tensorflow/tfjs-node-gpu", "@tensorflow/tfjs-node"]) {
    try {
      await import(packageName);
      return `tensorflow: ${packageName}`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") continue;
      throw new CodescoreError("environment", `${packageName} is installed but does not load: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
  throw new CodescoreError("environment", "no native TensorFlow (`codescore setup tensorflow` builds it)");
}

async function openWasm(): Promise<string> {
  const wasm = await load("@tensorflow/tfjs-backend-wasm", () => import("@tensorflow/tfjs-backend-wasm"));
  const folder = dirname(createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm"));
  wasm.setWasmPaths(join(folder, "/"));
  // The threaded build keeps its memory in a SharedArrayBuffer, from which Node reads 100 times slower.
  tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  replaceWasmSlice();
  return "wasm: WebAssembly, one core";
}

async function load<T>(packageName: string, importPackage: () => Promise<T>): Promise<T> {
  return importPackage().catch((error: unknown) => {
    throw new CodescoreError("environment", `${packageName} is not installed; npm install ${packageName}`, {
      cause: error,
    });
  });
}
