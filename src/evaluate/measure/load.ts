/** Reads what the verbs of this room are given: a labelled set, and files of scores for it. */
import { basename } from "node:path";
import { readExamples } from "../../dataset/index.ts";
import { CodescoreError } from "../../errors.ts";
import type { LabelledRow } from "../../types.ts";
import { readScoreColumn, type ScoreColumn } from "./columns.ts";
import { type OtherLabels, ownLabels, readOtherLabels } from "./execution.ts";

/** All rows of a labelled set (`.arrow`, `.jsonl`). Throws `CodescoreError("input")` when it is empty. */
export async function readRows(path: string): Promise<LabelledRow[]> {
  const rows: LabelledRow[] = [];
  for await (const row of readExamples(path)) rows.push(row);
  if (rows.length === 0) throw new CodescoreError("input", `${path}: expected labelled rows, got an empty file`);
  return rows;
}

/** Reads files of scores, each given as `FILE` or `NAME=FILE`; without a name the file's own is used. */
export async function readScoreColumns(files: readonly string[], rows: readonly LabelledRow[]): Promise<ScoreColumn[]> {
  const columns: ScoreColumn[] = [];
  for (const { path, name } of files.map(named)) columns.push(await readScoreColumn(path, rows, name));
  return columns;
}

/**
 * Labels of the same rows on other tests, from files given as `FILE` or `NAME=FILE`, and at the end those of the set itself,
 * read from `data`.
 */
export async function readExecutions(
  files: readonly string[],
  data: string,
  rows: readonly LabelledRow[],
): Promise<OtherLabels[]> {
  const labels: OtherLabels[] = [];
  for (const { path, name } of files.map(named)) labels.push(await readOtherLabels(path, name, rows));
  return [...labels, await ownLabels(data, rows)];
}

function named(file: string): { path: string; name: string } {
  const [, name, path = file] = /^([^=/\\]+)=(.+)$/.exec(file) ?? [];
  return { path, name: name ?? basename(path).replace(/\.(jsonl|arrow|parquet)(\.gz)?$/, "") };
}
