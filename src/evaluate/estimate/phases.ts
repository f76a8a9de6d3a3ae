/**
 * Splits the variance of a random drawing into independent parts. A phase has a population of programs, those drawn from it, and
 * those whose value is known. The drawing is by strata (some programs of every task) or by clusters (all programs of some tasks).
 */
import { CodescoreError } from "../../errors.ts";
import { groupRows } from "../../statistics/index.ts";
import { counted } from "../../util/counted.ts";

/** One drawing. Programs are given by their row numbers. */
export interface Phase {
  readonly population: readonly number[];
  /** Drawn at random from the population. */
  readonly drawn: readonly number[];
  /** The drawn programs whose value is known. @default all of `drawn` */
  readonly observed?: readonly number[];
  /** The scores, known for every program of the population or for every drawn one. */
  readonly scores: readonly (number | null)[];
}

export interface Programs {
  readonly values: readonly (number | null)[];
  readonly taskIds: readonly string[];
  readonly weights: readonly number[];
}

/** Observations whose spread estimates one independent part of the variance. */
export interface Part {
  /** Value and score of each observation, scaled as its mean enters the estimate. */
  readonly observations: readonly { readonly value: number; readonly score: number }[];
  /** Variance of the estimate per unit of the observations' sample variance. */
  readonly weight: number;
}

export interface Parts {
  readonly parts: readonly Part[];
  /** The mean value of the observed programs, and the mean scores of the drawn ones and of the population, weighted as the design requires. */
  readonly value: number;
  readonly score: number;
  readonly all: number;
}

/** Parts of a stratified drawing. Joins tasks that are too small in the order of their mean `order`, so all phases of a design join alike. */
export function strata(
  { values, taskIds, weights }: Programs,
  { population, drawn, observed = drawn, scores }: Phase,
  order: readonly number[],
): Parts {
  const [isDrawn, isObserved, isIn] = [new Set(drawn), new Set(observed), new Set(population)];
  const total = sum(weights);
  const tasks = [...groupRows(taskIds)].map(([id, whole]) => {
    const rows = whole.filter((row) => isIn.has(row));
    const [sample, chosen] = [rows.filter((row) => isDrawn.has(row)), rows.filter((row) => isObserved.has(row))];
    if (chosen.length === 0) {
      throw new CodescoreError(
        "input",
        `expected at least one executed program of every task, got none of \`${id}\`; execute a larger share, or use --draw tasks`,
      );
    }
    // A weighted mean is a ratio. In its linearisation each program counts with its deviation from the mean times its weight.
    const [value, score] = [weighted(chosen, values, weights), weighted(chosen, scores, weights)];
    const unit = average(chosen.map((row) => weights[row]!));
    const observations = chosen.map((row) => ({
      value: value + (weights[row]! / unit) * (values[row]! - value),
      score: score + (weights[row]! / unit) * (scores[row]! - score),
    }));
    return {
      size: rows.length,
      drawn: sample.length,
      share: sum(whole.map((row) => weights[row]!)) / total,
      value,
      score: weighted(sample, scores, weights),
      all: weighted(rows, scores, weights),
      observations,
      order: weighted(whole, order, weights),
    };
  });
  const over = (of: (task: (typeof tasks)[number]) => number): number =>
    sum(tasks.map((task) => task.share * of(task)));
  const means = { value: over(({ value }) => value), score: over(({ score }) => score), all: over(({ all }) => all) };
  // One observation shows no spread. So its task is joined with the next one in order of mean score until there are two
  // observations (collapsed strata, Cochran 1977, chapter 5A). The variance is then too large rather than too small.
  interface Group {
    size: number;
    drawn: number;
    share: number;
    observations: Part["observations"];
  }
  const groups: Group[] = [];
  const join = (group: Group, { size, drawn: more, share, observations }: Group): void => {
    group.size += size;
    group.drawn += more;
    group.share += share;
    group.observations = [...group.observations, ...observations];
  };
  for (const { size, drawn: own, share, observations } of tasks.sort((a, b) => a.order - b.order)) {
    const last = groups.at(-1);
    const group = { size, drawn: own, share, observations };
    if (last && last.observations.length < 2) join(last, group);
    else groups.push(group);
  }
  const last = groups.at(-1)!;
  const before = groups.at(-2);
  if (last.observations.length < 2 && before) {
    groups.pop();
    join(before, last);
  }
  const parts = groups.map(({ size, drawn: n, share, observations }) => ({
    observations,
    weight: (share ** 2 * (1 - n / size)) / n,
  }));
  return { parts, ...means };
}

export function clusters(
  { values, taskIds, weights }: Programs,
  { population, drawn, observed = drawn, scores }: Phase,
): Parts {
  const tasks = [...groupRows(taskIds).values()];
  const within = (rows: readonly number[]): number[][] => {
    const has = new Set(rows);
    return tasks.filter((task) => has.has(task[0]!));
  };
  const [of, sample, chosen] = [within(population), within(drawn), within(observed)];
  const seen = new Set(observed);
  if (chosen.length < 2 || chosen.some((rows) => rows.some((row) => !seen.has(row)))) {
    throw new CodescoreError(
      "input",
      `expected all programs of at least two tasks to be executed, got ${counted(seen.size, "program")} of ${counted(chosen.length, "task")}`,
    );
  }
  const rows = chosen.flat();
  const [value, score] = [weighted(rows, values, weights), weighted(rows, scores, weights)];
  // A ratio of totals, because tasks differ in size. In its linearisation each task counts with the total of its deviations.
  const observations = chosen.map((task) => ({
    value: sum(task.map((row) => weights[row]! * (values[row]! - value))),
    score: sum(task.map((row) => weights[row]! * (scores[row]! - score))),
  }));
  const meanSize = sum(weights) / tasks.length;
  const weight = (1 - sample.length / of.length) / sample.length / meanSize ** 2;
  const mean = (some: readonly number[][]): number => weighted(some.flat(), scores, weights);
  return { parts: [{ observations, weight }], value, score: mean(sample), all: mean(of) };
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const average = (values: readonly number[]): number => sum(values) / values.length;

/** The weighted mean of the values of some rows, none of which may be null. */
const weighted = (rows: readonly number[], values: readonly (number | null)[], weights: readonly number[]): number =>
  sum(rows.map((row) => weights[row]! * values[row]!)) / sum(rows.map((row) => weights[row]!));
