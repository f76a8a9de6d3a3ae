/**
 * Summarises people's ratings of the metrics: means, deviations, p values (Dong et al. 2023, table 5) and how far the raters agree.
 * The paper does not name the test behind its p values. Here it is Wilcoxon's signed-rank test on pairs: one person rates two
 * metrics for one program, so their difference does not depend on how strict the person or how hard the program is. The
 * differences are averaged over raters and over the programs of a task, so that the tested values are independent.
 */
import { sampleStandardDeviation } from "simple-statistics";
import { fixed, type NamedTable } from "../../report/tables.ts";
import { krippendorffAlpha, mean, orNull, signedRank } from "../../statistics/index.ts";
import { counted } from "../../util/counted.ts";
import { PASS_RATIO } from "./draw.ts";
import type { Rating, Ratings } from "./read.ts";

export interface RatingResult {
  readonly sheet: string;
  readonly counts: {
    readonly raters: number;
    readonly programs: number;
    readonly ratings: number;
    /** Number of scores that raters left without a rating. */
    readonly unrated: number;
  };
  /** In the key's order, PassRatio last. Metrics without a rating are left out. */
  readonly metrics: readonly RatedResult[];
  /** The metric that the others are compared with: the first model, otherwise the first metric. */
  readonly focus: string;
  readonly comparisons: readonly RatingComparison[];
  /** Krippendorff's ordinal alpha over all scores; null if fewer than two people rated the same ones. */
  readonly alpha: number | null;
}

export interface RatedResult {
  readonly name: string;
  readonly ratings: number;
  /** Mean of all its ratings, 0 to 5. */
  readonly mean: number;
  /** Standard deviation of the ratings; null for one rating. */
  readonly deviation: number | null;
  /** Standard deviation of the raters' means; null for one rater. */
  readonly raterDeviation: number | null;
  readonly alpha: number | null;
}

export interface RatingComparison {
  readonly metric: string;
  /** Mean rating of the focus minus the metric's, over tasks. */
  readonly difference: number;
  readonly tasks: number;
  /** Wilcoxon's signed-rank test, two-sided and exact. */
  readonly pValue: number;
  /** The p value corrected for the number of comparisons (Holm 1979). */
  readonly adjusted: number;
}

export function summarizeRatings({ key, ratings, unrated }: Ratings): RatingResult {
  const names = key.metrics.map(({ name }) => name).filter((name) => ratings.some(({ metric }) => metric === name));
  const others = key.metrics.filter(({ name }) => names.includes(name) && name !== PASS_RATIO);
  const focus = (others.find(({ kind }) => kind === "model") ?? others[0])?.name ?? PASS_RATIO;
  return {
    sheet: key.sheet,
    counts: {
      raters: groups(ratings, ({ rater }) => rater).length,
      programs: groups(ratings, ({ item }) => item).length,
      ratings: ratings.length,
      unrated,
    },
    metrics: names.map((name) =>
      summarize(
        name,
        ratings.filter(({ metric }) => metric === name),
      ),
    ),
    focus,
    comparisons: holm(names.filter((name) => name !== focus).flatMap((name) => compareRated(ratings, focus, name))),
    alpha: alphaOf(ratings),
  };
}

function groups<K>(ratings: readonly Rating[], keyOf: (rating: Rating) => K): Rating[][] {
  const found = new Map<K, Rating[]>();
  for (const rating of ratings) {
    const key = keyOf(rating);
    const group = found.get(key);
    if (group) group.push(rating);
    else found.set(key, [rating]);
  }
  return [...found.values()];
}

const meanRating = (ratings: readonly Rating[]): number => mean(ratings.map(({ rating }) => rating));
const deviation = (values: readonly number[]): number | null =>
  values.length < 2 ? null : sampleStandardDeviation([...values]);
const alphaOf = (ratings: readonly Rating[]): number | null =>
  orNull(
    krippendorffAlpha(
      groups(ratings, ({ item, metric }) => `${item} ${metric}`).map((group) => group.map(({ rating }) => rating)),
    ),
  );

const summarize = (name: string, ratings: readonly Rating[]): RatedResult => ({
  name,
  ratings: ratings.length,
  mean: meanRating(ratings),
  deviation: deviation(ratings.map(({ rating }) => rating)),
  raterDeviation: deviation(groups(ratings, ({ rater }) => rater).map(meanRating)),
  alpha: alphaOf(ratings),
});

/** Compares the ratings of two metrics; empty if nobody rated both for one program. */
function compareRated(ratings: readonly Rating[], focus: string, other: string): Omit<RatingComparison, "adjusted">[] {
  const both = ratings.filter(({ metric }) => metric === focus || metric === other);
  const differences = groups(both, ({ task_id }) => task_id).flatMap((task) => {
    const programs = groups(task, ({ item }) => item).flatMap((program) => {
      const pairs = groups(program, ({ rater }) => rater).filter((pair) => pair.length === 2);
      const sign = ({ metric }: Rating): number => (metric === focus ? 1 : -1);
      const values = pairs.map((pair) => pair.reduce((sum, one) => sum + sign(one) * one.rating, 0));
      return values.length === 0 ? [] : [mean(values)];
    });
    // Rounded, so that equal thirds of a point remain ties.
    return programs.length === 0 ? [] : [Math.round(1e9 * mean(programs)) / 1e9];
  });
  if (differences.length === 0) return [];
  const { pValue } = signedRank(differences);
  return [{ metric: other, difference: mean(differences), tasks: differences.length, pValue }];
}

/** Holm's step-down correction: the k-th smallest of m p values times m - k + 1, but never less than the corrected value of a smaller one. */
function holm(comparisons: readonly Omit<RatingComparison, "adjusted">[]): RatingComparison[] {
  const order = [...comparisons.keys()].sort((a, b) => comparisons[a]!.pValue - comparisons[b]!.pValue);
  const adjusted: number[] = [];
  order.reduce((least, i, k) => {
    adjusted[i] = Math.min(1, Math.max(least, comparisons[i]!.pValue * (comparisons.length - k)));
    return adjusted[i];
  }, 0);
  return comparisons.map((comparison, i) => ({ ...comparison, adjusted: adjusted[i]! }));
}

/** The tables of the ratings: one of the metrics, and one of the focus against each other metric. */
export function ratingTables({ metrics, focus, comparisons, alpha }: RatingResult): NamedTable[] {
  const labels = metrics.flatMap(({ name }, row) => (name === PASS_RATIO ? [row] : []));
  const agreement = alpha === null ? "" : ` All scores together: ${fixed(alpha)}.`;
  return [
    {
      name: "ratings",
      title: "How reasonable people find the scores, 0 to 5 (Dong et al. 2023, table 5)",
      note: `SD: of the ratings; SD of raters: of their means. alpha: Krippendorff's alpha (ordinal), the agreement of the raters.${agreement}`,
      table: {
        columns: [
          { label: "metric" },
          { label: "mean", digits: 2, best: "highest" },
          { label: "SD", digits: 2 },
          { label: "SD of raters", digits: 2 },
          { label: "ratings", digits: 0 },
          { label: "alpha" },
        ],
        rows: metrics.map((one) => [one.name, one.mean, one.deviation, one.raterDeviation, one.ratings, one.alpha]),
        quiet: labels,
      },
    },
    {
      name: "rating-differences",
      title: `Ratings of ${focus} against the others`,
      note: `Difference: mean rating of ${focus} minus the other's, for one program by one person, over tasks. p: Wilcoxon's signed-rank test on the tasks' differences, two-sided, exact; Holm: corrected for ${comparisons.length} comparisons.${improvement(metrics, focus)}`,
      table: {
        columns: [
          { label: "metric" },
          { label: "difference", digits: 2 },
          { label: "tasks", digits: 0 },
          { label: "p", digits: 5 },
          { label: "p (Holm)", digits: 5 },
        ],
        rows: comparisons.map((one) => [one.metric, one.difference, one.tasks, one.pValue, one.adjusted]),
      },
    },
  ];
}

/** The improvement that the paper marks with an arrow: how much better the focus is than the best other metric. */
function improvement(metrics: readonly RatedResult[], focus: string): string {
  const own = metrics.find(({ name }) => name === focus);
  const others = metrics.filter(({ name }) => name !== focus && name !== PASS_RATIO);
  const best = others.reduce<RatedResult | undefined>((a, b) => (a && a.mean >= b.mean ? a : b), undefined);
  if (!own || !best || best.mean === 0) return "";
  const percent = 100 * (own.mean / best.mean - 1);
  return ` ${focus}'s mean is ${Math.abs(percent).toFixed(1)}% ${percent < 0 ? "below" : "above"} that of ${best.name}, the best other metric.`;
}

/** Says in a sentence who rated what. */
export const describeRatings = ({ counts }: RatingResult): string[] => [
  `${counted(counts.ratings, "rating")} by ${counted(counts.raters, "person", "people")} of the scores of ${counted(counts.programs, "program")}${counts.unrated > 0 ? `; ${counts.unrated} left unrated` : ""}.`,
];
