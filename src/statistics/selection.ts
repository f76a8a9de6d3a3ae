/** The result of choosing a program by its score. `tasks` holds the row numbers of each task. */
import { mean } from "./within.ts";

type Tasks = readonly (readonly number[])[];

/**
 * For each task: the expected PassRatio of the best-scored program among `n` drawn at random without replacement. If several
 * share the best score, each is picked equally often. In closed form: if b of a task's N programs score no better than a given
 * score, the probability that no better one is drawn is C(b, n) / C(N, n). NaN for a task with fewer than `n` programs.
 */
export function bestOf(
  tasks: Tasks,
  scores: readonly number[],
  passRatios: readonly number[],
  n: number,
): readonly number[] {
  return tasks.map((task) => {
    if (task.length < n) return Number.NaN;
    let expected = 0;
    let below = 0;
    let reached = 0;
    for (const tied of byScore(task, scores)) {
      below += tied.length;
      const chance = noneAbove(below, task.length, n);
      expected += (chance - reached) * mean(tied.map((i) => passRatios[i]!));
      reached = chance;
    }
    return expected;
  });
}

/** Rows in groups of equal score, lowest first. */
function byScore(task: readonly number[], scores: readonly number[]): number[][] {
  const groups: number[][] = [];
  for (const row of [...task].sort((a, b) => scores[a]! - scores[b]!)) {
    const last = groups.at(-1);
    if (last !== undefined && scores[last[0]!] === scores[row]) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** C(b, n) / C(N, n). */
function noneAbove(b: number, all: number, n: number): number {
  let chance = 1;
  for (let j = 0; j < n; j++) chance *= Math.max(0, b - j) / (all - j);
  return chance;
}

/** For each task: PassRatio of the best-scored program, or the mean of several with the best score. */
export const topOfTasks = (tasks: Tasks, scores: readonly number[], passRatios: readonly number[]): number[] =>
  tasks.map((task) =>
    mean(
      byScore(task, scores)
        .at(-1)!
        .map((i) => passRatios[i]!),
    ),
  );

/** For each task: PassRatio of the worst-scored program, or the mean of several with the worst score. */
export const bottomOfTasks = (tasks: Tasks, scores: readonly number[], passRatios: readonly number[]): number[] =>
  tasks.map((task) => mean(byScore(task, scores)[0]!.map((i) => passRatios[i]!)));
