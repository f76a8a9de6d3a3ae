/** Tables as people and programs read them: aligned text, Markdown, CSV. Numbers are rounded but in CSV. */

export type Cell = string | number | null;

export interface TableColumn {
  readonly label: string;
  /** Digits after the point, where the cells are numbers. @default 3 */
  readonly digits?: number;
  /** Which value is best, to be set off where the format can. */
  readonly best?: "highest" | "lowest";
}

export interface Table {
  readonly columns: readonly TableColumn[];
  /** One cell a column; null is a value that does not exist. */
  readonly rows: readonly (readonly Cell[])[];
}

/** A cell as shown: rounded, `-` for null. */
export function formatCell(cell: Cell | undefined, { digits = 3 }: TableColumn): string {
  if (cell === null || cell === undefined) return "-";
  return typeof cell === "number" ? cell.toFixed(digits) : cell;
}

/** True where the column's cells are numbers, to be aligned on the right. */
export const isNumeric = ({ rows }: Table, column: number): boolean =>
  rows.some((row) => typeof row[column] === "number") || rows.every((row) => row[column] === null);

/** Columns aligned with spaces, two between them, for terminals. */
export function toText(table: Table): string {
  const lines = [
    table.columns.map(({ label }) => label),
    ...table.rows.map((row) => table.columns.map((column, i) => formatCell(row[i], column).replace(/\s+/g, " "))),
  ];
  const widths = table.columns.map((_, i) => Math.max(...lines.map((line) => width(line[i]!))));
  return lines
    .map((line) =>
      line
        .map((text, i) => {
          const padding = " ".repeat(widths[i]! - width(text));
          return isNumeric(table, i) ? padding + text : text + padding;
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const width = (text: string): number => Array.from(text).length;

/** A GitHub-flavoured Markdown table. */
export function toMarkdown(table: Table): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((text) => text.replace(/\\/g, "\\\\").replace(/\|/g, "\\|").replace(/\s+/g, " ")).join(" | ")} |`;
  return [
    line(table.columns.map(({ label }) => label)),
    `| ${table.columns.map((_, i) => (isNumeric(table, i) ? "---:" : "---")).join(" | ")} |`,
    ...table.rows.map((row) => line(table.columns.map((column, i) => formatCell(row[i], column)))),
  ].join("\n");
}

/** CSV as RFC 4180 has it, numbers in full, null empty. */
export function toCsv(table: Table): string {
  const field = (cell: Cell | undefined): string => {
    const text = cell === null || cell === undefined ? "" : String(cell);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [table.columns.map(({ label }) => field(label)), ...table.rows.map((row) => row.map(field))]
    .map((fields) => fields.join(","))
    .join("\n");
}
