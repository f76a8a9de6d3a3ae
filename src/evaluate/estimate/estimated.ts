/** What an estimate from few executions is, whatever the estimand. */
import { mean } from "../../statistics/index.ts";
import type { Draw } from "./draw.ts";
import { type EstimateMeanOptions, estimateMean, type MeanEstimate } from "./powered.ts";

export interface EstimateResult {
  readonly counts: {
    readonly programs: number;
    readonly tasks: number;
    /** Tasks that were drawn, where whole tasks are. */
    readonly tasksDrawn?: number;
    readonly executed: number;
    /** Rows without a label that are not among the programs. */
    readonly leftOut: number;
    /** Programs whose behaviour is known, where that is asked for. */
    readonly run?: number;
  };
  readonly scores: { readonly name: string; readonly signature: string | null };
  readonly settings: { readonly budget: number | "all"; readonly draw: Draw; readonly seed: number };
  readonly measures: readonly EstimatedMean[];
}

export interface EstimatedMean {
  /**
   * `AvgPassRatio` and `pass@1`: means over the programs of PassRatio, and of passing every test. Means over tasks, whatever
   * their sizes: `pass@1 by task`, `pass@k` of those with at least k programs, and `RTC`.
   */
  readonly measure: string;
  readonly powered: MeanEstimate;
  /** With behaviour between scores and executions, where there is some. */
  readonly behaviour?: MeanEstimate;
  /** From the same executions, without the scores. */
  readonly plain: MeanEstimate;
  /** Width of the powered interval / width of the plain one; null when that is 0. */
  readonly widthRatio: number | null;
  /** The mean over all programs, where every one has a label; the estimates do not see it. */
  readonly all: number | null;
}

/** With fewer tasks the variance between them is not known well enough for an interval of normal type. */
const FEWEST_TASKS = 10;

/** What to say of an estimate whose interval cannot be relied on; null of others, and where every task was drawn. */
export function fewTasks({ tasks, tasksDrawn = tasks }: EstimateResult["counts"]): string | null {
  if (tasksDrawn >= Math.min(FEWEST_TASKS, tasks)) return null;
  return `warning: ${tasksDrawn} of ${tasks} tasks were drawn; fewer than ${FEWEST_TASKS} give no reliable interval. Give a larger --budget, or --draw within`;
}

/** The counts of what was drawn. */
export const drawnTasks = (draw: Draw, taskIds: readonly string[], executed: readonly number[]) =>
  draw === "tasks" ? { tasksDrawn: new Set(executed.map((i) => taskIds[i]!)).size } : {};

/** A mean of shares is one too; an interval of normal type does not know. */
function asShare(estimate: MeanEstimate): MeanEstimate {
  const [middle, low, high] = [estimate.estimate, estimate.low, estimate.high].map((v) => Math.min(1, Math.max(0, v)));
  return { ...estimate, estimate: middle!, low: low!, high: high! };
}

/** Both estimates of a mean of shares, and the mean itself where every value is known. */
export function estimatedMean(measure: string, options: EstimateMeanOptions): EstimatedMean {
  const { powered, plain, behaviour } = estimateMean(options);
  const { values, weights } = options;
  const weight = (i: number): number => weights?.[i] ?? 1;
  const known = values.flatMap((value, i) => (value === null ? [] : [value * weight(i)]));
  return {
    measure,
    powered: asShare(powered),
    plain: asShare(plain),
    ...(behaviour === undefined ? {} : { behaviour: asShare(behaviour) }),
    widthRatio: plain.high > plain.low ? (powered.high - powered.low) / (plain.high - plain.low) : null,
    all: known.length === values.length ? mean(known) / mean(values.map((_, i) => weight(i))) : null,
  };
}
