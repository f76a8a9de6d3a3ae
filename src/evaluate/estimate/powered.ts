/**
 * The mean of a set of programs from scores for all of them and executions for a few: prediction-powered inference
 * (Angelopoulos et al. 2023, arXiv:2301.09633), power-tuned (PPI++, arXiv:2311.01453).
 *
 *   estimate = lambda * mean of all scores + mean over the executed programs of (label - lambda * score)
 *
 * with the lambda that minimises the estimated variance (power tuning; lambda = 0 is the plain estimate).
 * Two departures, because the programs are a fixed set whose scores are all known: the variance comes from the drawing
 * alone, with the finite-population correction (in survey sampling this is the regression estimator: Cochran 1977,
 * chapters 5 and 7), and the drawing is by strata (`within`: some programs of every task) or by clusters (`tasks`: all
 * programs of some tasks), with the variance that belongs to it.
 *
 * Not done: recalibrating the scores on the executed labels. Fitted to every label of he-eval-dev, which flatters it, steps or
 * squares of the scores and their task means would narrow the interval of AvgPassRatio by at most 1%, of pass@1 by 2%.
 *
 * Limits: an interval of normal type; where all executed programs have one label its width is 0. A set of scores that
 * only knows a task's difficulty cannot help `within`, where difficulty is held fixed. With few tasks drawn by `tasks` both
 * intervals cover less than they say: with 8 of the 78 tasks of he-eval-dev, 89 to 94% in 1,000 drawings.
 */
import { CodescoreError } from "../../errors.ts";
import { groupRows } from "../../statistics/index.ts";
import type { Draw } from "./draw.ts";

export interface MeanEstimate {
  readonly estimate: number;
  /** Of the 95% interval. */
  readonly low: number;
  readonly high: number;
  readonly standardError: number;
  /** How far the scores are trusted; 0 for the plain estimate. */
  readonly lambda: number;
}

export interface EstimateMeanOptions {
  /** One a program. */
  readonly scores: readonly number[];
  /** What execution shows, one a program; only those of `executed` are read. */
  readonly values: readonly (number | null)[];
  /** The task of each program. */
  readonly taskIds: readonly string[];
  /** How much each program counts in the mean. @default 1 each */
  readonly weights?: readonly number[];
  /** Row numbers of the programs executed, drawn as `draw` says. */
  readonly executed: readonly number[];
  readonly draw: Draw;
}

/**
 * The mean of `values` over all programs, with the scores' help and without. Throws `CodescoreError("input")` when too
 * few were executed for the design: one program of every task, or two tasks.
 */
export function estimateMean(options: EstimateMeanOptions): { powered: MeanEstimate; plain: MeanEstimate } {
  const weights = options.weights ?? options.scores.map(() => 1);
  const parts = options.draw === "within" ? strata(options, weights) : clusters(options, weights);
  const { lambda, own } = bestLambda(parts);
  const meanScore = weighted([...options.scores.keys()], options.scores, weights);
  return { powered: finish(parts, lambda, own, meanScore), plain: finish(parts, 0, 0, meanScore) };
}

/** Observations whose spread estimates one independent part of the variance. */
interface Part {
  /** (value, score) of each observation, times what makes their mean's share of the estimate. */
  readonly observations: readonly { readonly value: number; readonly score: number }[];
  /** Variance of the estimate per unit of the observations' sample variance. */
  readonly weight: number;
}

interface Parts {
  readonly parts: readonly Part[];
  /** The plain estimates of the mean value and of the mean score. */
  readonly value: number;
  readonly score: number;
}

function strata({ scores, values, taskIds, executed }: EstimateMeanOptions, weights: readonly number[]): Parts {
  const total = sum(weights);
  const drawn = new Set(executed);
  const tasks = [...groupRows(taskIds)].map(([id, rows]) => {
    const chosen = rows.filter((row) => drawn.has(row));
    if (chosen.length === 0) {
      throw new CodescoreError(
        "input",
        `expected at least one executed program of every task, got none of \`${id}\`; execute a larger share, or draw whole tasks (--draw tasks)`,
      );
    }
    // A weighted mean is a ratio: linearised, a program counts with its deviation times its weight, around the mean.
    const [value, score] = [weighted(chosen, values, weights), weighted(chosen, scores, weights)];
    const unit = average(chosen.map((row) => weights[row]!));
    const observations = chosen.map((row) => ({
      value: value + (weights[row]! / unit) * (values[row]! - value),
      score: score + (weights[row]! / unit) * (scores[row]! - score),
    }));
    const share = sum(rows.map((row) => weights[row]!)) / total;
    return { size: rows.length, share, value, score, observations, meanScore: weighted(rows, scores, weights) };
  });
  const value = sum(tasks.map((task) => task.share * task.value));
  const score = sum(tasks.map((task) => task.share * task.score));
  // One observation shows no spread: its task is put together with the next in order of mean score until there are two
  // (collapsed strata: Cochran 1977, chapter 5A; too wide rather than too narrow).
  const groups: { size: number; share: number; observations: Part["observations"] }[] = [];
  const join = (group: (typeof groups)[number], { size, share, observations }: (typeof groups)[number]): void => {
    group.size += size;
    group.share += share;
    group.observations = [...group.observations, ...observations];
  };
  for (const { size, share, observations } of tasks.sort((a, b) => a.meanScore - b.meanScore)) {
    const last = groups.at(-1);
    if (last && last.observations.length < 2) join(last, { size, share, observations });
    else groups.push({ size, share, observations });
  }
  const last = groups.at(-1)!;
  const before = groups.at(-2);
  if (last.observations.length < 2 && before) {
    groups.pop();
    join(before, last);
  }
  const parts = groups.map(({ size, share, observations }) => {
    const n = observations.length;
    return { observations, weight: (share ** 2 * (1 - n / size)) / n };
  });
  return { parts, value, score };
}

function clusters({ scores, values, taskIds, executed }: EstimateMeanOptions, weights: readonly number[]): Parts {
  const drawn = new Set(executed);
  const tasks = [...groupRows(taskIds).values()];
  const chosen = tasks.filter((rows) => drawn.has(rows[0]!));
  if (chosen.length < 2 || chosen.some((rows) => rows.some((row) => !drawn.has(row)))) {
    throw new CodescoreError(
      "input",
      `expected all programs of at least two tasks to be executed, got ${drawn.size} programs of ${chosen.length} tasks`,
    );
  }
  const rows = chosen.flat();
  const [value, score] = [weighted(rows, values, weights), weighted(rows, scores, weights)];
  // A ratio of totals, for tasks differ in size: linearised, each task counts with the total of its deviations.
  const observations = chosen.map((task) => ({
    value: sum(task.map((row) => weights[row]! * (values[row]! - value))),
    score: sum(task.map((row) => weights[row]! * (scores[row]! - score))),
  }));
  const meanSize = sum(weights) / tasks.length;
  const weight = (1 - chosen.length / tasks.length) / chosen.length / meanSize ** 2;
  return { parts: [{ observations, weight }], value, score };
}

/**
 * The lambda of least variance, and the sum of weighted squares of the scores that it rests on. Never below 0: a few
 * observations that speak against the scores leave the plain estimate. Above 1 it may go, for scores need no scale.
 */
function bestLambda({ parts }: Parts): { lambda: number; own: number } {
  let both = 0;
  let own = 0;
  for (const { observations, weight } of parts) {
    const degrees = observations.length - 1;
    if (degrees < 1) continue;
    const value = average(observations.map((o) => o.value));
    const score = average(observations.map((o) => o.score));
    for (const o of observations) {
      both += (weight * (o.value - value) * (o.score - score)) / degrees;
      own += (weight * (o.score - score) ** 2) / degrees;
    }
  }
  return own > 0 && both > 0 ? { lambda: both / own, own } : { lambda: 0, own: 0 };
}

/**
 * The interval for a given lambda. `own` > 0 says that lambda was fitted to these observations: each residual is then
 * divided by 1 - its leverage (as HC3 and the jackknife do), and one degree of freedom is taken off; without that, few
 * clusters give intervals that are too narrow.
 */
function finish({ parts, value, score }: Parts, lambda: number, own: number, meanScore: number): MeanEstimate {
  let variance = 0;
  let squares = 0;
  let freedom = 0;
  for (const { observations, weight } of parts) {
    const degrees = observations.length - 1;
    if (degrees < 1) continue;
    const center = average(observations.map((o) => o.value - lambda * o.score));
    const scoreCenter = average(observations.map((o) => o.score));
    let residual = 0;
    for (const o of observations) {
      const leverage = own > 0 ? (weight * (o.score - scoreCenter) ** 2) / degrees / own : 0;
      residual += ((o.value - lambda * o.score - center) / Math.max(1 - leverage, 0.1)) ** 2;
    }
    const part = (weight * residual) / degrees;
    variance += part;
    squares += part ** 2 / degrees;
    freedom += degrees;
  }
  const estimate = value + lambda * (meanScore - score);
  const standardError = Math.sqrt(variance);
  const spent = own > 0 && freedom > 1 ? (freedom - 1) / freedom : 1;
  const half = variance > 0 ? student975((spent * variance ** 2) / squares) * standardError : 0; // Satterthwaite
  return { estimate, low: estimate - half, high: estimate + half, standardError, lambda };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const average = (values: readonly number[]): number => sum(values) / values.length;

/** The weighted mean of the values of some rows, none of them null. */
const weighted = (rows: readonly number[], values: readonly (number | null)[], weights: readonly number[]): number =>
  sum(rows.map((row) => weights[row]! * values[row]!)) / sum(rows.map((row) => weights[row]!));

/** The 97.5% quantile of Student's t (Abramowitz and Stegun 1964, 26.7.5; within 0.1% from 4 degrees of freedom on). */
export function student975(degrees: number): number {
  const z = 1.959963984540054;
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3) +
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / (92160 * degrees ** 4)
  );
}
