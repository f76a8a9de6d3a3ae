/** Tables for people and programs: aligned text, Markdown, CSV (LaTeX: latex.ts). Numbers are rounded, except in CSV. */

/** A value with its interval. Null if undefined. */
export interface Estimated {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export type Cell = string | number | null | Estimated;

export interface TableColumn {
  readonly label: string;
  /** The label in LaTeX, used verbatim. @default the escaped label */
  readonly latex?: string;
  /** Digits after the decimal point, for numbers. @default 3 */
  readonly digits?: number;
  /** Which value is best. It is highlighted if the format allows. */
  readonly best?: "highest" | "lowest";
}

export interface Table {
  readonly columns: readonly TableColumn[];
  /** One cell per column. Null is a value that does not exist. */
  readonly rows: readonly (readonly Cell[])[];
  /** Indices of rows that are muted and never best, e.g. oracles or the labels themselves. */
  readonly quiet?: readonly number[];
}

export interface NamedTable {
  /** Name on the command line and as a file, e.g. `best-of`. */
  readonly name: string;
  readonly title: string;
  /** What a reader must know to understand it. */
  readonly note?: string;
  readonly table: Table;
}

/** A number with `digits` digits after the decimal point. A number that rounds to zero has no sign. */
export const fixed = (value: number, digits = 3): string => value.toFixed(digits).replace(/^-(?=0(?:\.0*)?$)/, "");

/** A cell as shown: rounded, with its interval in brackets, `-` for null. */
export function formatCell(cell: Cell | undefined, column: TableColumn): string {
  if (cell === null || cell === undefined) return "-";
  if (typeof cell === "string") return cell;
  const rounded = (value: number): string => fixed(value, column.digits);
  if (typeof cell === "number") return rounded(cell);
  const { value, low, high } = cell;
  if (value === null) return "-";
  return low === null || high === null ? rounded(value) : `${rounded(value)} [${rounded(low)}, ${rounded(high)}]`;
}

/** The number in a cell, without its interval. Null if there is none. */
export const numberIn = (cell: Cell | undefined): number | null =>
  typeof cell === "number" ? cell : typeof cell === "object" && cell !== null ? cell.value : null;

/** Whether the column's cells are numbers, which are aligned right. */
export const isNumeric = ({ rows }: Table, column: number): boolean =>
  rows.some((row) => numberIn(row[column]) !== null) || rows.every((row) => typeof row[column] !== "string");

/** The best value of each column as text. All cells with that text are highlighted. Null if no value is best. */
export function bestTexts({ columns, rows, quiet = [] }: Table): (string | null)[] {
  return columns.map((column, i) => {
    const values = rows.flatMap((row, r) => (quiet.includes(r) ? [] : (numberIn(row[i]) ?? [])));
    if (column.best === undefined || values.length < 2) return null;
    const extreme = column.best === "highest" ? Math.max(...values) : Math.min(...values);
    return formatCell(extreme, column);
  });
}

/** Columns aligned with spaces and two spaces apart, for terminals. */
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

/** CSV as in RFC 4180. Numbers are unrounded and null is empty. A column with intervals becomes three: `x`, `x low`, `x high`. */
export function toCsv({ columns, rows }: Table): string {
  const bounded = columns.map((_, i) => rows.some((row) => typeof row[i] === "object" && row[i] !== null));
  const field = (cell: string | number | null): string => {
    const text = cell === null ? "" : String(cell);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const head = columns.flatMap(({ label }, i) => (bounded[i] ? [label, `${label} low`, `${label} high`] : [label]));
  const body = rows.map((row) =>
    columns.flatMap((_, i) => {
      const cell = row[i] ?? null;
      if (typeof cell === "object" && cell !== null) return [cell.value, cell.low, cell.high];
      return bounded[i] ? [cell, null, null] : [cell];
    }),
  );
  return [head, ...body].map((fields) => fields.map(field).join(",")).join("\n");
}
