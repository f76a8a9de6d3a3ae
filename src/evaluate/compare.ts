/**
 * Is system B better than system A? A paired bootstrap over tasks: both systems are measured on the same resampled
 * tasks, and what is resampled is the difference (Koehn 2004, with whole tasks as the units).
 */
import {
  bootstrapByCluster,
  type Interval,
  kendallTauB,
  meanAbsoluteError,
  meanOfDefined,
  orNull,
  spearmanOfRows,
  taskAucs,
} from "../metrics/index.ts";
import type { LabelledRow } from "../types.ts";
import type { ScoreColumn } from "./columns.ts";
import { type Counts, selectUsable } from "./usable.ts";

export interface CompareOptions {
  readonly rows: readonly LabelledRow[];
  readonly a: ScoreColumn;
  readonly b: ScoreColumn;
  /** @default 1000 */
  readonly resamples?: number;
  /** @default 1 */
  readonly seed?: number;
}

export interface Comparison {
  readonly counts: Counts;
  readonly a: { readonly name: string; readonly signature: string | null };
  readonly b: { readonly name: string; readonly signature: string | null };
  readonly settings: { readonly resamples: number; readonly seed: number; readonly level: number };
  readonly measures: readonly Difference[];
}

export interface Difference {
  readonly measure: "Spearman r_s" | "Kendall tau-b" | "within-task AUC" | "MAE";
  /** False for errors, where a lower value is better. */
  readonly higherIsBetter: boolean;
  readonly a: number | null;
  readonly b: number | null;
  /** b - a, with its 95% interval. */
  readonly difference: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Two-sided: twice the share of resamples on the rarer side of 0, itself counted as one more resample. */
  readonly pValue: number | null;
}

const LEVEL = 0.95;

/** Rows without a label or without a score by either system are left out and counted. Throws as `evaluate` does. */
export function compare({ rows, a, b, resamples = 1000, seed = 1 }: CompareOptions): Comparison {
  const { counts, columns, passRatios, passesAll, taskIds, tasks } = selectUsable(rows, [a, b]);
  const [first, second] = columns as [(typeof columns)[0], (typeof columns)[0]];
  const settings = { resamples, seed, level: LEVEL };
  const difference = (
    measure: Difference["measure"],
    clusters: readonly (string | number)[],
    ofA: (rows: Int32Array) => number,
    ofB: (rows: Int32Array) => number,
  ): Difference => {
    const all = Int32Array.from(clusters.keys());
    const interval = bootstrapByCluster(clusters, (chosen) => ofB(chosen) - ofA(chosen), settings);
    return {
      measure,
      higherIsBetter: measure !== "MAE",
      a: orNull(ofA(all)),
      b: orNull(ofB(all)),
      difference: orNull(interval.estimate),
      low: orNull(interval.low),
      high: orNull(interval.high),
      pValue: pValue(interval),
    };
  };
  const onRows =
    (statistic: (x: number[], y: number[]) => number, scores: readonly number[]) =>
    (chosen: Int32Array): number =>
      statistic(
        Array.from(chosen, (i) => scores[i]!),
        Array.from(chosen, (i) => passRatios[i]!),
      );
  // The AUC of a task is the same in every resample: only which tasks are averaged changes.
  const ofTasks = (aucs: readonly number[]) => (chosen: Int32Array) =>
    meanOfDefined(Array.from(chosen, (t) => aucs[t]!));
  const measures = [
    difference(
      "Spearman r_s",
      taskIds,
      spearmanOfRows(first.scores, passRatios),
      spearmanOfRows(second.scores, passRatios),
    ),
    difference("Kendall tau-b", taskIds, onRows(kendallTauB, first.scores), onRows(kendallTauB, second.scores)),
    difference(
      "within-task AUC",
      [...tasks.keys()],
      ofTasks(taskAucs(tasks, first.scores, passesAll)),
      ofTasks(taskAucs(tasks, second.scores, passesAll)),
    ),
    difference("MAE", taskIds, onRows(meanAbsoluteError, first.scores), onRows(meanAbsoluteError, second.scores)),
  ];
  return {
    counts,
    a: { name: first.name, signature: first.signature },
    b: { name: second.name, signature: second.signature },
    settings,
    measures,
  };
}

function pValue({ values }: Interval): number | null {
  if (values.length === 0) return null;
  const below = values.filter((value) => value <= 0).length;
  const above = values.filter((value) => value >= 0).length;
  return Math.min(1, (2 * (1 + Math.min(below, above))) / (1 + values.length));
}
