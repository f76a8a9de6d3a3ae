/** Every table in every format, as files in a folder. */
import { join } from "node:path";
import { writeAtomic } from "../util/files.ts";
import { toLatex } from "./latex.ts";
import { type NamedTable, toCsv, toMarkdown } from "./tables.ts";

const FORMATS: Readonly<Record<string, (named: NamedTable) => string>> = {
  md: ({ table }) => toMarkdown(table),
  csv: ({ table }) => toCsv(table),
  tex: ({ table }) => toLatex(table),
  json: ({ title, note, table: { columns, rows } }) =>
    JSON.stringify({ title, note, columns: columns.map(({ label }) => label), rows }, null, 2),
};

/** Writes `NAME.md`, `.csv`, `.tex` (for booktabs) and `.json` of each table. Creates the folder. */
export async function writeTables(folder: string, tables: readonly NamedTable[]): Promise<void> {
  for (const named of tables) {
    for (const [ending, write] of Object.entries(FORMATS)) {
      await writeAtomic(join(folder, `${named.name}.${ending}`), `${write(named)}\n`);
    }
  }
}
