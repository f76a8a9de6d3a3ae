/**
 * `codescore compare`: compares the programs of two models (compare/models.ts). With --data it tests which of two metrics agrees better with
 * execution.
 */

import { Command, Option } from "commander";
import { CodescoreError } from "../errors.ts";
import type { ScoreColumn } from "../evaluate/index.ts";
import { SUBSETS, type Subset } from "../evaluate/measure/subset.ts";
import type { InputFormat, LabelledRow } from "../types.ts";
import { counted } from "../util/counted.ts";
import {
  addRunningOptions,
  inputSeed,
  metricColumns,
  openRunning,
  type Running,
  type RunningFlags,
} from "./evaluate/running.ts";
import { addMetricOptions, type MetricFlags } from "./options/metrics.ts";
import { addTableOutput, checkTableOutput, putTables, type TableFlags } from "./options/table-output.ts";
import { integer, modelNames, paths } from "./options/values.ts";

interface CompareFlags extends MetricFlags, TableFlags, RunningFlags {
  readonly data?: string;
  readonly metrics?: string;
  readonly model?: readonly string[];
  readonly scores?: string[];
  readonly only?: Subset;
  readonly resamples: number;
  readonly seed: number;
}

const comparing = (): Command =>
  addTableOutput(
    addMetricOptions(
      new Command("compare")
        .description(
          "test whether B is better than A, by a paired bootstrap over tasks: the programs of two models, or with --data how well two metrics agree with execution",
        )
        .argument(
          "[files...]",
          "scores or labels of two models' programs, from `codescore score` or `label`; NAME=FILE names them",
        )
        .option("--data <file>", "labelled rows, .arrow or .jsonl (from `codescore label`), to compare two metrics on")
        .option("--metrics <names>", "metrics to compare, comma-separated; come first")
        .option("--model <dir>", "model to compare; comes after the metrics; repeatable", paths)
        .option(
          "--scores <file...>",
          "output of `codescore score`, .jsonl, .csv or .parquet; comes last; NAME=FILE names it; repeatable",
        ),
    ).addOption(
      new Option(
        "--only <subset>",
        "compare on a subset: well-formed, programs without syntax errors, unknown names and missing modules",
      ).choices(SUBSETS),
    ),
  );

export const compareVerb = (): Command =>
  addRunningOptions(comparing())
    .option("--resamples <n>", "bootstrap resamples", integer(1), 1000)
    .option("--seed <n>", "seed of the bootstrap; if given, also of the inputs (else 0)", integer(0), 1)
    .addHelpText(
      "after",
      `
Two files: one of each model, for the same tasks. From \`codescore score --problems P --samples S\`: the mean score, and with --run
the mean probability of passing every test. From \`codescore label\`: AvgPassRatio and pass@1. Means are over tasks.

Examples:
  codescore compare gpt=gpt-scores.jsonl llama=llama-scores.jsonl
  codescore compare gpt.arrow llama.arrow
  codescore compare --data test.arrow --scores old=a.jsonl --scores new=b.jsonl
  codescore compare --data test.arrow --metrics rule --model small --only well-formed
  codescore compare --data test.arrow --model runs/one --model runs/two
  codescore compare --data test.arrow --metrics rule,behaviour
  codescore compare --data test.arrow --metrics bleu,chrf --output table.tex`,
    )
    .action(async (files: string[], flags: CompareFlags, command: Command) => {
      checkTableOutput(flags);
      if (files.length > 0) return (await import("./compare/models.ts")).compareFiles(files, { ...flags });
      if (flags.data === undefined) {
        throw new CodescoreError("usage", "expected two files, or --data with two metrics to compare");
      }
      const running = await openRunning(flags, inputSeed(flags, command));
      try {
        await run(flags, running);
      } finally {
        await running?.close();
      }
    });

async function run(flags: CompareFlags, running: Running | null): Promise<void> {
  const { compare, comparisonTable, readRows, readScoreColumns } = await import("../evaluate/index.ts");
  const { model: models = [], scores = [], inputFormat, only, resamples, seed } = flags;
  const data = flags.data!;
  const metrics = await metricColumns(flags, data, running);
  const systems = metrics.count + models.length + scores.length;
  if (systems !== 2) {
    throw new CodescoreError(
      "usage",
      `expected two systems from --metrics, --model and --scores together, got ${systems}`,
    );
  }
  const rows = await readRows(data);
  const columns = await metrics.of(rows);
  const names = modelNames(models);
  for (const [i, model] of models.entries()) columns.push(await scoreWith(model, names[i]!, rows, inputFormat));
  columns.push(...(await readScoreColumns(scores, rows)));
  const result = compare({ rows, a: columns[0]!, b: columns[1]!, resamples, seed, ...(only && { only }) });
  const { counts, settings } = result;
  const note = `${counts.used} of ${counted(counts.rows, "program")}${only === undefined ? "" : ` (${only})`}, ${counted(counts.tasks, "task")}; 95% interval of B - A and two-sided p from ${settings.resamples} resamples of whole tasks.`;
  const title = `${result.b.name} against ${result.a.name}`;
  await putTables(
    flags,
    result,
    [{ name: "comparison", title, table: comparisonTable(result) }],
    [note, ...columns.flatMap(({ notes = [] }) => notes)],
  );
}

async function scoreWith(
  model: string,
  name: string,
  rows: readonly LabelledRow[],
  format?: InputFormat,
): Promise<ScoreColumn> {
  const { CodeScorer } = await import("../score/index.ts");
  const { scorerColumn } = await import("../evaluate/index.ts");
  const scorer = await CodeScorer.load(model);
  try {
    return await scorerColumn(scorer, rows, name, true, format);
  } finally {
    await scorer.close();
  }
}
