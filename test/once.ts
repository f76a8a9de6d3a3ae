/** What all processes of a run of vitest say or do only once. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Set by before-all.mjs. A process that a test starts has it, too, but may not import vitest. */
const FOLDER = "CODESCORE_TEST_RUN";

/** Prints a line to stderr, unless a process of this run has printed one under the same name. */
export function sayOnce(name: string, line: string): void {
  const folder = process.env[FOLDER];
  try {
    if (folder !== undefined) writeFileSync(join(folder, name), "", { flag: "wx" });
  } catch {
    return;
  }
  process.stderr.write(`${line}\n`);
}
