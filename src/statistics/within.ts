/** Skill within each task, so that differences in difficulty between tasks do not count. `tasks` holds the row numbers of each task. */
import { mean as meanOf } from "simple-statistics";
import { rocAuc } from "./classification.ts";
import { spearman } from "./correlation.ts";

type Tasks = readonly (readonly number[])[];

/** The mean. NaN without values. */
export const mean = (values: readonly number[]): number => (values.length === 0 ? Number.NaN : meanOf([...values]));

/** Replaces NaN by null, because JSON has no NaN. */
export const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Spearman's r_s within each task. NaN if PassRatio is constant; 0 if only the score is constant. */
export function taskSpearmans(tasks: Tasks, scores: readonly number[], passRatios: readonly number[]): number[] {
  return tasks.map((task) => {
    const labels = task.map((i) => passRatios[i]!);
    if (labels.every((label) => label === labels[0])) return Number.NaN;
    const r = spearman(
      task.map((i) => scores[i]!),
      labels,
    );
    return Number.isNaN(r) ? 0 : r;
  });
}

/** AUC of passing all tests, within each task. NaN if all programs pass, or none. */
export function taskAucs(tasks: Tasks, scores: readonly number[], passesAll: readonly boolean[]): number[] {
  return tasks.map((task) =>
    rocAuc(
      task.map((i) => scores[i]!),
      task.map((i) => passesAll[i]!),
    ),
  );
}

export const meanOfDefined = (values: readonly number[]): number =>
  mean(values.filter((value) => !Number.isNaN(value)));

export const withinTaskAuc = (tasks: Tasks, scores: readonly number[], passesAll: readonly boolean[]): number =>
  meanOfDefined(taskAucs(tasks, scores, passesAll));
