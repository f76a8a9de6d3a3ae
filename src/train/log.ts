/** The log of a training run, `log.jsonl`: one line per step. */
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import { whileWriting } from "../util/file-errors.ts";
import { writeAtomic } from "../util/files.ts";
import { DEV_FIGURES, type DevResult } from "./develop.ts";
import type { Scalars } from "./tensorboard.ts";

/** One line of `log.jsonl`. `dev` holds the dev figures of the kind of training. */
export interface LogLine<Dev = DevResult> {
  readonly step: number;
  readonly loss: number;
  readonly gradientNorm: number;
  readonly learningRate: number;
  readonly rows: number;
  /** Tokens with padding. */
  readonly tokens: number;
  readonly seconds: number;
  readonly dev?: Dev;
}

/** A line's numbers under their TensorBoard tags. */
export function scalarsOf({ loss, gradientNorm, learningRate, tokens, seconds, dev }: LogLine): Scalars {
  const scalars: Record<string, number> = {
    "train/loss": loss,
    "train/gradient_norm": gradientNorm,
    "train/learning_rate": learningRate,
    "train/tokens_per_second": tokens / seconds,
  };
  for (const name of dev ? DEV_FIGURES : []) {
    const value = dev![name];
    if (value !== null) scalars[`dev/${name}`] = value;
  }
  return scalars;
}

/** Opens `log.jsonl` for appending. Removes lines after the step that the run continues from. */
export async function openLog<Line extends { readonly step: number } = LogLine>(
  out: string,
  step: number,
): Promise<(line: Line) => Promise<void>> {
  const path = join(out, "log.jsonl");
  const lines = step > 0 ? await readLog<Line>(out) : [];
  await writeAtomic(
    path,
    lines
      .filter((line) => line.step <= step)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  return (line) => whileWriting(path, () => appendFile(path, `${JSON.stringify(line)}\n`));
}

/** The lines of a run's `log.jsonl`. An incomplete last line, cut by a kill, is dropped. Throws `CodescoreError("input")`. */
export async function readLog<Line = LogLine>(out: string): Promise<Line[]> {
  const path = join(out, "log.jsonl");
  const text = await readFile(path, "utf8").catch(() => {
    throw new CodescoreError("input", `expected a training log at ${path}`);
  });
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}
