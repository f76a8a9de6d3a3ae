/** Reads a folder with one task's programs, as EvalPlus lays out samples: `HumanEval_0/0.py`, `HumanEval_0/1.py`, inside one folder per run. */
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Row, readText, rowOfFields } from "./rows.ts";
import { runOf } from "./runs.ts";

/** The `*.py` files of a folder, in numeric order. */
export async function programFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".py"));
  return names.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).map((name) => join(folder, name));
}

/** Yields one sample row per file. */
export async function* programRows(folder: string): AsyncGenerator<Row> {
  const run = runOf(folder);
  for (const file of await programFiles(folder)) {
    yield rowOfFields({ task_id: taskOfFolder(basename(folder)), solution: await readText(file), ...run }, file);
  }
}

/** The task id of a folder. EvalPlus replaces the slash by an underscore: the last one before a number, otherwise the first one. */
const taskOfFolder = (name: string): string =>
  /_\d+$/.test(name) ? name.replace(/_(?=\d+$)/, "/") : name.replace("_", "/");
