/** `codescore datasets stats`: statistics of labelled sets; for folders of them, Tables 1 and 2 of the CodeScore paper. */

import { stat } from "node:fs/promises";
import { Command } from "commander";
import type { Lengths, SetTable, Spread, Stats } from "../../dataset/index.ts";
import { counted } from "../../util/counted.ts";
import { missingLines, statusCounts } from "../options/status.ts";

export const statsVerb = (): Command =>
  new Command("stats")
    .description("print counts, lengths and the distribution of PassRatio, also by the programs' author")
    .argument("<sets...>", "labelled sets (.arrow, .parquet, .jsonl), or folders with train, dev and test.arrow")
    .option("--json", "print JSON instead of tables")
    .addHelpText(
      "after",
      `
For folders it prints Tables 1 and 2 of the CodeScore paper, one row per set.

Examples:
  $ codescore datasets stats labels.arrow
  $ codescore datasets stats labels.arrow --json
  $ codescore datasets stats sets/mbpp-eval sets/apps-eval sets/he-eval`,
    )
    .action(async (sets: string[], options: { json?: boolean }) => {
      const { setTable, stats } = await import("../../dataset/index.ts");
      const tables: SetTable[] = [];
      for (const path of sets) {
        const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true;
        if (isFolder) tables.push(await setTable(path));
        else {
          const found = await stats(path);
          process.stdout.write(options.json ? `${JSON.stringify(found, null, 2)}\n` : statsText(found));
        }
      }
      if (tables.length === 0) return;
      process.stdout.write(options.json ? `${JSON.stringify(tables, null, 2)}\n` : tablesText(tables));
    });

function tablesText(tables: readonly SetTable[]): string {
  const count = (n: number | null): string => (n === null ? "-" : n.toLocaleString("en"));
  const fixed = (n: number | null, digits: number): string => n?.toFixed(digits) ?? "-";
  const first = tables.map(({ name, examples, perTask, length }) => [
    name,
    count(examples.train),
    count(examples.dev),
    count(examples.test),
    "1",
    fixed(perTask.references, 1),
    fixed(perTask.candidates, 1),
    `${fixed(perTask.tests, 0)} (${fixed(perTask.originalTests, 0)})`,
    fixed(length.description, 1),
    fixed(length.reference, 1),
    fixed(length.candidate, 1),
  ]);
  const second = tables.map(({ name, passRatio, passAt1 }) => [
    name,
    ...(["train", "dev", "test"] as const).map((split) => fixed(passRatio[split], 4)),
    ...(["train", "dev", "test"] as const).map((split) => fixed(passAt1[split], 4)),
  ]);
  const firstHead = ["examples, number a task, mean length", "train", "dev", "test", "NL", "RefCode", "GenCode"];
  return [
    aligned([[...firstHead, "tests (original)", "NL", "RefCode", "GenCode"], ...first]),
    "",
    aligned([["AvgPassRatio, Pass@1", "train", "dev", "test", "train", "dev", "test"], ...second]),
    "",
  ].join("\n");
}

function statsText(stats: Stats): string {
  const { counts, histogram, lengths } = stats;
  const head = ["", "rows", "with PassRatio", "0", "between", "1", "mean", "executable"];
  const table = [head, spreadCells("all", stats), ...stats.byMaker.map((maker) => spreadCells(maker.madeBy, maker))];
  const parts = Object.entries<Lengths | null>(lengths).map(([part, length]) =>
    length === null
      ? [part, "-", "-", "-"]
      : [part, length.mean.toFixed(1), length.median.toFixed(0), length.p95.toFixed(0)],
  );
  return [
    `${counted(counts.rows, "row")} on ${counted(counts.problems, "problem")}: ${statusCounts(counts)}`,
    ...missingLines(counts.missing),
    "",
    aligned(table),
    "",
    `PassRatio: ${histogram.zero} at 0; ${histogram.between.join(" ")} in tenths between; ${histogram.one} at 1`,
    "",
    aligned([["words and symbols", "mean", "median", "95%"], ...parts]),
    "",
  ].join("\n");
}

const spreadCells = (name: string, spread: Spread): string[] => [
  name,
  `${spread.rows}`,
  `${spread.labelled}`,
  percent(spread.zero),
  percent(spread.between),
  percent(spread.one),
  spread.meanPassRatio?.toFixed(3) ?? "-",
  percent(spread.executable),
];

const percent = (share: number | null): string => (share === null ? "-" : `${(100 * share).toFixed(1)}%`);

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "))
    .join("\n");
}
