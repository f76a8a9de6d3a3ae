/** Rows as callers give them, in files or requests, with the fields that tasks and messages need. */
import { sha256 } from "../util/files.ts";
import type { JsonLine } from "../util/jsonl.ts";
import { isEntryPoint, kindOf, type ScoreError, type ScoreRow, toScoreRow, wrongEntryPoint } from "./rows.ts";

export interface InputRow extends ScoreRow {
  /** Rows of one task are candidates for the same job. Empty for a row of no task, which is an error. */
  readonly task: string;
  /** Where the row is in its file, for messages. Null if the id tells that. */
  readonly where: string | null;
  /** Why the row cannot be read. Such a row is not scored. */
  readonly error?: ScoreError["error"];
}

/** A placeholder for input that is not a valid row. */
export const brokenRow = (id: unknown, message: string, task = ""): InputRow => ({
  id,
  candidate: "",
  task,
  where: null,
  error: { code: "input", message },
});

/** What to do about a row without a candidate. */
function remedyFor(value: Readonly<Record<string, unknown>>): string {
  const has = (...names: readonly string[]): boolean => names.some((name) => name in value);
  if (!has("task_id")) return "";
  if (has("completion", "solution", "code", "generation", "generations")) {
    return "; score samples with --problems PROBLEMS --samples SAMPLES";
  }
  const isProblem = has("prompt", "canonical_solution", "test", "tests", "test_list", "entry_point");
  return isProblem ? "; this is a problem: score its samples with --problems THIS --samples SAMPLES" : "";
}

/** Never throws: invalid input gives a row that holds its error. */
export function toInputRow(line: JsonLine, index: number): InputRow {
  const { value, where } = line;
  const row = toScoreRow(line, index);
  if (!("candidate" in value || "generated_code" in value)) {
    const fields = Object.keys(value).slice(0, 12).join(", ") || "none";
    return brokenRow(row.id, `${where}: expected a field \`candidate\`, got the fields ${fields}${remedyFor(value)}`);
  }
  const { task_id: taskId = null, entry_point: entryPoint = null } = value;
  if (taskId !== null && typeof taskId !== "string" && typeof taskId !== "number") {
    return brokenRow(row.id, `${where}: expected \`task_id\` to be a string or a number, got ${kindOf(taskId)}`);
  }
  if (entryPoint !== null && entryPoint !== "" && !isEntryPoint(entryPoint)) {
    return brokenRow(row.id, `${where}: ${wrongEntryPoint(entryPoint, kindOf(entryPoint))}`);
  }
  // Without a task id, rows with equal reference and description form a task. Rows with neither are of no task.
  const isOfTask = (row.reference ?? row.description ?? "") !== "";
  const task = taskId ?? (isOfTask ? sha256(JSON.stringify([row.reference, row.description])) : "");
  return { ...row, task: typeof task === "string" ? task : JSON.stringify(task), where };
}
