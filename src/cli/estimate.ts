/** `codescore estimate`: estimates the quality of a set of programs, from scores for all and executions of a few. */

import { Command, InvalidArgumentError, Option } from "commander";
import { CodescoreError } from "../errors.ts";
import type { BehaviourLevel, EstimateResult, MeanEstimate, Rehearsal, ScoreColumn } from "../evaluate/index.ts";
import type { LabelledRow } from "../types.ts";
import { counted } from "../util/counted.ts";
import type { RtcEstimateFlags } from "./estimate/rtc.ts";
import { addMetricOptions, type MetricFlags, metricsOf } from "./options/metrics.ts";
import { addTableOutput, checkTableOutput, putTables, type TableFlags } from "./options/table-output.ts";
import { allowUnsafeOption, integer, number, paths, sandboxOption } from "./options/values.ts";

export interface EstimateFlags extends MetricFlags, TableFlags, RtcEstimateFlags {
  readonly data?: string;
  readonly scores?: string;
  readonly metrics?: string;
  readonly behaviour?: string;
  readonly behaviourShare?: number | "all";
  readonly samples?: readonly string[];
  readonly rtc?: string;
  readonly k?: readonly number[];
  readonly repeat?: number;
  readonly cascade?: boolean;
  readonly threshold?: number;
  readonly choose?: string;
}

export const estimateVerb = (): Command =>
  addTableOutput(
    addMetricOptions(
      new Command("estimate")
        .description("estimate AvgPassRatio, pass@k or RTC from scores of all programs and executions of a few (PPI++)")
        .option("--data <file>", "labelled rows, .arrow or .jsonl (from `codescore label`)")
        .option(
          "--samples <path>",
          "all samples, if --data has rows only for those that were executed; joined by task_id and sample_id; repeatable",
          paths,
        )
        .option(
          "--scores <file>",
          "output of `codescore score` for the same rows, .jsonl, .csv or .parquet; NAME=FILE names it",
        )
        .option("--metrics <name>", "a text metric instead of --scores")
        .option(
          "--behaviour <file>",
          "output of `codescore score --run` for all or some of the rows: a level between scores and tests",
        )
        .option(
          "--behaviour-share <share>",
          "share of --behaviour to use, drawn at random; `all`: its programs were drawn already (default: all)",
          budget,
        )
        .option("--rtc <dir>", "folder of an RTC run, instead of --data: estimate its RTC by `pass`")
        .option("--sim <name>", "similarity of the RTC run that scores its round trips", "codescore")
        .option(
          "--problems <path>",
          "with --rtc: problems with the tests to execute; with --samples: problems whose ids the samples have; repeatable",
          paths,
        ),
    ),
  )
    .option(
      "--budget <share>",
      "share of the programs to count as executed, drawn at random; `all`, the default with --samples: every label in the file (rows with `pass_ratio` null count as not executed)",
      budget,
      0.1,
    )
    .addOption(
      new Option("--draw <design>", "execute some programs of every task, or all programs of some tasks")
        .choices(["within", "tasks"])
        .default("within"),
    )
    .option("--k <list>", "also estimate pass@k for these k, comma-separated; needs --draw tasks", sizes)
    .option("--repeat <n>", "draw n times; show instead how often the intervals hold and how wide they are", integer(2))
    .option("--cascade", "show instead what executing only doubtful programs gives, by share executed")
    .option(
      "--threshold <score>",
      "score from which a program counts as passing; scores near it are doubtful (default: picked on a pilot of 5%; 0.5 for --choose)",
      number(),
    )
    .option("--choose <file>", "write the ids of the --budget most doubtful programs to execute; needs no labels")
    .option("--seed <n>", "seed of the drawing", integer(0), 1)
    .addOption(sandboxOption())
    .addOption(allowUnsafeOption())
    .addHelpText(
      "after",
      `
Examples:
  codescore estimate --data test.arrow --scores scores.jsonl
  codescore estimate --data few.arrow --samples samples.jsonl --scores scores.jsonl
  codescore estimate --data some-executed.arrow --scores scores.jsonl --budget all
  codescore estimate --data test.arrow --scores scores.jsonl --draw tasks --budget 0.3 --k 1,10
  codescore estimate --data test.arrow --scores scores.jsonl --behaviour scores-run.jsonl --behaviour-share 0.5
  codescore estimate --data test.arrow --scores scores.jsonl --repeat 1000
  codescore estimate --data test.arrow --scores scores.jsonl --cascade
  codescore estimate --data programs.jsonl --scores scores.jsonl --choose doubtful.jsonl --budget 0.2 --threshold 0.8
  codescore estimate --rtc runs/mini --problems HumanEval.jsonl.gz --draw tasks --budget 0.2`,
    )
    .action((flags: EstimateFlags, command: Command) => {
      const isAll = flags.samples !== undefined && command.getOptionValueSource("budget") === "default";
      return run(isAll ? { ...flags, budget: "all" } : flags);
    });

function budget(text: string): number | "all" {
  if (text === "all") return "all";
  const share = number(0, 1)(text);
  if (share === 0) throw new InvalidArgumentError("Expected a share above 0, or `all`.");
  return share;
}

const sizes = (text: string): number[] => text.split(",").map((part) => integer(1)(part));

async function run(flags: EstimateFlags): Promise<void> {
  checkTableOutput(flags);
  if ((flags.data === undefined) === (flags.rtc === undefined)) {
    throw new CodescoreError("usage", "expected either --data or --rtc");
  }
  if (flags.rtc !== undefined && flags.behaviour !== undefined) {
    throw new CodescoreError("usage", "--behaviour needs --data; with --rtc use --sim behaviour");
  }
  checkSamples(flags);
  if (flags.rtc !== undefined) {
    const { estimateOfRun } = await import("./estimate/rtc.ts");
    return put(flags, await estimateOfRun(flags.rtc, flags), "round trips");
  }
  const { cascade, cascadeTable, describeCascade, estimate, readRows, rehearse } = await import("../evaluate/index.ts");
  const rows = await rowsOf(flags.data!, flags, await readRows(flags.data!));
  const column = await columnOf(flags, rows);
  if (flags.choose !== undefined) return choose(flags, rows, column);
  if (!flags.cascade) {
    const { budget, draw, k, seed, repeat } = flags;
    const behaviour = await behaviourOf(flags, rows, column);
    const options = { rows, column, budget, draw, seed, ...(k && { k }), ...behaviour };
    return repeat === undefined
      ? put(flags, estimate(options), "programs")
      : putRehearsal(flags, rehearse(options, repeat));
  }
  const { threshold, seed } = flags;
  const result = cascade({ rows, column, seed, ...(threshold !== undefined && { threshold }) });
  const title = `Benefit of executing the programs that ${column.name} is least sure of`;
  await putTables(flags, result, [{ name: "cascade", title, table: cascadeTable(result) }], describeCascade(result));
}

/** Throws `CodescoreError("usage")` for options that need labels of all programs. */
function checkSamples({ samples, rtc, scores, budget, repeat, cascade, choose: chosen }: EstimateFlags): void {
  if (samples === undefined) return;
  const wrong = (message: string): never => {
    throw new CodescoreError("usage", message);
  };
  if (rtc !== undefined) wrong("--samples needs --data; an RTC run has all its samples");
  if (scores === undefined) wrong("--samples needs --scores, the scores of all samples");
  if (budget !== "all") wrong("--samples needs --budget all: every label in --data counts as an execution");
  if (repeat !== undefined || cascade || chosen !== undefined) {
    wrong("--repeat, --cascade and --choose cannot be used with --samples");
  }
}

/** The labelled rows, with a row for every other sample of `--samples`. */
async function rowsOf(
  path: string,
  { samples, problems }: EstimateFlags,
  rows: readonly LabelledRow[],
): Promise<readonly LabelledRow[]> {
  if (samples === undefined) return rows;
  const { joinSamples } = await import("../evaluate/index.ts");
  const { readAllSamples } = await import("./estimate/samples.ts");
  return joinSamples({ rows, path }, await readAllSamples(samples, problems));
}

/** Throws `CodescoreError("usage")` for `--behaviour-share` without `--behaviour`. */
async function behaviourOf(
  { behaviour: path, behaviourShare: share }: EstimateFlags,
  rows: readonly LabelledRow[],
  column: ScoreColumn,
): Promise<{ behaviour?: BehaviourLevel }> {
  if (path === undefined) {
    if (share !== undefined) throw new CodescoreError("usage", "expected --behaviour with --behaviour-share");
    return {};
  }
  const { readBehaviour } = await import("../evaluate/index.ts");
  return { behaviour: { values: await readBehaviour(path, rows, column), ...(share !== undefined && { share }) } };
}

async function columnOf(flags: EstimateFlags, rows: readonly LabelledRow[]): Promise<ScoreColumn> {
  const { metricColumn, readScoreColumns } = await import("../evaluate/index.ts");
  const metrics = await metricsOf(flags.metrics, flags, flags.data);
  if (metrics.length + Number(flags.scores !== undefined) !== 1) {
    throw new CodescoreError("usage", "expected either one --scores FILE or one metric in --metrics");
  }
  const column = metrics[0]
    ? await metricColumn(metrics[0], rows)
    : (await readScoreColumns([flags.scores!], rows))[0]!;
  for (const note of column.notes ?? []) process.stderr.write(`${note}\n`);
  return column;
}

async function put(flags: EstimateFlags, result: EstimateResult, things: string): Promise<void> {
  const { estimateTable, fewTasks } = await import("../evaluate/index.ts");
  const { counts, measures, scores } = result;
  const few = fewTasks(counts);
  const left = counts.leftOut > 0 ? `; ${counted(counts.leftOut, "row")} without a label left out` : "";
  const notes = [
    `${counts.executed} of ${counts.programs} ${things} executed (${counted(counts.tasks, "task")}), scores for all from ${scores.name}${left}.`,
    "weight: how much the scores (or behaviour) count, the lambda of PPI++; 0 is executions alone.",
    ...(few === null ? [] : [few]),
    ...(counts.run === undefined ? [] : [`${counts.run} ${things} run without tests, including the executed ones.`]),
    ...measures.flatMap(({ measure, plain, widthRatio, behaviour }) => {
      if (widthRatio === null) return [];
      const width = ({ low, high }: MeanEstimate): number => high - low;
      const third = behaviour ? `, with behaviour ${(width(behaviour) / width(plain)).toFixed(2)} times` : "";
      return [`${measure}: the interval with scores is ${widthRatio.toFixed(2)} times as wide${third}.`];
    }),
  ];
  await putTables(flags, result, [{ name: "estimate", title: "Estimates", table: estimateTable(result) }], notes);
}

async function putRehearsal(flags: EstimateFlags, result: Rehearsal): Promise<void> {
  const { rehearsalTable } = await import("../evaluate/index.ts");
  const { counts, scores, settings } = result;
  const notes = [
    `${settings.repeats} drawings of ${counts.executed} of ${counted(counts.programs, "program")} (${counted(counts.tasks, "task")}), scores for all from ${scores.name}.`,
    ...(counts.run === undefined ? [] : [`${counts.run} of them run without tests in each drawing.`]),
    "coverage: share of the 95% intervals that contain the mean of all labels (mean); width: their mean width; width ratio: to the width from executions alone.",
  ];
  await putTables(flags, result, [{ name: "rehearsal", title: "Rehearsal", table: rehearsalTable(result) }], notes);
}

async function choose(
  { budget, threshold, choose: path }: EstimateFlags,
  rows: readonly LabelledRow[],
  column: ScoreColumn,
) {
  if (budget === "all") throw new CodescoreError("usage", "--choose: expected a --budget that is a share, got all");
  const { byDoubt } = await import("../metrics/index.ts");
  const { writeJsonLines } = await import("../util/jsonl.ts");
  const scored = [...rows.keys()].filter((i) => column.scores[i] !== null);
  const order = byDoubt(
    scored.map((i) => column.scores[i]!),
    threshold,
  );
  const chosen = order.slice(0, Math.round(budget * rows.length)).map((i) => scored[i]!);
  const lines = chosen.map((i) => ({ task_id: rows[i]!.task_id, id: rows[i]!.sample_id, score: column.scores[i] }));
  await writeJsonLines(path!, lines);
  process.stderr.write(
    `wrote ${path}: ${lines.length} of ${counted(rows.length, "program")}, the most doubtful first\n`,
  );
}
