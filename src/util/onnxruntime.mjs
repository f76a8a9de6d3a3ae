/**
 * ONNX Runtime in one of its two builds: `onnxruntime-node`, native code, where it is installed and this machine can load it;
 * else the WebAssembly that comes with codescore (scripts/copy-onnxruntime.mjs), which takes three to five times as long. Plain
 * JavaScript: a thread begins with it (onnx/session-worker.mjs), from `src/` and from `dist/` alike.
 */
const WASM = new URL("../../dist/onnxruntime-web/ort.node.min.mjs", import.meta.url);

/**
 * @param {string} device an execution provider; `wasm` is the WebAssembly build's
 * @returns the build, the execution provider to compute with, those there are, and why the native build is passed over where
 *   it is installed. Throws where no build has that device, and where the WebAssembly is not there.
 */
export async function loadOnnxruntime(device) {
  const native = device === "wasm" ? {} : await loadNative();
  if (native.runtime) {
    const devices = [...native.runtime.listSupportedBackends().map(({ name }) => name), "wasm"];
    return { runtime: native.runtime, provider: device, devices };
  }
  if (device !== "cpu" && device !== "wasm") throw new Error(native.why ?? "onnxruntime-node is not installed");
  let runtime;
  try {
    runtime = await import(WASM.href);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error("its WebAssembly is not there; in a clone, run `npm run build`", { cause: error });
  }
  runtime.env.wasm.numThreads = 1; // else up to 4, each with a thread that the process waits for
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
