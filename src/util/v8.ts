/** V8's settings for commands that read programs. They affect the whole process, so a library must not change them. */
import { setFlagsFromString } from "node:v8";

/**
 * Bytes of bytecode that a function runs before V8 may optimize it; V8's default is at most a fifth of it. Reading programs uses
 * several thousand functions, in every thread. For the first 1,500 pairs the optimizer takes most of the CPU time.
 */
const BUDGET = 600_000;

const MAJOR = Number.parseInt(process.versions.v8, 10);

/**
 * On Node 20, V8 optimizes later. Later versions have no such budget, because they use a cheaper compiler first. On Node 24, V8 keeps the young
 * generation small, which saves 280 MB for 7,000 rows. Other versions may not know these flags, and V8 would complain on stderr.
 */
export function tuneForReading(): void {
  if (MAJOR < 12) setFlagsFromString(`--interrupt-budget=${BUDGET}`);
  if (MAJOR === 13) setFlagsFromString("--semi-space-growth-factor=1");
}
