/** Output file and format of a verb's tables. */
import { type Command, Option } from "commander";
import type { NamedTable } from "../../report/index.ts";
import { FORMATS, type Format, formatOfFile } from "../../report/render.ts";

export interface TableFlags {
  readonly format?: Format;
  readonly output?: string;
}

export const addTableOutput = (command: Command): Command =>
  command
    .addOption(
      new Option("--format <format>", "format of the tables (default: text, or by the ending of --output)").choices(
        FORMATS,
      ),
    )
    .option("--output <file>", "write the tables to a file: .txt, .md, .csv, .json or .tex");

const formatOf = ({ format, output }: TableFlags): Format =>
  format ?? (output === undefined ? "text" : formatOfFile(output));

/** Whether the format is meant to be read by people. */
export const isReadAs = (flags: TableFlags): boolean => ["text", "markdown"].includes(formatOf(flags));

/**
 * Prints the tables or writes them to the output file. For JSON, writes the whole result instead. For JSON and CSV, which have no
 * place for notes, prints the notes to stderr.
 */
export async function putTables(
  flags: TableFlags,
  result: object,
  tables: readonly NamedTable[],
  notes: readonly string[],
): Promise<void> {
  const { renderTables, toJson } = await import("../../evaluate/index.ts");
  const as = formatOf(flags);
  const { output } = flags;
  const text = `${as === "json" ? toJson(result) : renderTables(tables, notes, as)}\n`;
  if (as === "json" || as === "csv") process.stderr.write(notes.map((note) => `${note}\n`).join(""));
  if (output === undefined) {
    process.stdout.write(text);
    return;
  }
  const { writeAtomic } = await import("../../util/files.ts");
  await writeAtomic(output, text);
  process.stderr.write(`wrote ${output}\n`);
}

/** Throws `CodescoreError("usage")` if the output's ending names no format. Call it before anything is computed. */
export function checkTableOutput({ format, output }: TableFlags): void {
  if (output !== undefined && format === undefined) formatOfFile(output);
}
