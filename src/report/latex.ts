/** A table in LaTeX, for the package booktabs. Cells cannot contain TeX commands, because special characters are escaped. */
import { bestTexts, formatCell, isNumeric, type Table } from "./tables.ts";

const SPECIAL: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  '"': "{\\char34}",
  "'": "\\textquotesingle{}",
  "`": "\\textasciigrave{}",
  // After a line's `\\`, TeX would read these as its argument.
  "[": "{[}",
  "*": "{*}",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what TeX refuses
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f]/g;

/** Text as TeX prints it, on one line. Non-ASCII letters stay as they are. */
export const escapeLatex = (text: string): string =>
  text
    .replace(CONTROL, "")
    .replace(/\s+/g, " ")
    .replace(/[\\{}$&#%_^~<>|"'`[*]/g, (character) => SPECIAL[character]!)
    .replace(/-(?=-)/g, "-{}"); // so that TeX does not turn hyphens into a dash

const minus = (number: string): string => number.replace(/-(?=\d)/g, "$-$");

/** A `tabular` with the best value of each column in bold. */
export function toLatex(table: Table): string {
  const best = bestTexts(table);
  const numeric = table.columns.map((_, i) => isNumeric(table, i));
  const rows = table.rows.map((row, r) =>
    table.columns.map((column, i) => {
      const cell = row[i];
      if (typeof cell === "string") return escapeLatex(cell);
      const [value, interval] = formatCell(cell, column).split(/ (?=\[)/);
      const isBest = best[i] !== null && value === best[i] && !table.quiet?.includes(r);
      return [isBest ? `\\textbf{${minus(value!)}}` : minus(value!), ...(interval ? [minus(interval)] : [])].join(" ");
    }),
  );
  const line = (cells: readonly string[]): string => `  ${cells.join(" & ")} \\\\`;
  return [
    `\\begin{tabular}{${numeric.map((is) => (is ? "r" : "l")).join("")}}`,
    "  \\toprule",
    line(table.columns.map(({ label, latex }) => latex ?? escapeLatex(label))),
    "  \\midrule",
    ...rows.map(line),
    "  \\bottomrule",
    "\\end{tabular}",
  ].join("\n");
}
