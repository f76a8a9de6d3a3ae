/**
 * Is system B better than system A? A paired bootstrap over tasks: both systems are measured on the same resampled tasks, and the
 * statistic is their difference (Koehn 2004, with whole tasks as units).
 */
import { bootstrapByCluster, type Interval, orNull } from "../../statistics/index.ts";
import type { LabelledRow } from "../../types.ts";
import type { Settings } from "./column.ts";
import type { ScoreColumn } from "./columns.ts";
import { type Measure, statistics } from "./measure.ts";
import type { Subset } from "./subset.ts";
import { type Counts, selectUsable } from "./usable.ts";

export interface CompareOptions {
  readonly rows: readonly LabelledRow[];
  readonly a: ScoreColumn;
  readonly b: ScoreColumn;
  /** Compare only on this part of the rows. @default all */
  readonly only?: Subset;
  /** @default 1000 */
  readonly resamples?: number;
  /** @default 1 */
  readonly seed?: number;
}

export interface Comparison {
  readonly counts: Counts;
  readonly a: { readonly name: string; readonly signature: string | null };
  readonly b: { readonly name: string; readonly signature: string | null };
  readonly settings: Settings;
  readonly measures: readonly Difference[];
}

export interface Difference {
  readonly measure: "Spearman r_s" | "Kendall tau-b" | "within-task AUC" | "MAE";
  /** False for errors, for which lower is better. */
  readonly higherIsBetter: boolean;
  readonly a: number | null;
  readonly b: number | null;
  /** b - a, with its 95% interval below. */
  readonly difference: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Two-sided: twice the share of resamples on the rarer side of 0. Both counts get 1 added, so the value is never 0. */
  readonly pValue: number | null;
}

const LEVEL = 0.95;

const COMPARED: readonly (readonly [Difference["measure"], Measure])[] = [
  ["Spearman r_s", "spearman"],
  ["Kendall tau-b", "kendallTauB"],
  ["within-task AUC", "withinAuc"],
  ["MAE", "mae"],
];

/** Leaves out and counts rows without a label or without a score of either system. Throws as `evaluate` does. */
export function compare({ rows, a, b, only, resamples = 1000, seed = 1 }: CompareOptions): Comparison {
  const data = selectUsable(rows, [a, b], only);
  const [first, second] = data.columns as [(typeof data.columns)[0], (typeof data.columns)[0]];
  const settings: Settings = { only: only ?? null, resamples, seed, level: LEVEL };
  const [ofA, ofB] = [statistics(first.scores, data), statistics(second.scores, data)];
  return {
    counts: data.counts,
    a: { name: first.name, signature: first.signature },
    b: { name: second.name, signature: second.signature },
    settings,
    measures: COMPARED.map(([measure, key]): Difference => {
      const { clusters, statistic } = ofA[key];
      const all = Int32Array.from(clusters.keys());
      const interval = bootstrapByCluster(
        clusters,
        (chosen) => ofB[key].statistic(chosen) - statistic(chosen),
        settings,
      );
      return {
        measure,
        higherIsBetter: measure !== "MAE",
        a: orNull(statistic(all)),
        b: orNull(ofB[key].statistic(all)),
        difference: orNull(interval.estimate),
        low: orNull(interval.low),
        high: orNull(interval.high),
        pValue: pValue(interval),
      };
    }),
  };
}

export function pValue({ values }: Interval): number | null {
  if (values.length === 0) return null;
  const below = values.filter((value) => value <= 0).length;
  const above = values.filter((value) => value >= 0).length;
  return Math.min(1, (2 * (1 + Math.min(below, above))) / (1 + values.length));
}
