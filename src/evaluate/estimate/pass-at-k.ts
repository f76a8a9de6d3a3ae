/** pass@k of a set of programs from scores for all of them and the executions of whole tasks. */
import { CodescoreError } from "../../errors.ts";
import { groupRows, mean, passAtK } from "../../statistics/index.ts";
import { counted } from "../../util/counted.ts";
import { type EstimatedMean, estimatedMean } from "./estimated.ts";
import type { BehaviourValues } from "./powered.ts";

interface Programs {
  readonly taskIds: readonly string[];
  readonly scores: readonly number[];
  /** As `EstimateMeanOptions` has it; of whole tasks. */
  readonly behaviour?: BehaviourValues;
  /** 1 where it passes every test, 0 where it does not, null where that is not known. */
  readonly passes: readonly (number | null)[];
  /** Rows of whole tasks. */
  readonly executed: readonly number[];
}

/**
 * The mean over tasks of pass@k (Chen et al. 2021), over the tasks with at least `k` programs. Of an executed task it is
 * known, of every task the mean score. (What scores read as chances to pass say of pass@k is near 1 for almost every task,
 * and the few others then decide: on he-eval-dev pass@5 was further off with them than without.) Throws
 * `CodescoreError("input")` where fewer than two of those tasks were executed.
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
