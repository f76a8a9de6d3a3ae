/** V8's settings for commands that read programs. They affect the whole process, so a library must not change them. */
import { setFlagsFromString } from "node:v8";

/**
 * Bytes of bytecode that a function runs before V8 may optimize it; V8's default is at most a fifth of it. Reading programs uses
 * several thousand functions, in every thread. For the first 1,500 pairs the optimizer takes most of the CPU time.
 */
const BUDGET = 600_000;

const MAJOR = Number.parseInt(process.versions.v8, 10);

/**
 * Node 20: V8 optimizes later. Node 22 has no such budget, because it uses a cheaper compiler first; nor has Node 24, whose young generation
 * grows to 300 MB for large inputs unless told not to. Other versions may not know these flags, and V8 would complain on stderr.
 */
export function tuneForReading(): void {
  if (MAJOR < 12) setFlagsFromString(`--interrupt-budget=${BUDGET}`);
  if (MAJOR === 13) setFlagsFromString("--semi-space-growth-factor=1");
}
