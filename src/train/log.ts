/** The log of a training run, `log.jsonl`: a line a step. */
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { writeAtomic } from "../util/files.ts";
import type { DevResult } from "./develop.ts";

/** One line of `log.jsonl`. */
export interface LogLine {
  readonly step: number;
  readonly loss: number;
  readonly gradientNorm: number;
  readonly learningRate: number;
  readonly rows: number;
  readonly tokens: number;
  readonly seconds: number;
  readonly dev?: DevResult;
}

/** Appends to `log.jsonl`, which keeps only the lines up to the step that the run goes on from. */
export async function openLog(out: string, step: number): Promise<(line: LogLine) => Promise<void>> {
  const path = join(out, "log.jsonl");
  const lines = step > 0 ? await readLog(out) : [];
  await writeAtomic(
    path,
    lines
      .filter((line) => line.step <= step)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  return (line) => appendFile(path, `${JSON.stringify(line)}\n`);
}

/** The lines of a run's `log.jsonl`; a last line cut by a kill is dropped. Throws `CodescoreError("input")`. */
export async function readLog(out: string): Promise<LogLine[]> {
  const path = join(out, "log.jsonl");
  const text = await readFile(path, "utf8").catch(() => {
    throw new CodescoreError("input", `expected a training log at ${path}`);
  });
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogLine);
}
