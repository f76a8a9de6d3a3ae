/** Adds advice to WebAssembly's errors when the process may use little address space. */
import { CodescoreError, messageOf } from "../errors.ts";

export const NO_WASM_MEMORY =
  "WebAssembly reserves 10 GB of addresses at a time: raise `ulimit -v`, or set NODE_OPTIONS=--disable-wasm-trap-handler";

/** The error, with advice if WebAssembly could not allocate memory. Also for errors reported by a child process. */
export const wasmError = (thrown: unknown): unknown =>
  thrown instanceof Error && /^WebAssembly|WebAssembly\.\w+\(\): could not allocate memory/.test(thrown.message)
    ? new CodescoreError("environment", `${NO_WASM_MEMORY} (${messageOf(thrown)})`, { cause: thrown })
    : thrown;
