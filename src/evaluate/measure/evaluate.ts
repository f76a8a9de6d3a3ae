/**
 * How well scores predict what execution shows: the tables of CodeScore (Dong et al. 2023, tables 3, 4, 6 and 7), and
 * what they lack: skill within a task, choosing the best of a task, intervals clustered by task, the oracle that knows
 * nothing but each task's difficulty.
 */

import type { Estimated } from "../../report/tables.ts";
import { expectedCalibrationError, mean, orNull, rocAucOfRows } from "../../statistics/index.ts";
import type { LabelledRow } from "../../types.ts";
import { type BinaryResult, type Development, detectionFigures, measureBinary } from "./binary.ts";
import type { ScoreColumn } from "./columns.ts";
import { executionColumns, type OtherLabels } from "./execution.ts";
import { type IntervalResult, measureIntervals } from "./intervals.ts";
import { bestOfSizes, estimated, MEASURES, type Measure, type OfSize, passAtSizes, statistics } from "./measure.ts";
import type { Subset } from "./subset.ts";
import { type Counts, selectUsable, type Usable, type UsableColumn } from "./usable.ts";

export interface EvaluateOptions {
  readonly rows: readonly LabelledRow[];
  /** One score a row each; see `metricColumn`, `scorerColumn`, `readScoreColumn`. */
  readonly columns: readonly ScoreColumn[];
  /** Measure this part of the rows. @default all */
  readonly only?: Subset;
  /** A set to pick thresholds on, with columns of the same names; for others they are cross-fitted. */
  readonly dev?: { readonly rows: readonly LabelledRow[]; readonly columns: readonly ScoreColumn[] };
  /** Labels of the same rows, the set's own (`ownLabels`) among them: execution measured as a metric. */
  readonly executions?: readonly OtherLabels[];
  /** Scores of one model in each input format (`formatColumns`), measured on the rows that have all of them. */
  readonly formats?: readonly ScoreColumn[];
  /** Bootstrap resamples for the intervals. @default 1000 */
  readonly resamples?: number;
  /** @default 1 */
  readonly seed?: number;
}

export interface EvaluationResult {
  readonly counts: Counts;
  readonly labels: LabelSummary;
  readonly settings: Settings;
  /** In the order handed in, then execution's, the difficulty-only oracle last. */
  readonly columns: readonly ColumnResult[];
  /** pass@k of the programs, by whose test cases. */
  readonly passAtK: readonly {
    readonly name: string;
    readonly meanTests: number | null;
    readonly at: readonly OfSize[];
  }[];
  /** Expected PassRatio of one program of n: drawn at random, and picked by execution. */
  readonly choice: { readonly random: readonly OfSize[]; readonly execution: readonly OfSize[] };
  /** The model in each input format, and the rows that this is measured on. */
  readonly formats: { readonly counts: Counts; readonly columns: readonly ColumnResult[] } | null;
  /** The rows measured, for plots; `toJson` leaves them out. */
  readonly data: Usable;
}

export interface Settings {
  readonly only: Subset | null;
  readonly resamples: number;
  readonly seed: number;
  /** Coverage of every interval. */
  readonly level: number;
}

export interface LabelSummary {
  readonly meanPassRatio: number;
  /** Share of programs that pass every test (Pass@1). */
  readonly passesAll: number;
  /** Share of programs that execute. */
  readonly executable: number;
  /** Mean over tasks of the mean PassRatio: what top-1 gives when choosing at random. */
  readonly randomChoice: number;
  /** Mean over tasks of the best PassRatio: what top-1 gives when choosing by execution. */
  readonly bestChoice: number;
  /** Mean over tasks of the worst PassRatio: what bottom-1 gives when choosing by execution. */
  readonly worstChoice: number;
}

/** Every figure is null where it is undefined, e.g. the correlation of a constant. */
export interface ColumnResult {
  readonly name: string;
  readonly kind: ScoreColumn["kind"];
  readonly signature: string | null;
  /** Mean score. */
  readonly mean: number;
  /** Kendall's tau-b with PassRatio. */
  readonly kendallTauB: number | null;
  /** Spearman's r_s with PassRatio. */
  readonly spearman: number | null;
  readonly pearson: number | null;
  /** Mean of |score - PassRatio|. */
  readonly mae: number;
  /** Expected calibration error against PassRatio in 15 bins of equal width; null for scores outside [0, 1]. */
  readonly ece: number | null;
  /** The same in 15 bins of as many programs each. */
  readonly eceMass: number | null;
  /** Mean r_s within a task, over the tasks whose PassRatio varies; a task with constant scores counts as 0. */
  readonly withinSpearman: number | null;
  /** Mean AUC of passing all tests within a task, over the tasks with programs that do and programs that do not. */
  readonly withinAuc: number | null;
  /** AUC of passing all tests, over all rows. */
  readonly auc: number | null;
  /** Mean over tasks of the PassRatio of the best-scored candidate; of several with the best score, their mean. */
  readonly top1: number;
  /** The same of the worst-scored candidate: lower is better. */
  readonly bottom1: number;
  /** 95% intervals of the figures above: percentile bootstrap over tasks. Null for one task. */
  readonly bounds: Readonly<Record<Measure, Bounds | null>>;
  /** Expected PassRatio of the program that the scores pick among n of a task. */
  readonly bestOf: readonly OfSize[];
  /** The scores made binary, against passing every test. */
  readonly binary: BinaryResult;
  readonly msPerPair: number | null;
  /** The Exec head against `executable`; precision, recall, F1 and accuracy at a probability of 0.5. */
  readonly exec: ExecResult | null;
  /** The intervals around the scores; null for scores without. */
  readonly intervals: IntervalResult | null;
}

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

export interface ExecResult {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  readonly accuracy: number | null;
  readonly auc: number | null;
  readonly bounds: Readonly<Record<"precision" | "recall" | "f1" | "accuracy" | "auc", Bounds | null>>;
  /** Expected calibration error against Executability in 15 bins of equal width. */
  readonly ece: number | null;
}

const LEVEL = 0.95;

/** Throws `CodescoreError("input")` for columns that do not fit the rows, a NaN (naming its row), or no usable row. */
export function evaluate(options: EvaluateOptions): EvaluationResult {
  const { rows, only, dev, executions = [], formats, resamples = 1000, seed = 1 } = options;
  const settings: Settings = { only: only ?? null, resamples, seed, level: LEVEL };
  const executed = executions.flatMap(executionColumns);
  const data = selectUsable(rows, [...options.columns, ...executed], only);
  const { tasks, passRatios, passesAll } = data;
  const developed = dev && selectUsable(dev.rows, dev.columns, only);
  const taskMeans = tasks.map((task) => mean(task.map((i) => passRatios[i]!)));
  const measureAll = (columns: readonly UsableColumn[], on: Usable): ColumnResult[] =>
    columns.map((column) => measure(column, on, developed, settings));
  const constant = passRatios.map(() => 0);
  const extreme = (pick: (...values: number[]) => number): number =>
    mean(tasks.map((task) => pick(...task.map((i) => passRatios[i]!))));
  const inFormats = formats && formats.length > 0 ? selectUsable(rows, formats, only) : null;
  return {
    counts: data.counts,
    labels: {
      meanPassRatio: mean(passRatios),
      passesAll: mean(passesAll.map(Number)),
      executable: mean(data.rows.map(({ executable }) => executable)),
      randomChoice: mean(taskMeans),
      bestChoice: extreme(Math.max),
      worstChoice: extreme(Math.min),
    },
    settings,
    columns: measureAll([...data.columns, difficultyOracle(data, taskMeans)], data),
    passAtK: measurePassAtK(executions, data, settings),
    choice: {
      random: bestOfSizes(constant, data, settings),
      execution: bestOfSizes(passRatios, data, settings),
    },
    formats: inFormats && { counts: inFormats.counts, columns: measureAll(inFormats.columns, inFormats) },
    data,
  };
}

/** Of the labels themselves, and of the others. */
function measurePassAtK(
  executions: readonly OtherLabels[],
  data: Usable,
  settings: Settings,
): EvaluationResult["passAtK"] {
  if (executions.length === 0) {
    const at = passAtSizes(data.passesAll, data, settings);
    return [{ name: "labels", meanTests: mean(data.rows.map(({ n_tests }) => n_tests)), at }];
  }
  return executions.map(({ name, meanTests }) => {
    const { scores } = data.columns.find((column) => column.name === `Pass@1 (${name})`)!;
    return {
      name,
      meanTests,
      at: passAtSizes(
        scores.map((score) => score === 1),
        data,
        settings,
      ),
    };
  });
}

/** Knows the mean PassRatio of each task and nothing about a program: how far difficulty alone carries a correlation. */
function difficultyOracle({ tasks, rows }: Usable, taskMeans: readonly number[]): UsableColumn {
  const scores = new Array<number>(rows.length);
  tasks.forEach((task, t) => {
    for (const i of task) scores[i] = taskMeans[t]!;
  });
  return {
    name: "difficulty-only oracle",
    kind: "oracle",
    signature: "oracle|task-mean-pass-ratio",
    scores,
    exec: null,
    msPerPair: null,
  };
}

function measure(column: UsableColumn, data: Usable, developed: Usable | undefined, settings: Settings): ColumnResult {
  const { name, kind, signature, scores, exec, intervals, msPerPair } = column;
  const { passRatios, tasks } = data;
  const all = statistics(scores, data);
  const figures = Object.fromEntries(MEASURES.map((measure) => [measure, estimated(all[measure], settings)])) as Record<
    Measure,
    Estimated
  >;
  const { mean, kendallTauB, spearman, pearson, mae, auc, withinSpearman, withinAuc, top1, bottom1 } = figures;
  return {
    name,
    kind,
    signature,
    mean: mean.value!,
    kendallTauB: kendallTauB.value,
    spearman: spearman.value,
    pearson: pearson.value,
    mae: mae.value!,
    ece: orNull(expectedCalibrationError(scores, passRatios)),
    eceMass: orNull(expectedCalibrationError(scores, passRatios, { binning: "mass" })),
    withinSpearman: withinSpearman.value,
    withinAuc: withinAuc.value,
    auc: auc.value,
    top1: top1.value!,
    bottom1: bottom1.value!,
    bounds: boundsOf(figures),
    bestOf: bestOfSizes(scores, data, settings),
    binary: measureBinary(scores, data, developmentOf(name, developed), settings),
    msPerPair,
    exec: exec === null ? null : measureExec(exec, data, settings),
    intervals: intervals === undefined ? null : measureIntervals(intervals, scores, passRatios, tasks),
  };
}

const boundsOf = <Name extends string>(figures: Readonly<Record<Name, Estimated>>): Record<Name, Bounds | null> =>
  Object.fromEntries(
    Object.entries<Estimated>(figures).map(([name, { low, high }]) => [
      name,
      low === null || high === null ? null : { low, high },
    ]),
  ) as Record<Name, Bounds | null>;

function developmentOf(name: string, developed: Usable | undefined): Development | null {
  const scores = developed?.columns.find((column) => column.name === name)?.scores;
  return developed === undefined || scores === undefined ? null : { scores, passesAll: developed.passesAll };
}

function measureExec(exec: readonly number[], data: Usable, settings: Settings): ExecResult {
  const executable = data.rows.map((row) => row.executable === 1);
  const { r: _, ...figures } = detectionFigures(exec, executable, data, settings);
  const auc = estimated({ clusters: data.taskIds, statistic: rocAucOfRows(exec, executable) }, settings);
  return {
    precision: figures.precision.value,
    recall: figures.recall.value,
    f1: figures.f1.value,
    accuracy: figures.accuracy.value,
    auc: auc.value,
    bounds: boundsOf({ ...figures, auc }),
    ece: orNull(expectedCalibrationError(exec, executable.map(Number))),
  };
}
