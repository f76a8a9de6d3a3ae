/** What choosing a program by its score gives. `tasks` holds the row numbers of each task. */
import { mean } from "./within.ts";

type Tasks = readonly (readonly number[])[];

/**
 * By task: the expected PassRatio of the program that the score picks among `n` drawn at random, without replacement; of
 * several drawn with the best score each is picked as often. In closed form: of a task's N programs, b of which score no
 * better than a given score, no better one is drawn with probability C(b, n) / C(N, n). NaN where a task has fewer than `n`.
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

/** Rows in groups of equal score, the lowest first. */
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

/** By task: PassRatio of the best-scored program; of several with the best score, their mean. */
export const topOfTasks = (tasks: Tasks, scores: readonly number[], passRatios: readonly number[]): number[] =>
  tasks.map((task) =>
    mean(
      byScore(task, scores)
        .at(-1)!
        .map((i) => passRatios[i]!),
    ),
  );

/** By task: PassRatio of the worst-scored program; of several with the worst score, their mean. */
export const bottomOfTasks = (tasks: Tasks, scores: readonly number[], passRatios: readonly number[]): number[] =>
  tasks.map((task) => mean(byScore(task, scores)[0]!.map((i) => passRatios[i]!)));
