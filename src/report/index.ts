/** Tables in every format, and self-contained HTML pages with plots. */

export { type Chart, chartFiles } from "./chart.ts";
export type { CodePair } from "./html.ts";
export { toLatex } from "./latex.ts";
export { FORMATS, type Format, formatOfFile, renderTables } from "./render.ts";
export { writeTables } from "./table-files.ts";
export {
  type Cell,
  type Estimated,
  formatCell,
  type NamedTable,
  type Table,
  type TableColumn,
  toCsv,
  toMarkdown,
  toText,
} from "./tables.ts";
