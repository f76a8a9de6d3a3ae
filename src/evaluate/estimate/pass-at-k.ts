/** Estimates pass@k of a set of programs from scores for all and executions of whole tasks. */
import { CodescoreError } from "../../errors.ts";
import { groupRows, mean, passAtK } from "../../statistics/index.ts";
import { counted } from "../../util/counted.ts";
import { type EstimatedMean, estimatedMean } from "./estimated.ts";
import type { BehaviourValues } from "./powered.ts";

interface Programs {
  readonly taskIds: readonly string[];
  readonly scores: readonly number[];
  /** As in `EstimateMeanOptions`; known for whole tasks. */
  readonly behaviour?: BehaviourValues;
  /** 1 if the program passes every test, 0 if it does not, null if this is unknown. */
  readonly passes: readonly (number | null)[];
  /** Row numbers of whole tasks. */
  readonly executed: readonly number[];
}

/**
 * The mean over tasks of pass@k (Chen et al. 2021), for tasks with at least `k` programs. It is known for executed tasks; the
 * mean score is known for every task. Scores read as probabilities of passing would predict a pass@k near 1 for almost every
 * task, and the few others would then decide. On he-eval-dev, pass@5 was further off with such predictions than without. Throws
 * `CodescoreError("input")` if fewer than two of those tasks were executed.
 */
export function estimatePassAtK({ taskIds, scores, behaviour, passes, executed }: Programs, k: number): EstimatedMean {
  const drawn = new Set(executed);
  const tasks = [...groupRows(taskIds)].filter(([, rows]) => rows.length >= k);
  if (tasks.length === 0) {
    throw new CodescoreError("input", `pass@${k}: expected tasks of at least ${counted(k, "program")}, got none`);
  }
  const known = tasks.map(([, rows]) => {
    const passed = rows.map((row) => passes[row]);
    if (!passed.every((one) => typeof one === "number")) return null;
    return passAtK(rows.length, passed.filter(Boolean).length, k);
  });
  return estimatedMean(k === 1 ? "pass@1 by task" : `pass@${k}`, {
    scores: tasks.map(([, rows]) => mean(rows.map((row) => scores[row]!))),
    values: known,
    taskIds: tasks.map(([id]) => id),
    executed: [...tasks.keys()].filter((t) => drawn.has(tasks[t]![1][0]!)),
    draw: "tasks",
    ...(behaviour && { behaviour: tasks.map(([, rows]) => meanOrNull(rows.map((row) => behaviour[row]!))) }),
  });
}

const meanOrNull = (values: readonly (number | null)[]): number | null =>
  values.every((value) => value !== null) ? mean(values) : null;
