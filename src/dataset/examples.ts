/** Labelled sets as files: `.arrow`, `.parquet` or `.jsonl`, one row per example. `.jsonl.gz` can be read too. */
import { CodescoreError } from "../errors.ts";
import type { LabelledRow } from "../types.ts";
import { type JsonLine, readJsonLines } from "../util/jsonl.ts";
import { isParquet } from "../util/parquet.ts";
import { readArrow, writeArrow } from "./arrow.ts";
import { writeParquet } from "./parquet.ts";
import { checkedRow, columnNames } from "./schema.ts";
import { writeLines, writeWhole } from "./whole.ts";

/** Fills in columns of a JSON-lines or Parquet row before the row is checked. `number` counts rows from 0. */
export type Complete = (row: JsonLine["value"], number: number) => JsonLine["value"];

/**
 * Streams the rows of a labelled set in order. `complete` fills in columns that other writers leave out.
 * Throws `CodescoreError("input")` naming the file, the row, and the missing or wrong column.
 */
export async function* readExamples(path: string, complete: Complete = (row) => row): AsyncGenerator<LabelledRow> {
  if (path.endsWith(".arrow")) return yield* readArrow(path);
  if (!/\.(?:jsonl(?:\.gz)?|parquet)$/.test(path)) {
    throw new CodescoreError(
      "input",
      `${path}: expected a labelled set ending in .arrow, .jsonl, .jsonl.gz or .parquet`,
    );
  }
  let number = 0;
  for await (const { value, where } of readJsonLines(path)) yield checkedRow(complete(value, number++), where);
}

/** Throws `CodescoreError("usage")` unless the name has an ending under which a labelled set can be written. */
export function checkOutput(path: string): void {
  if (/\.(?:arrow|parquet|jsonl)$/.test(path)) return;
  throw new CodescoreError("usage", `expected the output to end in .arrow, .parquet or .jsonl, got \`${path}\``);
}

/** Writes the complete file or nothing. The same rows always give the same bytes. `path` ends in .arrow, .parquet or .jsonl. */
export async function writeExamples(path: string, rows: AsyncIterable<LabelledRow>): Promise<void> {
  checkOutput(path);
  await writeWhole(path, (part) => {
    if (path.endsWith(".arrow")) return writeArrow(part, rows);
    return isParquet(path) ? writeParquet(part, rows) : writeLines(part, rowTexts(rows));
  });
}

async function* rowTexts(rows: AsyncIterable<LabelledRow>): AsyncGenerator<string> {
  for await (const row of rows) yield JSON.stringify(row, columnNames); // always in column order
}
