import { expect, test } from "vitest";
import { renderTables, type Table, toLatex } from "../../src/report/index.ts";
import { escapeLatex } from "../../src/report/latex.ts";
import { formatOfFile } from "../../src/report/render.ts";

const table: Table = {
  columns: [{ label: "a_b" }, { label: "r_s", latex: "$r_s$", best: "highest" }, { label: "MAE", best: "lowest" }],
  rows: [
    ["100% & more", { value: 0.5, low: -0.25, high: 1 }, 0.2],
    ["[x] \\input{secret}", 0.4999, null],
    ["oracle", { value: 0.9, low: null, high: null }, 0.1],
  ],
  quiet: [2],
};

test("a tabular for booktabs: escaped, the best in bold but not in quiet rows, minus signs", () => {
  expect(toLatex(table)).toBe(
    String.raw`\begin{tabular}{lrr}
  \toprule
  a\_b & $r_s$ & MAE \\
  \midrule
  100\% \& more & \textbf{0.500} [$-$0.250, 1.000] & 0.200 \\
  {[}x] \textbackslash{}input\{secret\} & \textbf{0.500} & - \\
  oracle & 0.900 & 0.100 \\
  \bottomrule
\end{tabular}`,
  );
});

test("no text becomes a command, a comment, a cell or an argument", () => {
  const text = "\\{}$&#%_^~<>|\"'`--[*]\n\u0007é";
  expect(escapeLatex(text)).toBe(
    String.raw`\textbackslash{}\{\}\$\&\#\%\_\textasciicircum{}\textasciitilde{}\textless{}\textgreater{}\textbar{}{\char34}\textquotesingle{}\textasciigrave{}-{}-{[}{*}] é`,
  );
});

test("notes and titles are comments, on a line of their own", () => {
  const named = { name: "t", title: "title\n\\evil", note: "note", table: { columns: [{ label: "x" }], rows: [] } };
  const lines = renderTables([named], ["the\nend"], "latex").split("\n");
  expect(lines.slice(0, 3)).toEqual(["% needs \\usepackage{booktabs}", "% title \\evil", "% note"]);
  expect(lines.at(-1)).toBe("% the end");
});

test("one table stands alone, several have titles; CSV has the tables and nothing else", () => {
  const one = { name: "a", title: "A", note: "about a", table: { columns: [{ label: "x" }], rows: [[1]] } };
  expect(renderTables([one], ["end"], "text")).toBe("    x\n1.000\nabout a\n\nend");
  expect(renderTables([one, one], ["end"], "markdown")).toBe(
    "### A\n\n| x |\n| ---: |\n| 1.000 |\n\nabout a\n\n### A\n\n| x |\n| ---: |\n| 1.000 |\n\nabout a\n\nend",
  );
  expect(renderTables([one, one], ["end"], "csv")).toBe("x\n1\n\nx\n1");
});

test.each([
  ["t.tex", "latex"],
  ["a.b/t.MD", "markdown"],
  ["t.csv", "csv"],
  ["t.json", "json"],
  ["t.txt", "text"],
])("%s is %s", (path, format) => expect(formatOfFile(path)).toBe(format));

test.each(["t.pdf", "table"])("%s is refused", (path) => {
  expect(() => formatOfFile(path)).toThrow(".txt, .md, .csv, .json, .tex, or --format");
});
