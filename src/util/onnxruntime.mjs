/**
 * Loads one of two builds of ONNX Runtime: the native `onnxruntime-node` if it is installed and works on this machine, otherwise
 * the WebAssembly build that comes with codescore (scripts/copy-onnxruntime.mjs), which takes three to five times as long. Plain
 * JavaScript, because a thread starts from it (onnx/session-worker.mjs), both from `src/` and from `dist/`.
 */
const WASM = new URL("../../dist/onnxruntime-web/ort.node.min.mjs", import.meta.url);

/**
 * Errors are thrown; the log would also write them to stderr. Whoever opens the first session sets the level for the whole process, so all set
 * the same. Sessions have a level of their own.
 */
const LOG_LEVEL = "fatal";

/**
 * @param {string} device an execution provider; `wasm` selects the WebAssembly build
 * @returns the build, the execution provider to use, the available ones, and why the native build is not used although it
 *   is installed. Throws if no build has that device, or if the WebAssembly files are missing.
 */
export async function loadOnnxruntime(device) {
  const native = device === "wasm" ? {} : await loadNative();
  if (native.runtime) {
    native.runtime.env.logLevel = LOG_LEVEL;
    const devices = [...native.runtime.listSupportedBackends().map(({ name }) => name), "wasm"];
    return { runtime: native.runtime, provider: device, devices };
  }
  if (device !== "cpu" && device !== "wasm") throw new Error(native.why ?? "onnxruntime-node is not installed");
  let runtime;
  try {
    runtime = await import(WASM.href);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error("its WebAssembly file is missing; in a clone, run `npm run build`", { cause: error });
  }
  runtime.env.logLevel = LOG_LEVEL;
  runtime.env.wasm.numThreads = 1; // otherwise up to 4 threads, which keep the process alive
  return { runtime, provider: "wasm", devices: ["cpu", "wasm"], passedOver: native.why };
}

async function loadNative() {
  try {
    return { runtime: await import("onnxruntime-node") };
  } catch (error) {
    if (error.code === "ERR_MODULE_NOT_FOUND") return {};
    return { why: `onnxruntime-node cannot be loaded: ${error.message.trim().split("\n")[0]}` };
  }
}
