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
 * With a third level, what running programs without tests shows (`behaviour`), known of some programs of which some are executed:
 *
 *   estimate = f * mean of all scores
 *            + mean over the programs with behaviour of (b * behaviour - f * score)
 *            + mean over the executed programs of (label - b * behaviour)
 *
 * Executed programs are drawn from those with behaviour, and these from all: two phases, whose errors are uncorrelated whatever scores
 * and behaviour are worth, so that the variance is that of drawing programs with behaviour, of label - f * score, and that of drawing
 * executed programs from them, of label - b * behaviour; f and b each minimise their own (the regression estimator of two-phase sampling:
 * Särndal, Swensson and Wretman 1992, chapter 9; control variates of several fidelities: Peherstorfer, Willcox and Gunzburger 2016). Without
 * behaviour, or with behaviour of the executed alone, that is the formula above; with behaviour of all, the one above with behaviour for
 * scores.
 *
 * Not done: recalibrating the scores on the executed labels. Fitted to every label of he-eval-dev, which flatters it, steps or
 * squares of the scores and their task means would narrow the interval of AvgPassRatio by at most 1%, of pass@1 by 2%.
 *
 * Limits: an interval of normal type; where all executed programs have one label its width is 0. A set of scores that
 * only knows a task's difficulty cannot help `within`, where difficulty is held fixed. With few tasks drawn by `tasks` both
 * intervals cover less than they say: with 8 of the 78 tasks of he-eval-dev, 89 to 94% in 1,000 drawings.
 */
import type { Draw } from "./draw.ts";
import { average, clusters, type Part, type Parts, type Phase, type Programs, strata } from "./phases.ts";

export interface MeanEstimate {
  readonly estimate: number;
  /** Of the 95% interval. */
  readonly low: number;
  readonly high: number;
  readonly standardError: number;
  /** How far the scores are trusted; 0 for the plain estimate. */
  readonly lambda: number;
  /** How far behaviour is trusted, where there is some. */
  readonly lambdaBehaviour?: number;
}

/** What running programs without tests shows, one a program; null where a program was not run. */
export type BehaviourValues = readonly (number | null)[];

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
  /** A third level: known of programs drawn as `draw` says, of which the executed ones are drawn. @default none */
  readonly behaviour?: BehaviourValues;
}

export interface MeanEstimates {
  /** From scores and executions. */
  readonly powered: MeanEstimate;
  /** From scores, behaviour and executions; where there is behaviour. */
  readonly behaviour?: MeanEstimate;
  /** From executions alone. */
  readonly plain: MeanEstimate;
}

/**
 * The mean of `values` over all programs, with the scores' help and without, and with that of behaviour where there is some. Throws
 * `CodescoreError("input")` when too few were executed for the design: one program of every task, or two tasks.
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

/** A phase, how far its scores are trusted, and the sum of weighted squares of the scores that this rests on; 0 where it is not fitted. */
interface Tuned extends Parts {
  readonly lambda: number;
  readonly own: number;
}

/**
 * With the lambda of least variance. Never below 0: a few observations that speak against the scores leave the plain estimate. Above 1
 * it may go, for scores need no scale.
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
 * The interval. The parts of all phases are of the same observations, one by one, and so are their degrees of freedom. Each lambda that
 * was fitted to them takes one off; without that, few clusters give intervals that are too narrow.
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

/** Where lambda was fitted to the observations, each residual is divided by 1 - its leverage (as HC3 and the jackknife do). */
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
