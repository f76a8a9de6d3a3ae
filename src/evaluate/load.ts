/** Reads what the verbs of this room are given: a labelled set, and files of scores for it. */
import { basename } from "node:path";
import { readExamples } from "../dataset/index.ts";
import { CodescoreError } from "../errors.ts";
import type { LabelledRow } from "../types.ts";
import { readScoreColumn, type ScoreColumn } from "./columns.ts";

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
  for (const file of files) {
    const named = /^([^=/\\]+)=(.+)$/.exec(file);
    const path = named?.[2] ?? file;
    columns.push(await readScoreColumn(path, rows, named?.[1] ?? basename(path).replace(/\.jsonl(\.gz)?$/, "")));
  }
  return columns;
}
