/**
 * Weights of training rows. Mutants resemble their reference but mostly fail: at a similarity of 0.75 to 0.9 few of them pass,
 * while most programs of models do. Unweighted, they would teach that similarity means nothing. So in each similarity bin, rows
 * that codescore made get weights with which their mean PassRatio equals that of the models' programs in the bin. Exponential
 * tilting gives, of all weights with that mean, those closest to equal. Their sum follows the number of model rows. A model row
 * has weight 1; no row has more.
 */

export interface WeightedRow {
  /** Similarity of the candidate to its reference, in [0, 1]; null without a reference, which has a separate bin. */
  readonly similarity: number | null;
  readonly passRatio: number;
  readonly made: boolean;
}

/** Summary of one similarity bin. */
export interface WeightBin {
  /** Lower bound of the bin; null for rows without a reference. */
  readonly from: number | null;
  readonly llmRows: number;
  readonly llmMean: number | null;
  readonly madeRows: number;
  /** Mean PassRatio of made rows, unweighted and weighted. */
  readonly madeMean: number | null;
  readonly weightedMean: number | null;
  readonly madeWeight: number;
}

/** Maximum total weight of made rows relative to model rows, per bin: at most a third of the bin's whole weight. */
export const madeShare = 0.5;
const bins = 10;
/** Smoothing: a bin's mean counts as if it had this many more rows with the overall mean. A handful of rows then decides nothing. */
const prior = 10;
/** Maximum steepness of the tilting. Beyond it only the extreme rows would count. */
const steepest = 30;

/** The weight of each row, and the bins. Made rows get weight 0 if all PassRatios in their bin lie on one side of the target mean. */
export function equalisedWeights(rows: readonly WeightedRow[]): { weights: Float64Array; table: WeightBin[] } {
  const weights = new Float64Array(rows.length);
  const byBin = Array.from({ length: bins + 1 }, () => ({ llm: [] as number[], made: [] as number[] }));
  for (const [i, { similarity, made }] of rows.entries()) {
    const bin = similarity === null ? bins : Math.min(bins - 1, Math.floor(similarity * bins));
    byBin[bin]![made ? "made" : "llm"].push(i);
    if (!made) weights[i] = 1;
  }
  const ratios = (indices: readonly number[]): number[] => indices.map((i) => rows[i]!.passRatio);
  const overall = mean(ratios(byBin.flatMap(({ llm }) => llm)));
  const table = byBin.map(({ llm, made }, bin): WeightBin => {
    const own = ratios(llm);
    const values = ratios(made);
    const target = (sum(own) + prior * (overall ?? 0)) / (own.length + prior);
    const shares = overall === null ? null : tilted(values, target);
    const total = shares === null ? 0 : Math.min(madeShare * llm.length, 1 / most(shares));
    for (const [j, i] of made.entries()) weights[i] = total * (shares?.[j] ?? 0);
    return {
      from: bin === bins ? null : bin / bins,
      llmRows: llm.length,
      llmMean: mean(own),
      madeRows: made.length,
      madeMean: mean(values),
      weightedMean: total === 0 ? null : sum(values.map((value, j) => value * shares![j]!)),
      madeWeight: total,
    };
  });
  return { weights, table };
}

/** Shares that sum to 1, proportional to exp(k * value), with the target mean; null if there are none. */
function tilted(values: readonly number[], target: number): number[] | null {
  if (values.length === 0 || least(values) >= target || most(values) <= target) return null;
  const at = (k: number): number[] => {
    const raw = values.map((value) => Math.exp(k * value));
    const total = sum(raw);
    return raw.map((value) => value / total);
  };
  const meanAt = (k: number): number => sum(at(k).map((share, i) => share * values[i]!));
  let [low, high] = [-steepest, steepest];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (meanAt(middle) < target) low = middle;
    else high = middle;
  }
  return at((low + high) / 2);
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const mean = (values: readonly number[]): number | null => (values.length === 0 ? null : sum(values) / values.length);
