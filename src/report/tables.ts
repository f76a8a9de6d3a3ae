/** Tables as people and programs read them: aligned text, Markdown, CSV (LaTeX: latex.ts). Numbers are rounded but in CSV. */

/** A figure with the interval around it; null where undefined. */
export interface Estimated {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export type Cell = string | number | null | Estimated;

export interface TableColumn {
  readonly label: string;
  /** The label in LaTeX, as it stands; without one the label is escaped. */
  readonly latex?: string;
  /** Digits after the point, where the cells are numbers. @default 3 */
  readonly digits?: number;
  /** Which value is best, to be set off where the format can. */
  readonly best?: "highest" | "lowest";
}

export interface Table {
  readonly columns: readonly TableColumn[];
  /** One cell a column; null is a value that does not exist. */
  readonly rows: readonly (readonly Cell[])[];
  /** Rows to stay in the background and never be best, by number: oracles, the labels themselves. */
  readonly quiet?: readonly number[];
}

export interface NamedTable {
  /** What it is called on the command line and as a file, e.g. `best-of`. */
  readonly name: string;
  readonly title: string;
  /** What must be known to read it. */
  readonly note?: string;
  readonly table: Table;
}

/** A number with so many digits after the point; what rounds to zero has no sign. */
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

/** The number in a cell, of an interval its middle; null where it holds none. */
export const numberIn = (cell: Cell | undefined): number | null =>
  typeof cell === "number" ? cell : typeof cell === "object" && cell !== null ? cell.value : null;

/** True where the column's cells are numbers, to be aligned on the right. */
export const isNumeric = ({ rows }: Table, column: number): boolean =>
  rows.some((row) => numberIn(row[column]) !== null) || rows.every((row) => typeof row[column] !== "string");

/** How the best value of each column is shown, for setting off what is shown alike; null where none is best. */
export function bestTexts({ columns, rows, quiet = [] }: Table): (string | null)[] {
  return columns.map((column, i) => {
    const values = rows.flatMap((row, r) => (quiet.includes(r) ? [] : (numberIn(row[i]) ?? [])));
    if (column.best === undefined || values.length < 2) return null;
    const extreme = column.best === "highest" ? Math.max(...values) : Math.min(...values);
    return formatCell(extreme, column);
  });
}

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

/** CSV as RFC 4180 has it, numbers in full, null empty; a column with intervals is three: `x`, `x low`, `x high`. */
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
