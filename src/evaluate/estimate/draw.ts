/** Chooses at random which programs to execute. */
import { CodescoreError } from "../../errors.ts";
import { groupRows } from "../../statistics/index.ts";
import { counted } from "../../util/counted.ts";
import type { Random } from "../../util/random.ts";

/** `within`: a share of the programs of every task. `tasks`: all programs of a share of the tasks. */
export type Draw = "within" | "tasks";

/**
 * Draws about `budget` of all programs at random. `within`: the share of every task, at least one program per task, rounded so
 * that the total is right. `tasks`: the share of the tasks, at least two. Returns row numbers in order. Throws
 * `CodescoreError("usage")` if the budget is not in (0, 1] or too small for the design.
 */
export function drawExecuted(taskIds: readonly string[], budget: number, draw: Draw, random: Random): number[] {
  if (!(budget > 0 && budget <= 1)) {
    throw new CodescoreError("usage", `expected a budget in (0, 1], got ${budget}`);
  }
  const tasks = [...groupRows(taskIds).values()];
  const inOrder = (rows: number[]): number[] => rows.sort((a, b) => a - b);
  if (draw === "tasks") {
    const count = Math.max(2, Math.round(budget * tasks.length));
    return inOrder(random.shuffle(tasks).slice(0, count).flat());
  }
  const total = Math.round(budget * taskIds.length);
  if (total < tasks.length) {
    throw new CodescoreError(
      "usage",
      `a budget of ${budget} is ${counted(total, "program")}, fewer than the ${counted(tasks.length, "task")}; use at least ${(Math.ceil((1000 * tasks.length) / taskIds.length) / 1000).toFixed(3)}, or --draw tasks`,
    );
  }
  const counts = tasks.map((rows) => Math.max(1, Math.floor(budget * rows.length)));
  // The remaining programs go to the tasks that lost most by rounding down.
  const short = [...tasks.keys()].sort(
    (a, b) => budget * tasks[b]!.length - counts[b]! - (budget * tasks[a]!.length - counts[a]!),
  );
  let left = total - counts.reduce((sum, count) => sum + count, 0);
  for (const task of short) {
    if (left <= 0) break;
    if (counts[task]! >= tasks[task]!.length) continue;
    counts[task]! += 1;
    left -= 1;
  }
  return inOrder(tasks.flatMap((rows, t) => random.shuffle(rows).slice(0, counts[t])));
}
