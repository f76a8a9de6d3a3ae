import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readProblems } from "../../src/problems/index.ts";
import type { Problem } from "../../src/types.ts";

const made: string[] = [];
process.on("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/**
 * A folder that is removed after the tests: with the folder of the run (before-all.mjs), because vitest ends its processes by a signal,
 * which runs no exit handler. A process without a run removes it at its end.
 */
export function tempFolder(): string {
  const run = process.env.CODESCORE_TEST_RUN;
  const folder = mkdtempSync(join(run ?? tmpdir(), "codescore-test-"));
  if (run === undefined) made.push(folder);
  return folder;
}

/** Writes rows (objects, or lines unchanged) to a JSON-lines file in a new folder. */
export function writeRows(rows: readonly unknown[], name = "rows.jsonl"): string {
  const path = join(tempFolder(), name);
  const text = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n");
  writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text);
  return path;
}

export async function oneProblem(row: unknown): Promise<Problem> {
  const problems = await readProblems([writeRows([row])]);
  return [...problems.values()][0] as Problem;
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of items) out.push(item);
  return out;
}
