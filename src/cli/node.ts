/** The versions of Node that codescore is tested on. */
import { CodescoreError } from "../errors.ts";

export const SUPPORTED = { least: 20, most: 24 } as const;

export const nodeMajor = (): number => Number(process.versions.node.split(".")[0]);

/** Throws `CodescoreError("environment")` if Node is too old. It would start, and then fail on each row. */
export function requireNode(): void {
  if (nodeMajor() >= SUPPORTED.least) return;
  throw new CodescoreError(
    "environment",
    `codescore needs Node ${SUPPORTED.least} or later, got Node ${process.versions.node}: https://nodejs.org`,
  );
}
