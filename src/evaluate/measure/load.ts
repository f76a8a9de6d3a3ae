/** Reads the input of the evaluation commands: a labelled set, and files of scores for it. */
import { basename } from "node:path";
import { readExamples } from "../../dataset/index.ts";
import { CodescoreError } from "../../errors.ts";
import type { LabelledRow } from "../../types.ts";
import type { JsonLine } from "../../util/jsonl.ts";
import { readScoreColumn, type ScoreColumn } from "./columns.ts";
import { type OtherLabels, ownLabels, readOtherLabels } from "./execution.ts";

/**
 * All rows of a labelled set (`.arrow`, `.parquet`, `.jsonl`, `.jsonl.gz`). In JSON or Parquet rows from other tools, `task_id`,
 * `candidate` and `pass_ratio` are enough. Missing facts are not invented: whether a program executes is then unknown. Throws
 * `CodescoreError("input")` if the set is empty.
 */
export async function readRows(path: string): Promise<LabelledRow[]> {
  const rows: LabelledRow[] = [];
  for await (const row of readExamples(path, completed)) rows.push(row);
  if (rows.length === 0) throw new CodescoreError("input", `${path}: expected labelled rows, got an empty file`);
  return rows;
}

/** Fills in missing fields. `kind` replaces `made_by` in sets of near misses: `mutant` (one operator) or `right`. */
export function completed(row: JsonLine["value"], number: number): JsonLine["value"] {
  if (typeof row.pass_ratio !== "number" || row.n_tests !== undefined) return row;
  const { made_by, model, kind } = row;
  return {
    sample_id: String(number),
    source: "unknown",
    n_tests: 0,
    n_passed: 0,
    status: "ok",
    ...row,
    made_by: made_by ?? model ?? (kind === "mutant" ? "mutant:one-operator" : "unknown"),
  };
}

/** Reads files of scores, each given as `FILE` or `NAME=FILE`. Without a name, the file's name is used. */
export async function readScoreColumns(files: readonly string[], rows: readonly LabelledRow[]): Promise<ScoreColumn[]> {
  const columns: ScoreColumn[] = [];
  for (const { path, name } of files.map(named)) columns.push(await readScoreColumn(path, rows, name));
  return columns;
}

/** Labels of the same rows on other tests, from files given as `FILE` or `NAME=FILE`. The set's own labels, read from `data`, come last. */
export async function readExecutions(
  files: readonly string[],
  data: string,
  rows: readonly LabelledRow[],
): Promise<OtherLabels[]> {
  const labels: OtherLabels[] = [];
  for (const { path, name } of files.map(named)) labels.push(await readOtherLabels(path, name, rows));
  return [...labels, await ownLabels(data, rows)];
}

export function named(file: string): { path: string; name: string } {
  const [, name, path = file] = /^([^=/\\]+)=(.+)$/.exec(file) ?? [];
  return { path, name: name ?? basename(path).replace(/\.(jsonl|csv|arrow|parquet)(\.gz)?$/, "") };
}
