/** Expected calibration error: how far scores, read as probabilities, differ from the observed rates. */
import { checkColumns, type Numbers } from "./ranks.ts";

export interface CalibrationErrorOptions {
  /** `width`: bins of equal width over [0, 1]. `mass`: bins with equally many rows; equal scores share a bin. @default "width" */
  readonly binning?: "width" | "mass";
  /** @default 15 */
  readonly bins?: number;
}

const ROUNDING = 1e-9;

/**
 * Expected calibration error, in [0, 1] (Naeini et al. 2015; 15 bins after Guo et al. 2017): the sum over bins of (rows of the
 * bin / rows) x |mean label - mean score|. Labels may be soft, e.g. PassRatio: the mean label of a bin then replaces the share of
 * positives of Naeini et al.
 * @returns NaN without rows, or if a score is outside [0, 1] by more than rounding, because it is then no probability (BLEU of
 * two equal programs can be 1 + 4e-16)
 */
export function expectedCalibrationError(
  scores: Numbers,
  labels: Numbers,
  { binning = "width", bins = 15 }: CalibrationErrorOptions = {},
): number {
  checkColumns({ scores, labels }, { finite: true });
  if (scores.length === 0 || scores.some((score) => score < -ROUNDING || score > 1 + ROUNDING)) return Number.NaN;
  const groups = binning === "width" ? equalWidth(scores, bins) : equalMass(scores, bins);
  let error = 0;
  for (const rows of groups) {
    let difference = 0;
    for (const row of rows) difference += labels[row]! - scores[row]!;
    error += Math.abs(difference) / scores.length;
  }
  return error;
}

/** Row numbers by bin. The last bin includes 1. */
function equalWidth(scores: Numbers, bins: number): number[][] {
  const groups = Array.from({ length: bins }, (): number[] => []);
  for (let i = 0; i < scores.length; i++) {
    groups[Math.min(bins - 1, Math.max(0, Math.floor(scores[i]! * bins)))]!.push(i);
  }
  return groups;
}

/** Row numbers in at most `count` groups of about equal size, ordered by value. Equal values stay together. */
export function equalMass(values: Numbers, count: number): number[][] {
  const order = Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  const groups: number[][] = [];
  let from = 0;
  for (let k = 1; k <= count; k++) {
    let to = Math.max(from, Math.round((k * order.length) / count));
    while (to > from && to < order.length && values[order[to]!] === values[order[to - 1]!]) to += 1;
    if (to > from) groups.push(order.slice(from, to));
    from = to;
  }
  return groups;
}
