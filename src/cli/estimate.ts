/** `codescore estimate`: how good a set of programs is, from scores for all and executions for a few. */
import { Command, InvalidArgumentError, Option } from "commander";
import { CodescoreError } from "../errors.ts";
import type { Draw } from "../evaluate/index.ts";
import { integer, number } from "./options.ts";

interface EstimateFlags {
  readonly data: string;
  readonly scores?: string;
  readonly metrics?: string;
  readonly budget: number | "all";
  readonly draw: Draw;
  readonly format: "text" | "markdown" | "csv" | "json";
  readonly seed: number;
}

export const estimateVerb = (): Command =>
  new Command("estimate")
    .description("Estimate AvgPassRatio and pass@1 from scores for all programs and executions for a few (PPI++).")
    .requiredOption("--data <file>", "labelled rows, .arrow or .jsonl (from `codescore label`)")
    .option("--scores <file>", "output of `codescore score` for the same rows; NAME=FILE names it")
    .option("--metrics <name>", "or a metric of text in its place")
    .option(
      "--budget <share>",
      "share of the programs whose labels may be seen, drawn at random; `all`: every label that is there is an execution",
      budget,
      0.1,
    )
    .addOption(
      new Option("--draw <design>", "execute some programs of every task, or all programs of some tasks")
        .choices(["within", "tasks"])
        .default("within"),
    )
    .addOption(
      new Option("--format <format>", "how the table is printed")
        .choices(["text", "markdown", "csv", "json"])
        .default("text"),
    )
    .option("--seed <n>", "seed of the drawing", integer(0), 1)
    .addHelpText(
      "after",
      `
Examples:
  codescore estimate --data test.arrow --scores scores.jsonl
  codescore estimate --data test.arrow --scores scores.jsonl --budget 0.2 --seed 7
  codescore estimate --data some-executed.arrow --scores scores.jsonl --budget all`,
    )
    .action(run);

function budget(text: string): number | "all" {
  if (text === "all") return "all";
  const share = number(0, 1)(text);
  if (share === 0) throw new InvalidArgumentError("Expected a share above 0, or `all`.");
  return share;
}

async function run(flags: EstimateFlags): Promise<void> {
  const { estimate, estimateTable, metricColumn, readRows, readScoreColumns, toCsv, toJson, toMarkdown, toText } =
    await import("../evaluate/index.ts");
  const { getMetric } = await import("../metrics/index.ts");
  if ((flags.scores === undefined) === (flags.metrics === undefined)) {
    throw new CodescoreError("usage", "expected either --scores or --metrics");
  }
  const metric = flags.metrics === undefined ? null : getMetric(flags.metrics);
  const rows = await readRows(flags.data);
  const column = metric ? await metricColumn(metric, rows) : (await readScoreColumns([flags.scores!], rows))[0]!;
  const result = estimate({ rows, column, budget: flags.budget, draw: flags.draw, seed: flags.seed });
  const table = estimateTable(result);
  const { counts, measures } = result;
  const note = [
    `${counts.executed} of ${counts.programs} programs executed (${counts.tasks} tasks), scores for all from ${column.name}${counts.leftOut > 0 ? `; ${counts.leftOut} rows without a label left out` : ""}.`,
    ...measures.flatMap(({ measure, widthRatio }) =>
      widthRatio === null ? [] : [`${measure}: the interval with scores is ${widthRatio.toFixed(2)} times as wide.`],
    ),
  ].join("\n");
  const text = {
    json: () => toJson(result),
    csv: () => toCsv(table),
    markdown: () => `${toMarkdown(table)}\n\n${note}`,
    text: () => `${toText(table)}\n\n${note}`,
  }[flags.format]();
  process.stdout.write(`${text}\n`);
}
