/** Several tables in one format, for a terminal or a file. */
import { CodescoreError } from "../errors.ts";
import { toLatex } from "./latex.ts";
import { type NamedTable, toCsv, toMarkdown, toText } from "./tables.ts";

export const FORMATS = ["text", "markdown", "csv", "json", "latex"] as const;
export type Format = (typeof FORMATS)[number];

const ENDINGS: Readonly<Record<string, Format>> = {
  txt: "text",
  md: "markdown",
  csv: "csv",
  json: "json",
  tex: "latex",
};

/** The format for a file's extension. @throws `CodescoreError("usage")` for an unknown extension */
export function formatOfFile(path: string): Format {
  const found = ENDINGS[/\.([^.]+)$/.exec(path)?.[1]?.toLowerCase() ?? ""];
  if (found !== undefined) return found;
  const endings = Object.keys(ENDINGS).map((ending) => `.${ending}`);
  throw new CodescoreError("usage", `${path}: expected a file ending in ${endings.join(", ")}, or --format`);
}

/**
 * Tables separated by blank lines. Text, Markdown and LaTeX (in comments) also show the tables' notes, and `notes` at the end.
 * They show titles if there are several tables; LaTeX always does. CSV has only the tables.
 */
export function renderTables(
  tables: readonly NamedTable[],
  notes: readonly string[],
  format: Exclude<Format, "json">,
): string {
  const titled = tables.length > 1;
  const several = (show: (table: NamedTable) => string[], end: string): string =>
    [...tables.map((named) => show(named).join("\n")), end].filter((part) => part !== "").join("\n\n");
  switch (format) {
    case "csv":
      return tables.map(({ table }) => toCsv(table)).join("\n\n");
    case "text":
      return several(
        ({ title, note, table }) => [...(titled ? [title] : []), toText(table), ...(note ? [note] : [])],
        notes.join("\n"),
      );
    case "markdown":
      return several(
        ({ title, note, table }) => [
          ...(titled ? [`### ${title}`, ""] : []),
          toMarkdown(table),
          ...(note ? ["", note] : []),
        ],
        notes.join("\n"),
      );
    case "latex":
      return `% needs \\usepackage{booktabs}\n${several(
        ({ title, note, table }) => [...comments([title, ...(note ? [note] : [])]), toLatex(table)],
        comments(notes).join("\n"),
      )}`;
  }
}

const comments = (lines: readonly string[]): string[] => lines.map((line) => `% ${line.replace(/\s+/g, " ")}`);
