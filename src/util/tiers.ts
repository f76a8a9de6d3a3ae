/** When V8 compiles functions once more, optimized. */
import { setFlagsFromString } from "node:v8";

/**
 * Bytes of bytecode that a function runs before it may be optimized; V8's own value is a fifth or less. Reading programs goes through some
 * thousand functions, each in every thread: of the first 1,500 pairs most CPU time is the optimizer's.
 */
const BUDGET = 600_000;

/** From V8 12 on (Node 22) there is no such flag: a cheaper compiler comes first. */
const HAS_FLAG = Number.parseInt(process.versions.v8, 10) < 12;

/** For commands that read programs. It holds for the whole process, so it is not for a library to call. */
export function optimizeLater(): void {
  if (HAS_FLAG) setFlagsFromString(`--interrupt-budget=${BUDGET}`);
}
