/** `codescore datasets`: what is in labelled sets, and their division by problem. */
import { Command } from "commander";
import type { Counts, Lengths, Spread, Stats } from "../dataset/index.ts";
import { integer, number } from "./options.ts";

export const datasetsVerb = (): Command =>
  new Command("datasets")
    .description("describe and split labelled sets")
    .addCommand(statsVerb())
    .addCommand(splitVerb())
    .addHelpText(
      "after",
      `
Examples:
  $ codescore datasets stats labels.arrow
  $ codescore datasets split labels.arrow --output sets --dev 0.1 --test 0.2`,
    );

const statsVerb = (): Command =>
  new Command("stats")
    .description("rows, problems, how PassRatio is spread, lengths, and the same by who made the programs")
    .argument("<file>", "a labelled set (.arrow, .jsonl, .jsonl.gz)")
    .option("--json", "print JSON instead of a table")
    .addHelpText(
      "after",
      "\nExamples:\n  $ codescore datasets stats labels.arrow\n  $ codescore datasets stats labels.arrow --json",
    )
    .action(async (file: string, options: { json?: boolean }) => {
      const { stats } = await import("../dataset/index.ts");
      const found = await stats(file);
      process.stdout.write(options.json ? `${JSON.stringify(found, null, 2)}\n` : statsText(found));
    });

const splitVerb = (): Command =>
  new Command("split")
    .description("write train.arrow, dev.arrow and test.arrow, divided by problem and never by row")
    .argument("<file>", "a labelled set (.arrow, .jsonl, .jsonl.gz)")
    .requiredOption("--output <folder>", "where the three sets go")
    .option("--dev <share>", "share of the problems (default: 0.1)", number(0, 1))
    .option("--test <share>", "share of the problems (default: 0.1)", number(0, 1))
    .option("--seed <n>", "another division (default: 0)", integer(0))
    .addHelpText(
      "after",
      "\nExamples:\n  $ codescore datasets split labels.arrow --output sets\n  $ codescore datasets split labels.arrow --output sets --dev 0 --test 0.2 --seed 7",
    )
    .action(async (file: string, options: { output: string; dev?: number; test?: number; seed?: number }) => {
      const { splitFile } = await import("../dataset/index.ts");
      const { output, ...shares } = options;
      const counts = await splitFile(file, output, shares);
      for (const [split, { rows, problems }] of Object.entries<Counts>(counts)) {
        process.stderr.write(`wrote ${output}/${split}.arrow: ${rows} rows on ${problems} problems\n`);
      }
    });

function statsText(stats: Stats): string {
  const { counts, histogram, lengths } = stats;
  const head = ["", "rows", "labelled", "0", "between", "1", "mean", "executable"];
  const table = [head, spreadCells("all", stats), ...stats.byMaker.map((maker) => spreadCells(maker.madeBy, maker))];
  const parts = Object.entries<Lengths | null>(lengths).map(([part, length]) =>
    length === null
      ? [part, "-", "-", "-"]
      : [part, length.mean.toFixed(1), length.median.toFixed(0), length.p95.toFixed(0)],
  );
  return [
    `${counts.rows} rows on ${counts.problems} problems: ${counts.labelled} labelled, ${counts.no_label} no_label, ${counts.infra} infra`,
    "",
    aligned(table),
    "",
    `PassRatio: ${histogram.zero} at 0; ${histogram.between.join(" ")} in tenths between; ${histogram.one} at 1`,
    "",
    aligned([["words and signs", "mean", "median", "95%"], ...parts]),
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
