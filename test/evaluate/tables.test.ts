import { expect, test } from "vitest";
import { type Table, toCsv, toMarkdown, toText } from "../../src/evaluate/index.ts";

const table: Table = {
  columns: [{ label: "name" }, { label: "r_s" }, { label: "n", digits: 0 }, { label: "note" }],
  rows: [
    ["chrF++", 0.46123456, 1540, 'a|b, "c"'],
    ["größer", -0.5, null, "two\nlines"],
    ["x", null, 7, ""],
  ],
};

test("text is aligned, numbers to the right", () => {
  expect(toText(table)).toBe(
    [
      "name       r_s     n  note",
      'chrF++   0.461  1540  a|b, "c"',
      "größer  -0.500     -  two lines",
      "x            -     7",
    ].join("\n"),
  );
});

test("Markdown keeps its bars and its lines", () => {
  expect(toMarkdown(table)).toBe(
    [
      "| name | r_s | n | note |",
      "| --- | ---: | ---: | --- |",
      '| chrF++ | 0.461 | 1540 | a\\|b, "c" |',
      "| größer | -0.500 | - | two lines |",
      "| x | - | 7 |  |",
    ].join("\n"),
  );
});

test("CSV has numbers in full and quotes what needs it", () => {
  expect(toCsv(table)).toBe(
    ["name,r_s,n,note", 'chrF++,0.46123456,1540,"a|b, ""c"""', 'größer,-0.5,,"two\nlines"', "x,,7,"].join("\n"),
  );
});

test("a table without rows is its head", () => {
  const empty = { columns: table.columns, rows: [] };
  expect(toText(empty)).toBe("name  r_s  n  note");
  expect(toCsv(empty)).toBe("name,r_s,n,note");
});
