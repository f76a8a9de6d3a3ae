/** Controls when V8 optimizes functions. */
import { setFlagsFromString } from "node:v8";

/**
 * Bytes of bytecode that a function runs before V8 may optimize it; V8's default is at most a fifth of it. Reading programs uses
 * several thousand functions, in every thread. For the first 1,500 pairs the optimizer takes most of the CPU time.
 */
const BUDGET = 600_000;

/** V8 12 and later (Node 22) has no such flag, because it uses a cheaper compiler first. */
const HAS_FLAG = Number.parseInt(process.versions.v8, 10) < 12;

/** For commands that read programs. It affects the whole process, so a library must not call it. */
export function optimizeLater(): void {
  if (HAS_FLAG) setFlagsFromString(`--interrupt-budget=${BUDGET}`);
}
