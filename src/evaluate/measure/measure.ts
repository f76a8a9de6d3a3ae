/**
 * The figures measured for one column of scores. Each is a statistic of rows or of tasks, so that its interval comes from resampling whole tasks.
 */

import type { Estimated } from "../../report/tables.ts";
import {
  type BootstrapOptions,
  bestOf,
  bootstrapByCluster,
  bottomOfTasks,
  kendallTauBOfRows,
  meanOfDefined,
  type OfRows,
  orNull,
  passAtK,
  pearsonOfRows,
  rocAucOfRows,
  spearmanOfRows,
  taskAucs,
  taskSpearmans,
  topOfTasks,
} from "../../statistics/index.ts";
import { nearMissShares } from "./near-misses.ts";
import type { Usable } from "./usable.ts";

/** The figures of a column of scores. See `ColumnResult` for their meaning. */
export const MEASURES = [
  "mean",
  "kendallTauB",
  "spearman",
  "pearson",
  "mae",
  "auc",
  "withinSpearman",
  "withinAuc",
  "top1",
  "top1Passes",
  "bottom1",
  "nearMisses",
] as const;
export type Measure = (typeof MEASURES)[number];

/** A statistic, and the cluster of each item that it is computed from: of each row, or each task. */
export interface Clustered {
  readonly clusters: readonly (string | number)[];
  readonly statistic: OfRows;
}

/** All measures of a column. What resamples share (ranks, the figures of each task) is computed once. */
export function statistics(scores: readonly number[], data: Usable): Record<Measure, Clustered> {
  const { passRatios, passesAll, tasks } = data;
  const byRow = (statistic: OfRows): Clustered => ({ clusters: data.taskIds, statistic });
  return {
    mean: byRow(meanOfRows(scores)),
    kendallTauB: byRow(kendallTauBOfRows(scores, passRatios)),
    spearman: byRow(spearmanOfRows(scores, passRatios)),
    pearson: byRow(pearsonOfRows(scores, passRatios)),
    mae: byRow(meanOfRows(scores.map((score, i) => Math.abs(score - passRatios[i]!)))),
    auc: byRow(rocAucOfRows(scores, passesAll)),
    withinSpearman: meanOfTasks(taskSpearmans(tasks, scores, passRatios)),
    withinAuc: meanOfTasks(taskAucs(tasks, scores, passesAll)),
    top1: meanOfTasks(topOfTasks(tasks, scores, passRatios)),
    top1Passes: meanOfTasks(topOfTasks(tasks, scores, passesAll.map(Number))),
    bottom1: meanOfTasks(bottomOfTasks(tasks, scores, passRatios)),
    nearMisses: meanOfTasks(nearMissShares(data, scores)),
  };
}

/** The mean over the tasks for which the figure is defined. A task's figure is the same in every resample. */
const meanOfTasks = (values: readonly number[]): Clustered => ({
  clusters: [...values.keys()],
  statistic: (chosen) => meanOfDefined(Array.from(chosen, (task) => values[task]!)),
});

const meanOfRows =
  (values: readonly number[]): OfRows =>
  (rows) => {
    let sum = 0;
    for (const row of rows) sum += values[row]!;
    return sum / rows.length;
  };

/** The figure with its interval; null if undefined. */
export function estimated({ clusters, statistic }: Clustered, settings: BootstrapOptions): Estimated {
  const { estimate, low, high } = bootstrapByCluster(clusters, statistic, settings);
  return { value: orNull(estimate), low: orNull(low), high: orNull(high) };
}

/** A figure for `n` programs per task, over the tasks that have that many. */
export interface OfSize extends Estimated {
  readonly n: number;
  readonly tasks: number;
}

const SIZES = [1, 2, 5, 10, 20, 50, 100];

/** Figures for the sizes that at least half of the tasks reach. @param programs number of programs of each task */
const ofSizes = (
  sizes: readonly number[],
  programs: readonly number[],
  figure: (n: number) => readonly number[],
  settings: BootstrapOptions,
): OfSize[] =>
  sizes.flatMap((n) => {
    const tasks = programs.filter((count) => count >= n).length;
    return 2 * tasks < programs.length ? [] : [{ n, tasks, ...estimated(meanOfTasks(figure(n)), settings) }];
  });

const lengths = (tasks: Usable["tasks"]): number[] => tasks.map(({ length }) => length);

/** Expected PassRatio of the program that the scores choose among n of a task (`bestOf`), for n above 1. */
export const bestOfSizes = (
  scores: readonly number[],
  { tasks, passRatios }: Usable,
  settings: BootstrapOptions,
): OfSize[] =>
  ofSizes(SIZES, lengths(tasks), (n) => bestOf(tasks, scores, passRatios, n), settings).filter(({ n }) => n > 1);

/** pass@k (Chen et al. 2021), averaged over tasks. */
export const passAtSizes = (
  passes: readonly boolean[],
  { tasks }: Pick<Usable, "tasks">,
  settings: BootstrapOptions,
): OfSize[] =>
  passAtCounts(
    tasks.map((task) => ({ programs: task.length, passed: task.filter((i) => passes[i]).length })),
    SIZES,
    settings,
  );

/** The same from counts, one per task. */
export const passAtCounts = (
  counts: readonly { readonly programs: number; readonly passed: number }[],
  sizes: readonly number[],
  settings: BootstrapOptions,
): OfSize[] =>
  ofSizes(
    sizes,
    counts.map(({ programs }) => programs),
    (k) => counts.map(({ programs, passed }) => (programs < k ? Number.NaN : passAtK(programs, passed, k))),
    settings,
  );
