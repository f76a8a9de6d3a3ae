/** `codescore evaluate`: how well scores agree with execution, as a table and as a report. */
import { basename } from "node:path";
import { Command, Option } from "commander";
import type { EvaluationResult, ReportSection, ScoreColumn } from "../evaluate/index.ts";
import type { LabelledRow } from "../types.ts";
import { integer, markIncomplete } from "./options.ts";

interface EvaluateFlags {
  readonly data: string;
  readonly scores?: string[];
  readonly model?: string | false;
  readonly metrics: string;
  readonly format: "text" | "markdown" | "csv" | "json";
  readonly report?: string;
  readonly title?: string;
  readonly training?: string;
  readonly rtc?: string;
  readonly resamples: number;
  readonly seed: number;
}

export const evaluateVerb = (): Command =>
  new Command("evaluate")
    .description("Measure how well scores agree with execution: correlations, skill within tasks, a report with plots.")
    .requiredOption("--data <file>", "labelled rows, .arrow or .jsonl (from `codescore label`)")
    .option("--scores <file...>", "output of `codescore score` for the same rows; NAME=FILE names it; repeatable")
    .option("--model <dir>", "score with this model now (default: the shipped model, when no --scores are given)")
    .option("--no-model", "measure the metrics of text only")
    .option(
      "--metrics <names>",
      "metrics of text to put beside them, comma-separated; `none` for none",
      "exact,bleu,chrf",
    )
    .option("--report <file>", "also write a report with plots, one HTML file that needs nothing else")
    .option("--title <text>", "title of the report (default: the name of the data file)")
    .option("--training <dir>", "show the curves of a training run in the report")
    .option("--rtc <dir>", "show the summary of an RTC run in the report")
    .addOption(
      new Option("--format <format>", "how the tables are printed")
        .choices(["text", "markdown", "csv", "json"])
        .default("text"),
    )
    .option("--resamples <n>", "bootstrap resamples for the interval", integer(1), 1000)
    .option("--seed <n>", "seed of the bootstrap", integer(0), 1)
    .addHelpText(
      "after",
      `
Examples:
  codescore evaluate --data test.arrow --scores scores.jsonl --report report.html
  codescore evaluate --data test.arrow --model runs/mine --metrics bleu,bleu-13a,chrf,chrf++
  codescore evaluate --data test.arrow --no-model --format markdown`,
    )
    .action(run);

async function run(flags: EvaluateFlags): Promise<void> {
  const { evaluate, readRows, readScoreColumns, metricColumn, renderReport } = await import("../evaluate/index.ts");
  const { getMetric } = await import("../metrics/index.ts");
  const names = flags.metrics === "none" ? [] : flags.metrics.split(",").map((name) => name.trim());
  const metrics = [...new Set(names)].map(getMetric);
  const rows = await readRows(flags.data);
  const columns = await readScoreColumns(flags.scores ?? [], rows);
  if (typeof flags.model === "string" || (flags.model === undefined && columns.length === 0)) {
    const scored = await scoreNow(rows, flags.model);
    if (scored.scores.includes(null)) markIncomplete();
    columns.push(scored);
  }
  columns.push(...(await Promise.all(metrics.map((metric) => metricColumn(metric, rows)))));
  const result = evaluate({ rows, columns, resamples: flags.resamples, seed: flags.seed });
  process.stdout.write(`${await print(result, flags.format)}\n`);
  if (flags.report === undefined) return;
  const { writeAtomic } = await import("../util/files.ts");
  const title = flags.title ?? basename(flags.data);
  await writeAtomic(flags.report, renderReport(result, { title, sections: await sections(flags) }));
  process.stderr.write(`wrote ${flags.report}\n`);
}

/** What the other steps left, to be shown below the evaluation. */
async function sections({ data, training, rtc }: EvaluateFlags): Promise<ReportSection[]> {
  const { manifestSection, rtcSection, trainingSection } = await import("../evaluate/index.ts");
  const { exists } = await import("../util/files.ts");
  return [
    ...((await exists(`${data}.manifest.json`)) ? [await manifestSection(data)] : []),
    ...(training === undefined ? [] : [await trainingSection(training)]),
    ...(rtc === undefined ? [] : [await rtcSection(rtc)]),
  ];
}

async function scoreNow(rows: readonly LabelledRow[], model?: string): Promise<ScoreColumn> {
  const { CodeScorer } = await import("../score/index.ts");
  const { scorerColumn } = await import("../evaluate/index.ts");
  const scorer = await CodeScorer.load(model);
  try {
    return await scorerColumn(scorer, rows, model === undefined ? "codescore" : basename(model), true);
  } finally {
    await scorer.close();
  }
}

async function print(result: EvaluationResult, format: EvaluateFlags["format"]): Promise<string> {
  const { correlationTable, describeRows, execTable, intervalTable, toCsv, toJson, toMarkdown, toText } = await import(
    "../evaluate/index.ts"
  );
  if (format === "json") return toJson(result);
  if (format === "csv") return toCsv(correlationTable(result));
  const show = format === "markdown" ? toMarkdown : toText;
  const more = [execTable(result), intervalTable(result)].filter((table) => table !== null);
  const tables = [correlationTable(result), ...more].map(show);
  return [...tables, describeRows(result).join("\n")].join("\n\n");
}
