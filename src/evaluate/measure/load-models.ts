/** Reads the programs of one model to compare with another's: the output of `codescore score`, or of `codescore label`. */
import { readExamples } from "../../dataset/index.ts";
import { CodescoreError } from "../../errors.ts";
import { isCsv } from "../../util/csv.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import { readScoreLines } from "./columns.ts";
import { completed, named } from "./load.ts";

export interface ModelPrograms {
  readonly name: string;
  readonly kind: "scores" | "labels";
  /** How the scores were made: each signature once, sorted. */
  readonly signatures: readonly string[];
  readonly programs: readonly ModelProgram[];
  /** Rows with an error or without a label. */
  readonly unused: number;
}

export interface ModelProgram {
  readonly task: string;
  /** The predicted or measured PassRatio. */
  readonly value: number;
  /** The probability to pass every test, or whether it does; null if it was not run. */
  readonly pass: number | null;
}

/**
 * @param file `FILE` or `NAME=FILE`: .arrow, .parquet and .jsonl of labels; .jsonl, .csv and .parquet of scores. Throws
 * `CodescoreError("input")` for a row without a task, and without any program that has a value.
 */
export async function readModelPrograms(file: string): Promise<ModelPrograms> {
  const { path, name } = named(file);
  const found = (await isLabelled(path)) ? await readLabels(path) : await readScores(path);
  if (found.programs.length > 0) return { name, ...found };
  throw new CodescoreError("input", `${path}: expected programs with a score or a label, got none`);
}

async function isLabelled(path: string): Promise<boolean> {
  if (path.endsWith(".arrow")) return true;
  if (isCsv(path)) return false;
  for await (const { value } of readJsonLines(path)) return "pass_ratio" in value;
  return false;
}

async function readLabels(path: string): Promise<Omit<ModelPrograms, "name">> {
  const programs: ModelProgram[] = [];
  let unused = 0;
  for await (const { task_id: task, pass_ratio: value } of readExamples(path, completed)) {
    if (value === null) unused += 1;
    else programs.push({ task, value, pass: Number(value === 1) });
  }
  return { kind: "labels", signatures: [], programs, unused };
}

async function readScores(path: string): Promise<Omit<ModelPrograms, "name">> {
  const programs: ModelProgram[] = [];
  const signatures = new Set<string>();
  let unused = 0;
  for (const { task, score, pass, signature, where } of await readScoreLines(path)) {
    if (score === null) {
      unused += 1;
      continue;
    }
    if (task === null) {
      throw new CodescoreError(
        "input",
        `${where}: expected \`task_id\`, got none; \`codescore score --problems --samples\` and \`--rank\` write it`,
      );
    }
    if (signature !== null) signatures.add(signature);
    programs.push({ task, value: score, pass });
  }
  return { kind: "scores", signatures: [...signatures].sort(), programs, unused };
}
