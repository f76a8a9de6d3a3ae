/** A folder for a whole suite. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** It is removed after the suite's tests. */
export function scratchForAll(): string {
  const folder = mkdtempSync(join(tmpdir(), "codescore-train-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
