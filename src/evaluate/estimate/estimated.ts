/** The result of an estimate from few executions, for every estimand. */
import { mean } from "../../statistics/index.ts";
import type { Draw } from "./draw.ts";
import { type EstimateMeanOptions, estimateMean, type MeanEstimate } from "./powered.ts";

export interface EstimateResult {
  readonly counts: {
    readonly programs: number;
    readonly tasks: number;
    /** Number of tasks that were drawn, if whole tasks are drawn. */
    readonly tasksDrawn?: number;
    readonly executed: number;
    /** Number of rows without a label that are left out. */
    readonly leftOut: number;
    /** Number of programs with known behaviour, if behaviour was given. */
    readonly run?: number;
  };
  readonly scores: { readonly name: string; readonly signature: string | null };
  readonly settings: { readonly budget: number | "all"; readonly draw: Draw; readonly seed: number };
  readonly measures: readonly EstimatedMean[];
}

export interface EstimatedMean {
  /**
   * `AvgPassRatio` and `pass@1` are means over programs: of PassRatio, and of passing every test. The others are means over
   * tasks, no matter how large each task is: `pass@1 by task`, `pass@k` (tasks with at least k programs), and `RTC`.
   */
  readonly measure: string;
  readonly powered: MeanEstimate;
  /** Uses behaviour between scores and executions, if there is any. */
  readonly behaviour?: MeanEstimate;
  /** Uses the same executions without the scores. */
  readonly plain: MeanEstimate;
  /** Width of the powered interval divided by the width of the plain one; null if the plain width is 0. */
  readonly widthRatio: number | null;
  /** The mean over all programs, if every one has a label. The estimates do not use it. */
  readonly all: number | null;
}

/** With fewer tasks, the variance between tasks is not known well enough for an interval based on a t distribution. */
const FEWEST_TASKS = 10;

/** A warning if the interval of an estimate is unreliable; null otherwise, and if every task was drawn. */
export function fewTasks({ tasks, tasksDrawn = tasks }: EstimateResult["counts"]): string | null {
  if (tasksDrawn >= Math.min(FEWEST_TASKS, tasks)) return null;
  return `warning: ${tasksDrawn} of ${tasks} tasks were drawn; fewer than ${FEWEST_TASKS} give no reliable interval. Use a larger --budget, or --draw within`;
}

/** Number of tasks drawn, for `counts`. */
export const drawnTasks = (draw: Draw, taskIds: readonly string[], executed: readonly number[]) =>
  draw === "tasks" ? { tasksDrawn: new Set(executed.map((i) => taskIds[i]!)).size } : {};

/** Clips to [0, 1]: a mean of shares is a share, but the interval does not know this. */
function asShare(estimate: MeanEstimate): MeanEstimate {
  const [middle, low, high] = [estimate.estimate, estimate.low, estimate.high].map((v) => Math.min(1, Math.max(0, v)));
  return { ...estimate, estimate: middle!, low: low!, high: high! };
}

/** All estimates of a mean of shares, and the mean itself if every value is known. */
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
