/** A small learnable set, and settings that train on it in seconds. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LabelledRow } from "../../src/types.ts";

/** Rows whose label can be read from the text: a candidate that contains `wrong` fails. */
export function row(task: number, sample: number): LabelledRow {
  const wrong = (task + sample) % 2 === 0;
  return {
    task_id: `t/${task}`,
    sample_id: `t/${task}#${sample}`,
    source: "test",
    made_by: "test",
    candidate: `def f${task}(x):\n    return x ${wrong ? "- wrong" : "+ right"} * ${sample}\n`,
    reference: sample % 3 === 0 ? null : `def f${task}(x):\n    return x + right\n`,
    description: sample % 4 === 1 ? null : `Return number ${task}.`,
    pass_ratio: wrong ? 0 : 1,
    executable: wrong ? 0 : 1,
    n_tests: 1,
    n_passed: wrong ? 0 : 1,
    n_opaque: 0,
    passes_base: null,
    temperature: null,
    status: "ok",
    first_error: null,
    reason: null,
    weight: 1,
  };
}

/** Eight samples for each of `tasks` tasks. */
export const rowsOf = (tasks: number): LabelledRow[] =>
  Array.from({ length: tasks }, (_, task) => Array.from({ length: 8 }, (_, sample) => row(task, sample))).flat();

export function writeRows(path: string, rows: readonly LabelledRow[]): string {
  writeFileSync(path, rows.map((r) => `${JSON.stringify(r)}\n`).join(""));
  return path;
}

/** A folder that is removed after the test. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "codescore-train-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const settings = {
  vocabSize: 300,
  steps: 6,
  evaluateEvery: 2,
  batchTokens: 500,
  devShare: 0.3,
  learningRate: 3e-3,
  device: "wasm",
  quiet: true,
} as const;
