/** The options of `codescore evaluate` for ratings by people: they write a blind rating form, or read filled forms. */
import type { Command } from "commander";
import { CodescoreError } from "../../errors.ts";
import type { EvaluationResult } from "../../evaluate/index.ts";
import { counted } from "../../util/counted.ts";
import { putTables, type TableFlags } from "../options/table-output.ts";
import { integer } from "../options/values.ts";
import { putPage } from "./report.ts";

export interface RatingFlags extends TableFlags {
  readonly ratingSheet?: string;
  readonly count: number;
  readonly ratings?: string[];
  readonly key?: string;
  readonly report?: string;
  readonly title?: string;
  readonly tablesDir?: string;
  readonly seed: number;
}

export const addRatingOptions = (command: Command): Command =>
  command
    .option("--rating-sheet <file>", "write a form to rate programs blindly: .html, .csv and .key.json")
    .option("--count <n>", "programs on the rating sheet, drawn at random", integer(1), 100)
    .option("--ratings <file...>", "evaluate filled forms (.csv); needs --key instead of --data")
    .option("--key <file>", "the .key.json of the rating sheet");

/** Draws the sheet, and writes both forms and the key. */
export async function putSheet({ ratingSheet, count, seed }: RatingFlags, { data }: EvaluationResult): Promise<void> {
  if (ratingSheet === undefined) return;
  const { drawSheet, ratingCsv, ratingKey, ratingPage } = await import("../../evaluate/index.ts");
  const { writeAtomic } = await import("../../util/files.ts");
  const sheet = drawSheet({ rows: data.rows, columns: data.columns, count, seed });
  const path = ratingSheet.replace(/\.(html|csv)$/, "");
  await writeAtomic(`${path}.html`, await ratingPage(sheet));
  await writeAtomic(`${path}.csv`, await ratingCsv(sheet));
  await writeAtomic(`${path}.key.json`, `${JSON.stringify(ratingKey(sheet), null, 1)}\n`);
  const { items, metrics } = sheet;
  process.stderr.write(
    `wrote ${path}.html and ${path}.csv, two forms of one sheet: ${counted(items.length, "program")}, ${counted(metrics.length, "score")} each; do not show ${path}.key.json to the raters\n`,
  );
}

/** Reads the filled forms, and prints or writes their tables. */
export async function putRatings(flags: RatingFlags): Promise<void> {
  const { ratings = [], key, report, tablesDir, title = "Ratings by people" } = flags;
  if (key === undefined) throw new CodescoreError("usage", "--ratings needs --key, the .key.json of the rating sheet");
  const { describeRatings, ratingTables, readRatingKey, readRatings, renderSections, summarizeRatings, writeTables } =
    await import("../../evaluate/index.ts");
  const result = summarizeRatings(await readRatings(ratings, await readRatingKey(key)));
  const [tables, notes] = [ratingTables(result), describeRatings(result)];
  await putTables(flags, result, tables, notes);
  if (tablesDir !== undefined) await writeTables(tablesDir, tables);
  if (report === undefined) return;
  const sections = tables.map((named) => ({ kind: "table" as const, ...named }));
  await putPage(report, await renderSections(title, notes.join(" "), sections));
}
