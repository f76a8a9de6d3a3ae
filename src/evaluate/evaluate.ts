/**
 * How well scores predict what execution shows: the tables of CodeScore (Dong et al. 2023, tables 3, 4, 6 and 7), and
 * what they lack: skill within a task, choosing the best of a task, intervals clustered by task, the oracle that knows
 * nothing but each task's difficulty.
 */
import {
  bootstrapByCluster,
  detection,
  expectedCalibrationError,
  kendallTauB,
  mean,
  meanAbsoluteError,
  orNull,
  pearson,
  rocAuc,
  spearman,
  spearmanOfRows,
  top1,
  withinTaskAuc,
  withinTaskSpearman,
} from "../metrics/index.ts";
import type { LabelledRow } from "../types.ts";
import type { ScoreColumn } from "./columns.ts";
import { type IntervalResult, measureIntervals } from "./intervals.ts";
import { type Counts, selectUsable, type Usable, type UsableColumn } from "./usable.ts";

export interface EvaluateOptions {
  readonly rows: readonly LabelledRow[];
  /** One score a row each; see `metricColumn`, `scorerColumn`, `readScoreColumn`. */
  readonly columns: readonly ScoreColumn[];
  /** Bootstrap resamples for the interval. @default 1000 */
  readonly resamples?: number;
  /** @default 1 */
  readonly seed?: number;
}

export interface EvaluationResult {
  readonly counts: Counts;
  readonly labels: LabelSummary;
  readonly settings: { readonly resamples: number; readonly seed: number; readonly level: number };
  /** In the order handed in, the difficulty-only oracle last. */
  readonly columns: readonly ColumnResult[];
  /** The rows measured, for plots; `toJson` leaves them out. */
  readonly data: Usable;
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
  /** Spearman's r_s with PassRatio, with the 95% interval of a bootstrap over tasks. */
  readonly spearman: number | null;
  readonly spearmanInterval: { readonly low: number; readonly high: number } | null;
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
  readonly msPerPair: number | null;
  /** The Exec head against `executable`; precision, recall and F1 at a probability of 0.5. */
  readonly exec: ExecResult | null;
  /** The intervals around the scores; null for scores without. */
  readonly intervals: IntervalResult | null;
}

export interface ExecResult {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  readonly auc: number | null;
  /** Expected calibration error against Executability in 15 bins of equal width. */
  readonly ece: number | null;
}

const LEVEL = 0.95;

/** Throws `CodescoreError("input")` for columns that do not fit the rows, a NaN (naming its row), or no usable row. */
export function evaluate({ rows, columns, resamples = 1000, seed = 1 }: EvaluateOptions): EvaluationResult {
  const data = selectUsable(rows, columns);
  const { tasks, passRatios, passesAll } = data;
  const taskMeans = tasks.map((task) => mean(task.map((i) => passRatios[i]!)));
  const settings = { resamples, seed, level: LEVEL };
  const measured = [...data.columns, difficultyOracle(data, taskMeans)];
  return {
    counts: data.counts,
    labels: {
      meanPassRatio: mean(passRatios),
      passesAll: mean(passesAll.map(Number)),
      executable: mean(data.rows.map(({ executable }) => executable)),
      randomChoice: mean(taskMeans),
      bestChoice: mean(tasks.map((task) => task.reduce((best, i) => Math.max(best, passRatios[i]!), 0))),
    },
    settings,
    columns: measured.map((column) => measure(column, data, settings)),
    data,
  };
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

function measure(
  { name, kind, signature, scores, exec, intervals, msPerPair }: UsableColumn,
  { passRatios, passesAll, tasks, taskIds, rows }: Usable,
  settings: EvaluationResult["settings"],
): ColumnResult {
  const interval = bootstrapByCluster(taskIds, spearmanOfRows(scores, passRatios), settings);
  const executable = rows.map((row) => row.executable === 1);
  return {
    name,
    kind,
    signature,
    mean: mean(scores),
    kendallTauB: orNull(kendallTauB(scores, passRatios)),
    spearman: orNull(spearman(scores, passRatios)),
    spearmanInterval: Number.isNaN(interval.low) ? null : { low: interval.low, high: interval.high },
    pearson: orNull(pearson(scores, passRatios)),
    mae: meanAbsoluteError(scores, passRatios),
    ece: orNull(expectedCalibrationError(scores, passRatios)),
    eceMass: orNull(expectedCalibrationError(scores, passRatios, { binning: "mass" })),
    withinSpearman: orNull(withinTaskSpearman(tasks, scores, passRatios)),
    withinAuc: orNull(withinTaskAuc(tasks, scores, passesAll)),
    auc: orNull(rocAuc(scores, passesAll)),
    top1: top1(tasks, scores, passRatios),
    msPerPair,
    exec: exec === null ? null : measureExec(exec, executable),
    intervals: intervals === undefined ? null : measureIntervals(intervals, scores, passRatios, tasks),
  };
}

function measureExec(exec: readonly number[], executable: readonly boolean[]): ExecResult {
  const { precision, recall, f1 } = detection(exec, executable);
  return {
    precision: orNull(precision),
    recall: orNull(recall),
    f1: orNull(f1),
    auc: orNull(rocAuc(exec, executable)),
    ece: orNull(expectedCalibrationError(exec, executable.map(Number))),
  };
}
