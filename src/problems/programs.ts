/** A folder of one task's programs, as EvalPlus lays samples out: `HumanEval_0/0.py`, `HumanEval_0/1.py`, below a folder a run. */
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Row, readText, rowOfFields } from "./rows.ts";
import { runOf } from "./runs.ts";

/** The `*.py` files of a folder, numbers in their order. */
export async function programFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".py"));
  return names.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).map((name) => join(folder, name));
}

/** A sample a file. */
export async function* programRows(folder: string): AsyncGenerator<Row> {
  const run = runOf(folder);
  for (const file of await programFiles(folder)) {
    yield rowOfFields({ task_id: taskOfFolder(basename(folder)), solution: await readText(file), ...run }, file);
  }
}

/** EvalPlus writes a task's name with its slash as an underscore: the last one before a number, else the first. */
const taskOfFolder = (name: string): string =>
  /_\d+$/.test(name) ? name.replace(/_(?=\d+$)/, "/") : name.replace("_", "/");
