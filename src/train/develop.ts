/** Measures the parameters on the dev problems. */
import {
  detection,
  groupRows,
  kendallTauB,
  meanAbsoluteError,
  orNull,
  pearson,
  rocAuc,
  spearman,
  withinTaskAuc,
} from "../statistics/index.ts";
import type { InputFormat } from "../types.ts";
import type { Example } from "./examples.ts";
import { predict, type Trainee } from "./step.ts";

/** A figure is null if it is undefined, such as the correlation of a constant. */
export interface DevResult {
  readonly rows: number;
  /** Kendall's tau-b of score and PassRatio. */
  readonly kendallTau: number | null;
  /** r_s. It selects the best step. */
  readonly spearman: number | null;
  /** r_p */
  readonly pearson: number | null;
  /** Mean of |score - PassRatio|. */
  readonly mae: number;
  /** Mean AUC within a task for passing every test, over tasks with both passing and failing programs. */
  readonly withinAuc: number | null;
  /** F1 of the Exec head against Executability, at a logit of 0. Null if no row is executable or predicted so. */
  readonly execF1: number | null;
  /** AUC of the Exec head against Executability. Null if all rows have the same label. */
  readonly execAuc: number | null;
}

/** The figures of a `DevResult` that a run reports, in order. */
export const DEV_FIGURES = [
  "kendallTau",
  "spearman",
  "pearson",
  "mae",
  "withinAuc",
  "execF1",
  "execAuc",
] as const satisfies readonly (keyof DevResult)[];

/** Scores each dev row in the richest format it has. Null with fewer than two dev rows. */
export async function evaluateOnDev(
  trainee: Trainee,
  dev: readonly Example[],
  formats: readonly InputFormat[],
  batchTokens: number,
): Promise<DevResult | null> {
  const richest = [...formats].sort((a, b) => b.length - a.length); // ref+nl, ref, nl
  const scores: number[] = [];
  const execs: number[] = [];
  const rows: Example[] = [];
  for (const format of richest) {
    const those = dev.filter((row) => richest.find((f) => row.ids[f] !== undefined) === format);
    for (const { score, exec } of await predict(trainee, those, format, batchTokens)) {
      scores.push(score);
      execs.push(exec);
    }
    rows.push(...those);
  }
  return measure(rows, scores, execs);
}

/** The figures of scores and Exec probabilities, one of each per row. */
export function measure(
  rows: readonly Pick<Example, "taskId" | "passRatio" | "executable">[],
  scores: readonly number[],
  execs: readonly number[],
): DevResult | null {
  if (rows.length < 2) return null;
  const labels = rows.map(({ passRatio }) => passRatio);
  const executable = rows.map((row) => row.executable === 1);
  const tasks = [...groupRows(rows.map(({ taskId }) => taskId)).values()];
  const passesAll = labels.map((label) => label === 1);
  return {
    rows: rows.length,
    kendallTau: orNull(kendallTauB(scores, labels)),
    spearman: orNull(spearman(scores, labels)),
    pearson: orNull(pearson(scores, labels)),
    mae: meanAbsoluteError(scores, labels),
    withinAuc: orNull(withinTaskAuc(tasks, scores, passesAll)),
    execF1: orNull(detection(execs, executable).f1),
    execAuc: orNull(rocAuc(execs, executable)),
  };
}
