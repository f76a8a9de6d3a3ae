/**
 * Reads files of samples as rows, one per program. Besides plain rows it reads what harnesses write: EvalPlus' results
 * (`*eval_results.json`), lists of programs per task (`generations`; LiveCodeBench's `code_list`, ClassEval's `predict`),
 * bigcode-evaluation-harness' generations (a list of such lists, in the order of the problems), and logs (logs.ts).
 */
import { basename } from "node:path";
import { CodescoreError } from "../errors.ts";
import { harnessAnswers, harnessRun, inspectAnswers, isHarnessRow, isInspectLog, isObject } from "./logs.ts";
import { broken, countLists, type OnBroken, type Row, readRows, readText, rowOfFields } from "./rows.ts";
import { type Run, runOf } from "./runs.ts";

/** The rows of a file. Rows without a model get the model of their run, as file names tell it, and its temperature if they have none. */
export async function* sampleRows(path: string, onBroken?: OnBroken): AsyncGenerator<Row> {
  if (/\.eval$/.test(path)) {
    throw new CodescoreError(
      "input",
      `${path}: binary inspect_ai logs are not supported; convert it: \`inspect log convert ${path} --to json --output-dir DIR\``,
    );
  }
  const run = { ...runOf(path), ...(await harnessRun(path)) };
  let filter: unknown;
  for await (const row of rowsOf(path, onBroken)) {
    // Each filter of lm-evaluation-harness writes all answers again. Only those of the first filter are taken.
    filter ??= row.value.filter;
    if (isHarnessRow(row) && row.value.filter !== filter) continue;
    try {
      for (const sample of samplesIn(row, path)) yield withRun(sample, run);
    } catch (error) {
      broken(error, onBroken);
    }
  }
}

/** Reads rows. A JSON object that spans many lines, as in logs, is one row. */
async function* rowsOf(path: string, onBroken?: OnBroken): AsyncGenerator<Row> {
  const text = /\.json$/.test(path) ? await readText(path) : "";
  const rows = async (): Promise<AsyncIterable<Row>> =>
    readRows(path, { lists: await countLists(path), ...(onBroken && { onBroken }) });
  if (!text.trimStart().startsWith("{") || !text.trim().includes("\n")) return yield* await rows();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return yield* await rows(); // JSON lines in a .json file, or an error that names the line
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

/** Sets `task_id` from where DS-1000 (`metadata`) and LiveCodeBench (`question_id`) name the task. */
function withTask(row: Row): Row {
  const { task_id, question_id, metadata } = row.value;
  const task = question_id ?? (isObject(metadata) ? metadata.problem_id : undefined);
  if ((task_id ?? null) !== null || (typeof task !== "string" && typeof task !== "number")) return row;
  return { ...row, value: { task_id: task, ...row.value } };
}

/** Fields that hold a list with one entry per program, or data of the whole problem. A single program's row drops them. */
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

/** The model's name from the file name. bigcode-evaluation-harness stores it nowhere else, and its users put it there. */
const modelOfFile = (path: string): string => basename(path).replace(/\.json$/, "");

function withRun(row: Row, run: Run): Row {
  const lacks = (name: string): boolean => (row.value[name] ?? null) === null;
  const named = ["model", "made_by", "madeBy"].some((name) => !lacks(name));
  if (named || run.model === undefined) return row;
  const { temperature } = run;
  const known = lacks("temperature") && temperature !== undefined ? { temperature } : {};
  return { ...row, value: { ...row.value, model: run.model, ...known } };
}

/** Reads `{eval: {task: [{task_id, solution, ...}]}}`. EvalPlus versions before 0.2 store no programs. */
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
