/** What all processes of a run of vitest say or do only once. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Made and removed by before-all.mjs. */
    runFolder: string;
  }
}

/** Prints a line to stderr, unless a process of this run has printed one under the same name. */
export function sayOnce(name: string, line: string): void {
  try {
    writeFileSync(join(inject("runFolder"), name), "", { flag: "wx" });
  } catch {
    return;
  }
  process.stderr.write(`${line}\n`);
}
