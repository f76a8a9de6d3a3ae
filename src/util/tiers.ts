/** When V8 compiles functions once more, optimized. */
import { setFlagsFromString } from "node:v8";

/**
 * Bytes of bytecode that a function runs before it may be optimized; V8's own value is a fifth or less. Reading programs goes through some
 * thousand functions, each in every thread: of the first 1,500 pairs most CPU time is the optimizer's.
 */
const BUDGET = 600_000;

/** For commands that read programs. It holds for the whole process, so it is not for a library to call. */
export const optimizeLater = (): void => setFlagsFromString(`--interrupt-budget=${BUDGET}`);
