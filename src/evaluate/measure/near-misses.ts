/**
 * Near misses: can a score distinguish a program that passes every test from one that differs from the reference by a single
 * operator and fails? A score based on resemblance prefers the mutant, which resembles the reference more.
 */
import { kindOf } from "../../dataset/kinds.ts";
import type { Estimated, NamedTable } from "../../report/tables.ts";
import { taskAucs } from "../../statistics/index.ts";
import type { LabelledRow } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import type { Usable } from "./usable.ts";

export interface NearMissCounts {
  /** Number of tasks that have pairs. */
  readonly tasks: number;
  readonly pairs: number;
}

const BROKEN: ReadonlySet<string | null> = new Set(["SyntaxError", "IndentationError"]);

/** Passes every test and was written by a model, not made from the reference. */
const isRight = ({ made_by, pass_ratio }: LabelledRow): boolean => pass_ratio === 1 && kindOf(made_by) === "llm";

/** Differs from the reference by one mutation operator, is still Python, and fails a test. */
const isMutant = ({ made_by, pass_ratio, first_error }: LabelledRow): boolean =>
  pass_ratio !== null && pass_ratio < 1 && /^mutant:[^+|]+$/.test(made_by) && !BROKEN.has(first_error);

/** Per task: the share of pairs of a right program and a mutant in which the right one scores higher; ties count half. NaN without pairs. */
export function nearMissShares({ tasks, rows }: Pick<Usable, "tasks" | "rows">, scores: readonly number[]): number[] {
  const right = rows.map(isRight);
  const pairs = tasks.map((task) => task.filter((i) => right[i] || isMutant(rows[i]!)));
  return taskAucs(pairs, scores, right); // the AUC equals this share
}

export function countNearMisses({ tasks, rows }: Pick<Usable, "tasks" | "rows">): NearMissCounts {
  const counts = tasks.map((task) => {
    const ofTask = task.map((i) => rows[i]!);
    return ofTask.filter(isRight).length * ofTask.filter(isMutant).length;
  });
  return { tasks: counts.filter((pairs) => pairs > 0).length, pairs: counts.reduce((sum, pairs) => sum + pairs, 0) };
}

/** Null if no task has pairs. @param shares the share of each column of scores */
export function nearMissTable(
  shares: readonly { readonly name: string; readonly share: Estimated }[],
  { tasks, pairs }: NearMissCounts,
  quiet: readonly number[],
): Omit<NamedTable, "name"> | null {
  if (pairs === 0) return null;
  return {
    title: "Near misses ordered right",
    note: `Share of ${counted(pairs, "pair")} of a program that passes every test and a one-operator mutant that fails, of one task, in which the first scores higher; ties count half. Mean over ${counted(tasks, "task")}.`,
    table: {
      columns: [{ label: "metric" }, { label: "ordered right", best: "highest" }],
      rows: shares.map(({ name, share }) => [name, share]),
      quiet,
    },
  };
}
