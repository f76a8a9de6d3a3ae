import { describe, expect, it, test } from "vitest";
import { type Table, toCsv, toMarkdown, toText } from "../../src/report/index.ts";
import { bestTexts } from "../../src/report/tables.ts";

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

describe("figures with intervals", () => {
  const bounded: Table = {
    columns: [{ label: "metric" }, { label: "r_s", best: "highest" }],
    rows: [
      ["a", { value: 0.5, low: -0.25, high: 0.75 }],
      ["b", { value: null, low: null, high: null }],
      ["c", 0.4],
      ["oracle", { value: 0.9, low: null, high: null }],
    ],
    quiet: [3],
  };

  it("are shown in brackets", () => {
    expect(toText(bounded)).toBe(
      [
        "metric                    r_s",
        "a       0.500 [-0.250, 0.750]",
        "b                           -",
        "c                       0.400",
        "oracle                  0.900",
      ].join("\n"),
    );
  });

  it("are three columns of CSV, in every row", () => {
    expect(toCsv(bounded)).toBe(
      ["metric,r_s,r_s low,r_s high", "a,0.5,-0.25,0.75", "b,,,", "c,0.4,,", "oracle,0.9,,"].join("\n"),
    );
  });

  it("are compared by their values, quiet rows aside", () => {
    expect(bestTexts(bounded)).toEqual([null, "0.500"]);
  });
});
