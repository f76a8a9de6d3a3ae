/** Repeats the drawing of `estimate` where every label is known. Shows whether its intervals hold and how much the scores help. */
import { quantileSorted } from "simple-statistics";
import { CodescoreError } from "../../errors.ts";
import type { Table } from "../../report/tables.ts";
import { mean } from "../../statistics/index.ts";
import { type EstimateOptions, estimate } from "./estimate.ts";
import type { EstimateResult } from "./estimated.ts";
import type { MeanEstimate } from "./powered.ts";

export interface Rehearsal {
  readonly counts: EstimateResult["counts"];
  readonly scores: EstimateResult["scores"];
  readonly settings: EstimateResult["settings"] & { readonly repeats: number };
  readonly measures: readonly RehearsedMean[];
}

export interface RehearsedMean {
  readonly measure: string;
  /** The mean over all programs. The intervals should contain it. */
  readonly all: number;
  readonly powered: Rehearsed;
  readonly plain: Rehearsed;
  /** Uses behaviour between scores and executions, if there is any. */
  readonly behaviour?: Rehearsed & Pick<RehearsedMean, "widthRatio" | "widthRatioAtEqualCoverage">;
  /** Mean width of the powered intervals divided by that of the plain ones; null if the plain ones have no width. */
  readonly widthRatio: number | null;
  /** The same ratio after both kinds are scaled to contain the mean in 95% of the repeats; null if no scaling does that. */
  readonly widthRatioAtEqualCoverage: number | null;
}

export interface Rehearsed {
  /** Share of the repeats whose 95% interval contains the mean. */
  readonly coverage: number;
  /** Mean of high - low. */
  readonly width: number;
  /** Root mean squared error of the estimate. */
  readonly error: number;
  /** Mean of the estimate minus the true mean. */
  readonly bias: number;
}

/** Draws `repeats` times, with seeds from `seed` upwards. Throws as `estimate` does, and `CodescoreError("usage")` for the budget `all`. */
export function rehearse({ seed = 1, ...options }: EstimateOptions, repeats: number): Rehearsal {
  if (options.budget === "all") {
    throw new CodescoreError("usage", "expected a budget that is a share, got all: there is nothing to draw");
  }
  const results = Array.from({ length: repeats }, (_, i) => estimate({ ...options, seed: seed + i }));
  const { counts, scores, settings, measures } = results[0]!;
  return {
    counts,
    scores,
    settings: { ...settings, repeats },
    measures: measures.map(({ measure, all }, m) => {
      const truth = all!; // known, because rows without a label were left out
      const powered = results.map((result) => result.measures[m]!.powered);
      const plain = results.map((result) => result.measures[m]!.plain);
      const third = results.flatMap((result) => result.measures[m]!.behaviour ?? []);
      const ratios = (estimates: readonly MeanEstimate[]) => {
        const ratio = meanWidth(estimates) / meanWidth(plain);
        const equal = (ratio * stretch(estimates, truth)) / stretch(plain, truth);
        return { widthRatio: finite(ratio), widthRatioAtEqualCoverage: finite(equal) };
      };
      return {
        measure,
        all: truth,
        powered: sumUp(powered, truth),
        ...(third.length > 0 && { behaviour: { ...sumUp(third, truth), ...ratios(third) } }),
        plain: sumUp(plain, truth),
        ...ratios(powered),
      };
    }),
  };
}

/** For rounding errors. */
const TOLERANCE = 1e-12;
const width = ({ low, high }: MeanEstimate): number => high - low;
const meanWidth = (estimates: readonly MeanEstimate[]): number => mean(estimates.map(width));

function sumUp(estimates: readonly MeanEstimate[], truth: number): Rehearsed {
  const errors = estimates.map(({ estimate }) => estimate - truth);
  return {
    coverage: mean(estimates.map(({ low, high }) => Number(low - TOLERANCE <= truth && truth <= high + TOLERANCE))),
    width: meanWidth(estimates),
    error: Math.sqrt(mean(errors.map((error) => error ** 2))),
    bias: mean(errors),
  };
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** The factor by which intervals must be scaled to contain the mean in 95% of the repeats. Infinite if intervals without width miss it. */
function stretch(estimates: readonly MeanEstimate[], truth: number): number {
  const needed = estimates.map((one) => {
    const error = Math.abs(one.estimate - truth);
    return error < TOLERANCE ? 0 : (2 * error) / width(one);
  });
  return quantileSorted(
    needed.sort((a, b) => a - b),
    0.95,
  );
}

/** Two rows per measure, three if there is behaviour. */
export function rehearsalTable({ measures }: Rehearsal): Table {
  return {
    columns: [
      { label: "measure" },
      { label: "from" },
      { label: "mean" },
      { label: "coverage" },
      { label: "width" },
      { label: "RMSE" },
      { label: "bias", digits: 4 },
      { label: "width ratio" },
      { label: "ratio at equal coverage" },
    ],
    rows: measures.flatMap(({ measure, all, plain, powered, behaviour, ...ratios }) => {
      const row = (from: string, of: Rehearsed, wide: Partial<typeof ratios>) => [
        ...[measure, from, all, of.coverage, of.width, of.error, of.bias],
        ...[wide.widthRatio ?? null, wide.widthRatioAtEqualCoverage ?? null],
      ];
      return [
        row("executions", plain, {}),
        row("with scores", powered, ratios),
        ...(behaviour ? [row("with behaviour", behaviour, behaviour)] : []),
      ];
    }),
  };
}
