/** The figures that are measured for one column of scores, with their intervals. */

import type { Estimated } from "../../report/tables.ts";
import { expectedCalibrationError, mean, orNull, rocAuc, rocAucOfRows } from "../../statistics/index.ts";
import { type BinaryResult, type Development, detectionFigures, measureBinary } from "./binary.ts";
import type { ScoreColumn } from "./columns.ts";
import { type IntervalResult, measureIntervals } from "./intervals.ts";
import { bestOfSizes, estimated, MEASURES, type Measure, type OfSize, statistics } from "./measure.ts";
import type { Subset } from "./subset.ts";
import type { Usable, UsableColumn } from "./usable.ts";

export interface Settings {
  readonly only: Subset | null;
  readonly resamples: number;
  readonly seed: number;
  /** Coverage of every interval, for example 0.95. */
  readonly level: number;
}

/** A figure is null if it is undefined, for example the correlation of a constant. */
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
  /** The same in 15 bins with equal numbers of programs. */
  readonly eceMass: number | null;
  /** Mean r_s within a task, over the tasks whose PassRatio varies. A task with constant scores counts as 0. */
  readonly withinSpearman: number | null;
  /** Mean AUC of passing all tests within a task, over the tasks that have programs of both kinds. */
  readonly withinAuc: number | null;
  /** AUC of passing all tests, over all rows. */
  readonly auc: number | null;
  /** Mean over tasks of the PassRatio of the best-scored candidate. If several share the best score, their mean counts. */
  readonly top1: number;
  /** Share of tasks whose best-scored candidate passes every test: pass@1 if the score chooses. */
  readonly top1Passes: number;
  /** Mean over tasks of the PassRatio of the worst-scored candidate. Lower is better. */
  readonly bottom1: number;
  /** Mean over tasks of the share of near misses in the right order (near-misses.ts); null if there are no such pairs. */
  readonly nearMisses: number | null;
  /** Intervals of the figures above: percentile bootstrap over tasks. Null for one task. */
  readonly bounds: Readonly<Record<Measure, Bounds | null>>;
  /** Expected PassRatio of the program that the scores choose among n of a task. */
  readonly bestOf: readonly OfSize[];
  /** The scores made binary, compared with passing every test. */
  readonly binary: BinaryResult;
  readonly msPerPair: number | null;
  /** The Exec head compared with `executable`. Precision, recall, F1 and accuracy are at a probability of 0.5. */
  readonly exec: ExecResult | null;
  /** The probability of passing compared with passing every test; null for scores without it. */
  readonly pass: PassResult | null;
  /** The intervals around the scores; null for scores without them. */
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

export interface PassResult {
  /** Number of programs with a probability. Programs that could not be run have none. */
  readonly programs: number;
  readonly auc: number | null;
  /** Expected calibration error in 15 bins of equal width. */
  readonly ece: number | null;
  /** Mean squared error (Brier 1950). */
  readonly brier: number;
}

/** @param developed the set that thresholds are chosen on, if it has a column of the same name; otherwise they are cross-fitted */
export function measureColumn(
  column: UsableColumn,
  data: Usable,
  settings: Settings,
  developed?: Usable,
): ColumnResult {
  const { name, kind, signature, scores, exec, pass, intervals, msPerPair } = column;
  const { passRatios, tasks } = data;
  const all = statistics(scores, data);
  const figures = Object.fromEntries(MEASURES.map((measure) => [measure, estimated(all[measure], settings)])) as Record<
    Measure,
    Estimated
  >;
  const { mean: average, kendallTauB, spearman, pearson, mae, auc, withinSpearman, withinAuc, top1, bottom1 } = figures;
  const { top1Passes, nearMisses } = figures;
  return {
    name,
    kind,
    signature,
    mean: average.value!,
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
    top1Passes: top1Passes.value!,
    bottom1: bottom1.value!,
    nearMisses: nearMisses.value,
    bounds: boundsOf(figures),
    bestOf: bestOfSizes(scores, data, settings),
    binary: measureBinary(scores, data, developmentOf(name, developed), settings),
    msPerPair,
    exec: exec === null ? null : measureExec(exec, data, settings),
    pass: pass === undefined ? null : measurePass(pass, data),
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

function measurePass(pass: readonly (number | null)[], { passesAll }: Usable): PassResult | null {
  const known = [...pass.keys()].filter((i) => pass[i] !== null);
  if (known.length === 0) return null;
  const probabilities = known.map((i) => pass[i]!);
  const passes = known.map((i) => passesAll[i]!);
  return {
    programs: known.length,
    auc: orNull(rocAuc(probabilities, passes)),
    ece: orNull(expectedCalibrationError(probabilities, passes.map(Number))),
    brier: mean(probabilities.map((probability, i) => (probability - Number(passes[i])) ** 2)),
  };
}

/** Null if it is unknown for some program whether it executes. */
function measureExec(exec: readonly number[], data: Usable, settings: Settings): ExecResult | null {
  if (data.rows.some((row) => row.executable === null)) return null;
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
