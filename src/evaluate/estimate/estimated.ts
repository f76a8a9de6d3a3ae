/** What an estimate from few executions is, whatever the estimand. */
import { mean } from "../../statistics/index.ts";
import type { Draw } from "./draw.ts";
import { type EstimateMeanOptions, estimateMean, type MeanEstimate } from "./powered.ts";

export interface EstimateResult {
  readonly counts: {
    readonly programs: number;
    readonly tasks: number;
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

/** Both estimates of a mean, and the mean itself where every value is known. */
export function estimatedMean(measure: string, options: EstimateMeanOptions): EstimatedMean {
  const { powered, plain, behaviour } = estimateMean(options);
  const { values, weights } = options;
  const weight = (i: number): number => weights?.[i] ?? 1;
  const known = values.flatMap((value, i) => (value === null ? [] : [value * weight(i)]));
  return {
    measure,
    powered,
    plain,
    ...(behaviour === undefined ? {} : { behaviour }),
    widthRatio: plain.high > plain.low ? (powered.high - powered.low) / (plain.high - plain.low) : null,
    all: known.length === values.length ? mean(known) / mean(values.map((_, i) => weight(i))) : null,
  };
}
