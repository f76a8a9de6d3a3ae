/**
 * Files of rows as rows of samples, one a program. Beside plain rows they are what harnesses write:
 * EvalPlus' results (`*eval_results.json`), lists of programs a task (`generations`; LiveCodeBench's `code_list`, ClassEval's `predict`),
 * bigcode-evaluation-harness' generations (a list of such lists, in the order of the problems), and logs (logs.ts).
 */
import { basename } from "node:path";
import { CodescoreError } from "../errors.ts";
import { harnessAnswers, harnessRun, inspectAnswers, isHarnessRow, isInspectLog, isObject } from "./logs.ts";
import { broken, countLists, type OnBroken, type Row, readRows, readText, rowOfFields } from "./rows.ts";
import { type Run, runOf } from "./runs.ts";

/** The rows of a file. A row that does not say its model and temperature has those of its run, where names of files tell. */
export async function* sampleRows(path: string, onBroken?: OnBroken): AsyncGenerator<Row> {
  if (/\.eval$/.test(path)) {
    throw new CodescoreError(
      "input",
      `${path}: an inspect_ai log in its binary form is not read; \`inspect log convert ${path} --to json --output-dir DIR\` writes one that is`,
    );
  }
  const run = { ...runOf(path), ...(await harnessRun(path)) };
  let filter: unknown;
  for await (const row of rowsOf(path, onBroken)) {
    // Each filter of lm-evaluation-harness writes all answers again: those of the first are taken.
    filter ??= row.value.filter;
    if (isHarnessRow(row) && row.value.filter !== filter) continue;
    try {
      for (const sample of samplesIn(row, path)) yield withRun(sample, run);
    } catch (error) {
      broken(error, onBroken);
    }
  }
}

/** A JSON object over many lines, as logs are written, is one row. */
async function* rowsOf(path: string, onBroken?: OnBroken): AsyncGenerator<Row> {
  const text = /\.json$/.test(path) ? await readText(path) : "";
  const rows = async (): Promise<AsyncIterable<Row>> =>
    readRows(path, { lists: await countLists(path), ...(onBroken && { onBroken }) });
  if (!text.trimStart().startsWith("{") || !text.trim().includes("\n")) return yield* await rows();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return yield* await rows(); // JSON lines under this name, or an error that names the line
  }
  if (isObject(value)) yield rowOfFields(value, path);
}

function* samplesIn(row: Row, path: string): Generator<Row> {
  const { generations, code_list, predict } = row.value;
  if (isInspectLog(row)) yield* inspectAnswers(row);
  else if (isObject(row.value.eval)) yield* resultRows(row.value.eval, row.where);
  else if (isHarnessRow(row)) yield* harnessAnswers(row);
  else if (row.place !== undefined) yield* listed(row, generations, "solution", { model: modelOfFile(path) });
  else if (code_list !== undefined) yield* listed(row, code_list, "solution", { task_id: row.value.question_id });
  else if (predict !== undefined) yield* listed(row, predict, "generation", {});
  else if (generations !== undefined) yield* listed(row, generations, "generation", {});
  else yield withTask(row);
}

/** DS-1000's answers name their task in `metadata`, LiveCodeBench's in `question_id`. */
function withTask(row: Row): Row {
  const { task_id, question_id, metadata } = row.value;
  const task = question_id ?? (isObject(metadata) ? metadata.problem_id : undefined);
  if ((task_id ?? null) !== null || (typeof task !== "string" && typeof task !== "number")) return row;
  return { ...row, value: { task_id: task, ...row.value } };
}

/** Fields of lists that hold one entry a program, and what else there is of the problem: none is one program's. */
const OF_LISTS = ["generations", "code_list", "output_list", "predict", "graded_list", "sample_id", "metadata"];

function* listed(row: Row, list: unknown, field: string, more: Record<string, unknown>): Generator<Row> {
  const { value, where } = row;
  if (!Array.isArray(list) || list.some((text) => typeof text !== "string")) {
    throw new CodescoreError(
      "input",
      `${where}: expected a list of programs, got ${JSON.stringify(list)?.slice(0, 60)}`,
    );
  }
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !OF_LISTS.includes(name)));
  for (const text of list) yield { ...row, value: { ...rest, ...more, [field]: text } };
}

/** bigcode-evaluation-harness names the model nowhere but, as its users do, in the file's name. */
const modelOfFile = (path: string): string => basename(path).replace(/\.json$/, "");

function withRun(row: Row, run: Run): Row {
  const lacks = (name: string): boolean => (row.value[name] ?? null) === null;
  const named = ["model", "made_by", "madeBy"].some((name) => !lacks(name));
  if (named || run.model === undefined) return row;
  const { temperature } = run;
  const known = lacks("temperature") && temperature !== undefined ? { temperature } : {};
  return { ...row, value: { ...row.value, model: run.model, ...known } };
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
