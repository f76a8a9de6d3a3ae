/** `codescore compare`: is one system's agreement with execution really better than another's? */
import { Command, Option } from "commander";
import { CodescoreError } from "../errors.ts";
import { integer } from "./options.ts";

interface CompareFlags {
  readonly data: string;
  readonly scores?: string[];
  readonly metrics?: string;
  readonly format: "text" | "markdown" | "csv" | "json";
  readonly resamples: number;
  readonly seed: number;
}

export const compareVerb = (): Command =>
  new Command("compare")
    .description("Test whether system B agrees with execution better than system A: paired bootstrap over tasks.")
    .requiredOption("--data <file>", "labelled rows, .arrow or .jsonl (from `codescore label`)")
    .option("--scores <file...>", "output of `codescore score`, A first; NAME=FILE names it; repeatable")
    .option("--metrics <names>", "metrics of text to compare with, comma-separated; they come before the files")
    .addOption(
      new Option("--format <format>", "how the table is printed")
        .choices(["text", "markdown", "csv", "json"])
        .default("text"),
    )
    .option("--resamples <n>", "bootstrap resamples", integer(1), 1000)
    .option("--seed <n>", "seed of the bootstrap", integer(0), 1)
    .addHelpText(
      "after",
      `
Examples:
  codescore compare --data test.arrow --scores old=a.jsonl --scores new=b.jsonl
  codescore compare --data test.arrow --metrics chrf --scores scores.jsonl
  codescore compare --data test.arrow --metrics bleu,chrf --format json`,
    )
    .action(run);

async function run(flags: CompareFlags): Promise<void> {
  const { compare, comparisonTable, metricColumn, readRows, readScoreColumns, toCsv, toJson, toMarkdown, toText } =
    await import("../evaluate/index.ts");
  const { getMetric } = await import("../metrics/index.ts");
  const metrics = (flags.metrics?.split(",") ?? []).map((name) => getMetric(name.trim()));
  const systems = metrics.length + (flags.scores?.length ?? 0);
  if (systems !== 2) {
    throw new CodescoreError("usage", `expected two systems from --metrics and --scores together, got ${systems}`);
  }
  const rows = await readRows(flags.data);
  const columns = [
    ...(await Promise.all(metrics.map((metric) => metricColumn(metric, rows)))),
    ...(await readScoreColumns(flags.scores ?? [], rows)),
  ] as const;
  const result = compare({ rows, a: columns[0]!, b: columns[1]!, resamples: flags.resamples, seed: flags.seed });
  const table = comparisonTable(result);
  const { counts, settings } = result;
  const note = `${counts.used} of ${counts.rows} programs, ${counts.tasks} tasks; 95% interval of B - A and two-sided p from ${settings.resamples} resamples of whole tasks.`;
  const text = {
    json: () => toJson(result),
    csv: () => toCsv(table),
    markdown: () => `${toMarkdown(table)}\n\n${note}`,
    text: () => `${toText(table)}\n\n${note}`,
  }[flags.format]();
  process.stdout.write(`${text}\n`);
}
