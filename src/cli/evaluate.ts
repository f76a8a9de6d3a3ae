/** `codescore evaluate`: measures how well scores agree with execution, as tables and as a report. */
import { Command, Option } from "commander";
import { CodescoreError } from "../errors.ts";
import type { EvaluationResult, ScoreColumn, TableName } from "../evaluate/index.ts";
import { SUBSETS, type Subset } from "../evaluate/measure/subset.ts";
import type { NamedTable } from "../report/index.ts";
import type { InputFormat, LabelledRow } from "../types.ts";
import { RepeatedIds } from "../util/repeated-ids.ts";
import { addRatingOptions, putRatings, putSheet, type RatingFlags } from "./evaluate/rating.ts";
import { addReportOptions, putReport, type ReportFlags } from "./evaluate/report.ts";
import {
  addRunningOptions,
  inputSeed,
  metricColumns,
  openRunning,
  type Running,
  type RunningFlags,
} from "./evaluate/running.ts";
import { addStageOptions, type StageFlags, stagesOf } from "./evaluate/stages.ts";
import { addMetricOptions, type MetricFlags } from "./options/metrics.ts";
import { addTableOutput, checkTableOutput, isReadAs, putTables, type TableFlags } from "./options/table-output.ts";
import { integer, markIncomplete, modelNames, paths } from "./options/values.ts";

interface EvaluateFlags extends MetricFlags, TableFlags, RatingFlags, ReportFlags, RunningFlags, StageFlags {
  readonly scores?: string[];
  readonly model?: readonly string[] | false;
  readonly execution?: string[];
  readonly dev?: string;
  readonly only?: Subset;
  readonly tables?: string;
  readonly resamples: number;
}

const measuring = (): Command =>
  addTableOutput(
    addMetricOptions(
      new Command("evaluate")
        .description(
          "measure how well scores agree with execution: correlations, ranking within tasks, a report with plots",
        )
        .option("--data <file>", "labelled rows, .arrow or .jsonl, from `codescore label`; required without --ratings")
        .option(
          "--scores <file...>",
          "scores of the same rows, from `codescore score`: .jsonl, .csv or .parquet; NAME=FILE gives them a name; repeatable",
        )
        .option(
          "--model <dir>",
          "score the rows with this model; repeatable (default: the shipped model, also beside --metrics, if there are no --scores)",
          paths,
        )
        .option("--no-model", "use no model: measure only --metrics")
        .option(
          "--metrics <names>",
          "metrics to compare with, comma-separated, such as exact,bleu,chrf (default: none)",
        ),
    )
      .option(
        "--execution <file...>",
        "labels of the same programs from other tests, measured like a metric; NAME=FILE gives them a name; repeatable",
      )
      .option(
        "--dev <file>",
        "labelled rows to choose thresholds on (default: cross-fitted, for each fifth of the tasks on the others)",
      )
      .addOption(
        new Option(
          "--only <subset>",
          "measure a subset: well-formed, programs without syntax errors, unknown names and missing modules",
        ).choices(SUBSETS),
      )
      .option(
        "--tables <names>",
        "correlation, formats, within, best-of, near-misses, cost-curve, binary, exec, calibration, pass@k, models, comma-separated, or all, with an interval for each figure (default: one compact table)",
      ),
  );

export const evaluateVerb = (): Command =>
  addRatingOptions(addReportOptions(addRunningOptions(addStageOptions(measuring()))))
    .option("--resamples <n>", "bootstrap resamples for the intervals", integer(1), 1000)
    .option(
      "--seed <n>",
      "seed of the bootstrap and the rating sheet; if given, also of the inputs (else 0)",
      integer(0),
      1,
    )
    .addHelpText(
      "after",
      `
The columns of the first table:
  mean score       over all programs
  tau, r_s, r_p    correlation with PassRatio: Kendall's, Spearman's, Pearson's
  MAE              mean distance of the score from PassRatio
  within AUC       how often a program that passes every test outscores one of its task that does not; chance is .5
  ms/pair, x BLEU  time for one program; the same as a multiple of BLEU's, if --metrics has bleu
\`difficulty-only oracle\` gives every program the mean PassRatio of its task.

Examples:
  codescore evaluate --data test.arrow --scores scores.jsonl --metrics bleu,chrf --report report.html
  codescore evaluate --data test.arrow --model runs/mine --metrics bleu,bleu-13a,chrf,chrf++
  codescore evaluate --data test.arrow --model small --model tiny --metrics rule
  codescore evaluate --data test.arrow --metrics behaviour --tables correlation,best-of,calibration
  codescore evaluate --data test.arrow --cost-curve --problems problems.jsonl --report report.html
  codescore evaluate --data test.arrow --no-model --metrics bleu,chrf --tables all --output tables.tex
  codescore evaluate --data test.arrow --dev dev.arrow --execution original=few.arrow --tables correlation,binary
  codescore evaluate --data test.arrow --rating-sheet sheet.html --count 50
  codescore evaluate --ratings ratings-*.csv --key sheet.key.json`,
    )
    .action((flags: EvaluateFlags, command: Command) => {
      if (flags.ratings !== undefined) return putRatings(flags);
      return run(flags, inputSeed(flags, command));
    });

async function run(flags: EvaluateFlags, seedOfInputs: number): Promise<void> {
  if (flags.data === undefined) throw new CodescoreError("usage", "required option `--data <file>` not specified");
  checkTableOutput(flags);
  const asked = await tablesAsked(flags);
  const running = await openRunning(flags, seedOfInputs, flags.costCurve !== undefined);
  try {
    await measure(flags, asked, running);
  } finally {
    await running?.close();
  }
}

async function measure(
  flags: EvaluateFlags,
  asked: readonly TableName[] | null,
  running: Running | null,
): Promise<void> {
  const { describeRows, evaluate, readExecutions, readRows, readScoreColumns } = await import("../evaluate/index.ts");
  const metrics = await metricColumns(flags, flags.data, running);
  const rows = await readRows(flags.data);
  warnOfRepeatedIds(rows);
  const devRows = flags.dev === undefined ? null : await readRows(flags.dev);
  const scored = await readScoreColumns(flags.scores ?? [], rows);
  const executions = flags.execution && (await readExecutions(flags.execution, flags.data, rows));
  const models = flags.model === undefined && scored.length === 0 ? [undefined] : flags.model || [];
  const names = modelNames(models);
  const { inputFormat: format } = flags;
  const inFormats = models.length === 1 && (asked?.includes("formats") ?? false);
  const columns = [...scored];
  const devColumns: ScoreColumn[] = [];
  const formats: ScoreColumn[] = [];
  for (const [i, model] of models.entries()) {
    const found = await scoreNow(rows, devRows, { inFormats, name: names[i]!, ...(format && { format }) }, model);
    columns.push(found.column);
    devColumns.push(...found.devColumns);
    formats.push(...found.formats);
  }
  columns.push(...(await metrics.of(rows)));
  if (devRows !== null) devColumns.push(...(await metrics.of(devRows)));
  const stages = await stagesOf(flags, rows, running);
  const { only, resamples, seed } = flags;
  const result = evaluate({
    rows,
    columns,
    resamples,
    seed,
    ...(only && { only }),
    ...(executions && { executions }),
    ...(models.length > 0 && { formats }),
    ...(stages && { stages }),
    ...(devRows && { dev: { rows: devRows, columns: devColumns } }),
  });
  const notes = [...describeRows(result), ...columns.flatMap((column) => column.notes ?? [])];
  await putTables(flags, result, await chosenTables(result, asked, isReadAs(flags)), notes);
  await putReport(flags, result);
  await putSheet(flags, result);
}

function warnOfRepeatedIds(rows: readonly LabelledRow[]): void {
  const ids = new RepeatedIds();
  for (const { task_id, sample_id } of rows) ids.add({ task: task_id, id: sample_id });
  if (ids.warning !== null) process.stderr.write(`${ids.warning}\n`);
}

/** The tables requested by name; null means the compact one. `--dev` without names requests the correlation and binary tables. */
async function tablesAsked({
  tables,
  dev,
  model,
  scores,
  costCurve,
}: EvaluateFlags): Promise<readonly TableName[] | null> {
  const { TABLE_NAMES } = await import("../evaluate/index.ts");
  if (tables === undefined) return dev === undefined ? null : ["correlation", "binary"];
  if (tables === "all") return TABLE_NAMES;
  const names = tables.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(TABLE_NAMES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new CodescoreError("usage", `no table is called \`${unknown}\`; there are ${TABLE_NAMES.join(", ")}, or all`);
  }
  const models = model === undefined && scores === undefined ? 1 : (model || []).length;
  if (names.includes("formats") && models !== 1) {
    throw new CodescoreError("usage", "the table `formats` needs exactly one --model");
  }
  if (names.includes("cost-curve") && costCurve === undefined) {
    throw new CodescoreError("usage", "the table `cost-curve` needs --cost-curve, which runs the programs");
  }
  return names as TableName[];
}

/** @param isRead whether people read the output. If no table is named, they also get the table of models. */
async function chosenTables(
  result: EvaluationResult,
  asked: readonly TableName[] | null,
  isRead: boolean,
): Promise<NamedTable[]> {
  const { correlationTable, isTable, resultTables } = await import("../evaluate/index.ts");
  const tables = resultTables(result);
  const curve = tables.filter(({ name }) => name === "cost-curve");
  const models = isTable(result.models) ? tables.filter(({ name }) => name === "models") : [];
  if (asked !== null) {
    const found = tables.filter((table) => asked.includes(table.name as TableName) || curve.includes(table));
    if (found.length > 0) return found;
    throw new CodescoreError("usage", `no data for the table ${asked.join(", ")}`);
  }
  const compact = { title: "Agreement with PassRatio", table: correlationTable(result, "r_s") };
  return [{ name: "correlation", ...compact }, ...curve, ...(isRead ? models : [])];
}

interface ScoredNow {
  readonly column: ScoreColumn;
  readonly devColumns: readonly ScoreColumn[];
  readonly formats: readonly ScoreColumn[];
}

async function scoreNow(
  rows: readonly LabelledRow[],
  devRows: readonly LabelledRow[] | null,
  { inFormats, name, format }: { readonly inFormats: boolean; readonly name: string; readonly format?: InputFormat },
  model?: string,
): Promise<ScoredNow> {
  const { CodeScorer } = await import("../score/index.ts");
  const { formatColumns, scorerColumn } = await import("../evaluate/index.ts");
  const scorer = await CodeScorer.load(model);
  try {
    const column = await scorerColumn(scorer, rows, name, true, format);
    if (column.scores.includes(null)) markIncomplete();
    return {
      column,
      devColumns: devRows === null ? [] : [await scorerColumn(scorer, devRows, name, true, format)],
      formats: inFormats ? await formatColumns(scorer, rows, true) : [],
    };
  } finally {
    await scorer.close();
  }
}
