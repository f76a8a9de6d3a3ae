/** Collects the PassRatios of programs with similar scores, for intervals (score/intervals.ts). */
import { type PassRatios, STEPS } from "../../score/index.ts";

export interface ScoredProgram {
  readonly problem: string;
  readonly score: number;
  readonly passRatio: number;
}

/** Number of scores at which distributions are collected, fewer if many programs have the same score. */
const SCORES = 24;
/** Factor on the number of programs in a distribution: at 1 no program would be in two of them. */
const OVERLAP = 2;
const DIGITS = 4;

/** Null without a program. */
export function passRatiosNear(programs: readonly ScoredProgram[]): PassRatios | null {
  const count = programs.length;
  if (count === 0) return null;
  const sorted = [...programs].sort((a, b) => a.score - b.score);
  const places = Array.from({ length: SCORES }, (_, i) => Math.floor(((i + 0.5) * count) / SCORES));
  const scores = [...new Set([0, ...places.map((place) => sorted[place]!.score), 1])].sort((a, b) => a - b);
  const wanted = (OVERLAP * count) / SCORES;
  const near = scores.map((score) => {
    const from = firstAt(sorted, (one) => one >= score);
    const to = firstAt(sorted, (one) => one > score);
    // Programs that agree on nothing, or on everything, are unlike all others.
    const isAlone = (score === 0 || score === 1) && to - from >= wanted / 2;
    const more = isAlone ? 0 : Math.max(0, wanted - (to - from)) / 2;
    return sorted.slice(Math.max(0, Math.round(from - more)), Math.min(count, Math.round(to + more)));
  });
  const kept = scores.map((_, i) => i).filter((i) => near[i]!.length > 0);
  return {
    scores: kept.map((i) => rounded(scores[i]!)),
    quantiles: kept.map((i) => quantilesOf(near[i]!.map(({ passRatio }) => passRatio))),
    problems: kept.map((i) => new Set(near[i]!.map(({ problem }) => problem)).size),
  };
}

function firstAt(sorted: readonly ScoredProgram[], is: (score: number) => boolean): number {
  const found = sorted.findIndex(({ score }) => is(score));
  return found < 0 ? sorted.length : found;
}

function quantilesOf(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const last = sorted.length - 1;
  return Array.from({ length: STEPS + 1 }, (_, i) =>
    rounded(sorted[Math.min(last, Math.floor((i * sorted.length) / STEPS))]!),
  );
}

const rounded = (value: number): number => Number(value.toFixed(DIGITS));
