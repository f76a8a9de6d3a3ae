/**
 * The thread of session.ts: it only runs an onnxruntime session. onnxruntime computes on the thread that calls it, although it returns
 * promises. Plain JavaScript, because a thread must start from a file that Node itself can load, both from `src/` and from `dist/`.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { setFlagsFromString } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { loadOnnxruntime } from "../util/onnxruntime.mjs";

/**
 * How much a function of WebAssembly runs before V8 optimizes it (V8's default: 1,800,000). Optimizing onnxruntime takes two seconds of
 * CPU, for which the process waits at its end. With this budget scoring one program takes a third of the time, and scoring many takes as long as before.
 */
const TIERING_BUDGET = 100_000_000;

/** `weights`: files next to the model in which exporters put the weights of large models. */
const { path, weights, threads, device } = workerData;
const { runtime, provider, devices, passedOver } = await loadOnnxruntime(device);
const { env, InferenceSession, Tensor } = runtime;

let session;
try {
  session = await InferenceSession.create(path, {
    executionProviders: [provider],
    intraOpNumThreads: threads,
    logSeverityLevel: 4,
    enableMemPattern: false, // memory plans per batch shape: a quarter more memory, no faster
    ...(provider === "wasm" && ofWasm()),
  });
  const { inputMetadata: inputs, outputMetadata: outputs } = session;
  parentPort.postMessage({ inputs, outputs, provider, passedOver });
  parentPort.on("message", answer);
} catch (error) {
  parentPort.postMessage({ failed: messageOf(error), devices });
}

/** Options of the WebAssembly build. It has one thread count for all sessions, and reads only files that it is given. */
function ofWasm() {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  env.wasm.numThreads = threads || availableParallelism();
  const beside = weights.filter((file) => existsSync(file));
  return { externalData: beside.map((file) => ({ path: basename(file), data: file })) };
}

/** Answers Int32 `feeds` by name and the names of the wanted outputs. null ends the thread. */
async function answer(batch) {
  if (batch === null) {
    await session.release();
    parentPort.close();
    return;
  }
  const { id, feeds, wanted } = batch;
  try {
    const tensors = Object.entries(feeds).map(([name, { data, shape }]) => [name, int64(data, shape)]);
    const found = await session.run(Object.fromEntries(tensors), wanted);
    const outputs = wanted.map((name) => [name, { data: found[name].data, shape: found[name].dims }]);
    parentPort.postMessage({ id, outputs: Object.fromEntries(outputs) });
  } catch (error) {
    parentPort.postMessage({ id, failed: messageOf(error) });
  }
}

/** Non-negative 32-bit integers as 64-bit ones: the high words stay 0. One BigInt per id would take twelve times as long. */
function int64(values, shape) {
  const words = new Int32Array(2 * values.length);
  for (let i = 0; i < values.length; i++) words[2 * i] = values[i];
  return new Tensor("int64", new BigInt64Array(words.buffer), shape);
}

function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
