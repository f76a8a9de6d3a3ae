/** Files that `codescore evaluate` writes besides its tables: every table, the report, rating forms; and how it reads them back. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { evaluateVerb } from "../../../src/cli/evaluate.ts";
import { noisyScores, simulatedRows } from "../rows.ts";

const folder = mkdtempSync(join(tmpdir(), "codescore-report-verb-"));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const rows = simulatedRows(8, 6, 3);
const lines = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join("\n");
writeFileSync(at("data.jsonl"), lines(rows));
writeFileSync(
  at("scores.jsonl"),
  lines(noisyScores(rows, 0.2, 2).map((score, i) => ({ id: rows[i]!.sample_id, score, exec: 0.9 }))),
);

async function run(...args: string[]): Promise<string> {
  let printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  await evaluateVerb().exitOverride().parseAsync(args, { from: "user" });
  return printed;
}
const measure = (...more: string[]) =>
  run("--data", at("data.jsonl"), "--scores", at("scores.jsonl"), "--metrics", "bleu", "--resamples", "5", ...more);

it("writes every table in every format, and the cost curve into the report", async () => {
  await measure("--tables-dir", at("tables"), "--report", at("report.html"));
  const files = readdirSync(at("tables")).sort();
  for (const ending of ["md", "csv", "json", "tex"]) {
    expect(files.filter((name) => name.endsWith(`.${ending}`))).toHaveLength(files.length / 4);
    expect(files).toContain(`correlation.${ending}`);
    expect(files).toContain(`exec.${ending}`);
    expect(files).toContain(`cascade.${ending}`);
  }
  const { columns, rows: cells } = JSON.parse(readFileSync(at("tables/correlation.json"), "utf8")) as {
    columns: string[];
    rows: { value: number }[][];
  };
  const csv = parse(readFileSync(at("tables/correlation.csv"), "utf8"), { columns: true }) as Record<string, string>[];
  const spearman = cells[0]![columns.indexOf("r_s")]!.value;
  expect(Number(csv[0]!.r_s)).toBe(spearman); // with all digits
  expect(readFileSync(at("tables/correlation.md"), "utf8")).toContain(spearman.toFixed(3));
  expect(readFileSync(at("tables/correlation.tex"), "utf8")).toContain("\\begin{tabular}");
  const report = readFileSync(at("report.html"), "utf8");
  expect(report).toContain("share of programs executed");
  expect(report).toContain(">oracle of scores</li>");
});

it("draws a rating sheet, and reads its filled forms without the data", async () => {
  await measure("--rating-sheet", at("sheet.html"), "--count", "10", "--seed", "4");
  const form = readFileSync(at("sheet.csv"), "utf8");
  expect(readFileSync(at("sheet.html"), "utf8")).toContain("Program 10 of 10");
  const key = JSON.parse(readFileSync(at("sheet.key.json"), "utf8")) as {
    items: { item: number; scores: { letter: string; metric: string }[] }[];
  };
  const metricOf = new Map(
    key.items.flatMap(({ item, scores }) => scores.map(({ letter, metric }) => [`${item}${letter}`, metric])),
  );
  const worth: Record<string, number> = { bleu: 1, scores: 3, PassRatio: 5 };
  const [head, ...scored] = parse(form) as string[][];
  for (const rater of ["ann", "bob"]) {
    const cells = scored.map(([sheet, , item, letter]) => [
      sheet,
      rater,
      item,
      letter,
      worth[metricOf.get(item! + letter!)!],
    ]);
    writeFileSync(at(`${rater}.csv`), [head!.slice(0, 5), ...cells].map((line) => line.join(",")).join("\n"));
  }
  const forms = ["--ratings", at("ann.csv"), at("bob.csv"), "--key", at("sheet.key.json")];
  const out = await run(
    ...forms,
    "--format",
    "markdown",
    "--report",
    at("ratings.html"),
    "--tables-dir",
    at("ratings"),
  );
  expect(out).toContain("| scores | 3.00 | 0.00 | 0.00 | 20 |");
  // Eight tasks, every difference with the same sign: p = 2 / 2^8, doubled by Holm.
  expect(out).toContain("| bleu | 2.00 | 8 | 0.00781 | 0.01563 |");
  expect(out).toContain("60 ratings by 2 people of the scores of 10 programs.");
  expect(readFileSync(at("ratings.html"), "utf8")).toContain("Krippendorff");
  expect(readdirSync(at("ratings"))).toContain("rating-differences.tex");
});

it("says what is missing", async () => {
  await expect(run("--metrics", "bleu")).rejects.toThrow("--data");
  await expect(run("--ratings", at("ann.csv"))).rejects.toThrow("--ratings needs --key");
  await expect(run("--ratings", at("nobody.csv"), "--key", at("sheet.key.json"))).rejects.toThrow("no such file");
});
