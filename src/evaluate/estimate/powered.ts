/**
 * Estimates the mean over a set of programs from scores for all of them and executions of a few: prediction-powered inference
 * (Angelopoulos et al. 2023, arXiv:2301.09633), power-tuned (PPI++, arXiv:2311.01453).
 *
 *   estimate = lambda * mean of all scores + mean over the executed programs of (label - lambda * score)
 *
 * Power tuning chooses the lambda that minimises the estimated variance; lambda = 0 is the plain estimate. Two things differ from the
 * papers, because the programs are a fixed set and all scores are known. The variance comes only from the drawing, with the
 * finite-population correction (in survey sampling this is the regression estimator: Cochran 1977, chapters 5 and 7). The drawing is by
 * strata (`within`: some programs of every task) or by clusters (`tasks`: all programs of some tasks), each with its own variance.
 *
 * Behaviour is a third level: what running programs without tests shows. It is known for some programs, and some of these are executed:
 *
 *   estimate = f * mean of all scores
 *            + mean over the programs with behaviour of (b * behaviour - f * score)
 *            + mean over the executed programs of (label - b * behaviour)
 *
 * Executed programs are drawn from those with behaviour, and these from all programs. The errors of the two phases are uncorrelated, no
 * matter how good scores and behaviour are. So the variance is the sum of two: drawing programs with behaviour (of label - f * score), and
 * drawing executed programs from them (of label - b * behaviour). f and b each minimise their part (the regression estimator of two-phase
 * sampling: Särndal, Swensson and Wretman 1992, chapter 9; multifidelity control variates: Peherstorfer, Willcox and Gunzburger 2016).
 * If no program or only the executed ones have behaviour, this is the first formula. If all have it, this is the first formula with
 * behaviour in place of scores.
 *
 * Scores are not recalibrated on the executed labels. Even when fitted to every label of he-eval-dev, which is too favourable, steps or
 * squares of the scores and their task means would narrow the interval of AvgPassRatio by at most 1%, of pass@1 by 2%.
 *
 * Limits: the interval assumes a t distribution, and its width is 0 if all executed programs have the same label. Scores that know only a
 * task's difficulty cannot help `within`, which holds difficulty fixed. If `tasks` draws few tasks, both intervals cover less than they
 * claim: with 8 of the 78 tasks of he-eval-dev, 89 to 94% in 1,000 drawings.
 */
import type { Draw } from "./draw.ts";
import { average, clusters, type Part, type Parts, type Phase, type Programs, strata } from "./phases.ts";

export interface MeanEstimate {
  readonly estimate: number;
  /** Lower bound of the 95% interval; `high` is the upper bound. */
  readonly low: number;
  readonly high: number;
  readonly standardError: number;
  /** Weight of the scores (see above); 0 for the plain estimate. */
  readonly lambda: number;
  /** Weight of the behaviour (b above), if there is any. */
  readonly lambdaBehaviour?: number;
}

/** What running programs without tests shows, one value per program; null if a program was not run. */
export type BehaviourValues = readonly (number | null)[];

export interface EstimateMeanOptions {
  /** One score per program. */
  readonly scores: readonly number[];
  /** What execution shows, one value per program. Only those of `executed` are read. */
  readonly values: readonly (number | null)[];
  /** The task of each program. */
  readonly taskIds: readonly string[];
  /** Weight of each program in the mean. @default 1 each */
  readonly weights?: readonly number[];
  /** Row numbers of the executed programs, drawn as `draw` says. */
  readonly executed: readonly number[];
  readonly draw: Draw;
  /** Known for programs drawn as `draw` says, from which the executed ones are drawn. @default none */
  readonly behaviour?: BehaviourValues;
}

export interface MeanEstimates {
  /** From scores and executions. */
  readonly powered: MeanEstimate;
  /** From scores, behaviour and executions, if there is behaviour. */
  readonly behaviour?: MeanEstimate;
  /** From executions only. */
  readonly plain: MeanEstimate;
}

/**
 * Estimates the mean of `values` over all programs: with scores, without them, and with behaviour if there is any. Throws
 * `CodescoreError("input")` if too few programs were executed for the design: one program of every task, or all programs of two tasks.
 */
export function estimateMean(options: EstimateMeanOptions): MeanEstimates {
  const { scores, values, taskIds, executed, draw, behaviour } = options;
  const programs: Programs = { values, taskIds, weights: options.weights ?? scores.map(() => 1) };
  const partsOf = (phase: Phase): Parts =>
    draw === "within" ? strata(programs, phase, scores) : clusters(programs, phase);
  const all = [...scores.keys()];
  const two = partsOf({ population: all, drawn: executed, scores });
  const powered = finish([tuned(two)], two.value);
  const plain = finish([{ ...two, lambda: 0, own: 0 }], two.value);
  if (behaviour === undefined) return { powered, plain };
  const run = all.filter((row) => behaviour[row] !== null);
  const ofScores = tuned(partsOf({ population: all, drawn: run, observed: executed, scores }));
  const ofBehaviour = tuned(partsOf({ population: run, drawn: executed, scores: behaviour }));
  const third = finish([ofScores, ofBehaviour], two.value);
  return { powered, plain, behaviour: { ...third, lambda: ofScores.lambda, lambdaBehaviour: ofBehaviour.lambda } };
}

/** A phase with the weight of its scores, and the weighted sum of squares of the scores that the weight is fitted on; 0 if it is not fitted. */
interface Tuned extends Parts {
  readonly lambda: number;
  readonly own: number;
}

/**
 * Adds the lambda with the least variance. It is never below 0: a few observations that contradict the scores give the plain
 * estimate. It may exceed 1, because scores need no particular scale.
 */
function tuned(phase: Parts): Tuned {
  let both = 0;
  let own = 0;
  for (const { observations, weight } of phase.parts) {
    const degrees = observations.length - 1;
    if (degrees < 1) continue;
    const value = average(observations.map((o) => o.value));
    const score = average(observations.map((o) => o.score));
    for (const o of observations) {
      both += (weight * (o.value - value) * (o.score - score)) / degrees;
      own += (weight * (o.score - score) ** 2) / degrees;
    }
  }
  return own > 0 && both > 0 ? { ...phase, lambda: both / own, own } : { ...phase, lambda: 0, own: 0 };
}

/**
 * Computes the interval. The parts of all phases have the same observations in the same order, so their degrees of freedom are
 * shared. Each lambda fitted to them uses one degree. Without that correction, intervals from few clusters are too narrow.
 */
function finish(phases: readonly Tuned[], value: number): MeanEstimate {
  let variance = 0;
  let squares = 0;
  let freedom = 0;
  for (const [i, { observations }] of phases[0]!.parts.entries()) {
    const degrees = observations.length - 1;
    if (degrees < 1) continue;
    const part = phases.reduce((sum, phase) => sum + varianceOf(phase.parts[i]!, phase), 0);
    variance += part;
    squares += part ** 2 / degrees;
    freedom += degrees;
  }
  const estimate = phases.reduce((sum, { lambda, all, score }) => sum + lambda * (all - score), value);
  const standardError = Math.sqrt(variance);
  const fitted = phases.filter(({ own }) => own > 0).length;
  const spent = freedom > fitted ? (freedom - fitted) / freedom : 1;
  const half = variance > 0 ? student975((spent * variance ** 2) / squares) * standardError : 0; // Satterthwaite
  return { estimate, low: estimate - half, high: estimate + half, standardError, lambda: phases[0]!.lambda };
}

/** Variance of a part. If lambda was fitted to the observations, each residual is divided by 1 - its leverage (as in HC3 and the jackknife). */
function varianceOf({ observations, weight }: Part, { lambda, own }: Tuned): number {
  const degrees = observations.length - 1;
  const center = average(observations.map((o) => o.value - lambda * o.score));
  const scoreCenter = average(observations.map((o) => o.score));
  let residual = 0;
  for (const o of observations) {
    const leverage = own > 0 ? (weight * (o.score - scoreCenter) ** 2) / degrees / own : 0;
    residual += ((o.value - lambda * o.score - center) / Math.max(1 - leverage, 0.1)) ** 2;
  }
  return (weight * residual) / degrees;
}

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
