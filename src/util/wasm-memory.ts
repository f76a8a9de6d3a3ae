/** What WebAssembly's own words leave open where a process may have few addresses. */
import { CodescoreError, messageOf } from "../errors.ts";

export const NO_WASM_MEMORY =
  "WebAssembly reserves 10 GB of addresses at a time: raise `ulimit -v`, or set NODE_OPTIONS=--disable-wasm-trap-handler";

/** What was thrown, here or as the last words of a child process, with what to do where WebAssembly got no memory. */
export const wasmError = (thrown: unknown): unknown =>
  thrown instanceof Error && /^WebAssembly|WebAssembly\.\w+\(\): could not allocate memory/.test(thrown.message)
    ? new CodescoreError("environment", `${NO_WASM_MEMORY} (${messageOf(thrown)})`, { cause: thrown })
    : thrown;
