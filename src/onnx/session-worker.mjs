/**
 * The thread of session.ts: an onnxruntime session and nothing else. onnxruntime-node computes on the thread that calls it,
 * whatever its promises say. Plain JavaScript: a thread begins from a file that Node itself can read, from `src/` and
 * from `dist/` alike.
 */
import { parentPort, workerData } from "node:worker_threads";
import { env, InferenceSession, listSupportedBackends, Tensor } from "onnxruntime-node";

const { path, threads, device } = workerData;
env.logLevel = "fatal"; // what fails is thrown as well; its log would go to stderr past everybody

let session;
try {
  session = await InferenceSession.create(path, {
    executionProviders: [device],
    intraOpNumThreads: threads,
    logSeverityLevel: 4,
    enableMemPattern: false, // plans of memory for each shape of batch: a quarter more memory, no faster
  });
  parentPort.postMessage({ inputs: session.inputMetadata, outputs: session.outputMetadata });
  parentPort.on("message", answer);
} catch (error) {
  parentPort.postMessage({ failed: messageOf(error), devices: listSupportedBackends().map(({ name }) => name) });
}

/** Int32 `feeds` by name and the names of the outputs wanted, or null to end the thread. */
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

/** Non-negative 32-bit integers as 64-bit ones: the high words stay 0. A BigInt an id would take twelve times as long. */
function int64(values, shape) {
  const words = new Int32Array(2 * values.length);
  for (let i = 0; i < values.length; i++) words[2 * i] = values[i];
  return new Tensor("int64", new BigInt64Array(words.buffer), shape);
}

function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
