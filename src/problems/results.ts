/** Results of EvalPlus (`*.eval_results.json`) as rows of samples. */
import { CodescoreError } from "../errors.ts";
import { type Row, readRows, rowOfFields } from "./rows.ts";

/** The rows of a file; those in EvalPlus' results one by one. */
export async function* sampleRows(path: string): AsyncGenerator<Row> {
  for await (const row of readRows(path)) {
    if (isObject(row.value.eval)) yield* resultRows(row.value.eval, row.where);
    else yield row;
  }
}

/** `{eval: {task: [{task_id, solution, ...}]}}`; versions before 0.2 hold no programs. */
function* resultRows(tasks: Record<string, unknown>, where: string): Generator<Row> {
  for (const [task, results] of Object.entries(tasks)) {
    if (!Array.isArray(results)) {
      throw new CodescoreError("input", `${where}, \`eval\`, ${task}: expected a list of results with a \`solution\``);
    }
    for (const [i, result] of results.entries()) {
      const fields = isObject(result) ? result : {};
      yield rowOfFields({ task_id: task, ...fields }, `${where}, \`eval\`, ${task}, result ${i}`);
    }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
