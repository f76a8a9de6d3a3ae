/**
 * Samples programs of models from long sample files in bounded memory. For each problem and each hint (the label in its source:
 * 0, between, 1, none) it keeps the programs with the smallest hashes. A source with a thousand right answers to one task then
 * does not crowd out the wrong ones, and the choice does not depend on the order of rows. Programs that differ only in comments,
 * docstrings and blank space count once.
 */
import { stripPython } from "../../languages/python/normalize/strip.ts";
import { sha256 } from "../../util/files.ts";
import { readJsonLines, stringField } from "../../util/jsonl.ts";

export type Hint = "zero" | "between" | "one" | "none";

export interface PoolProgram {
  readonly code: string;
  readonly madeBy: string;
  /** The sample file and the row in it, for example `mas_mbpp:17`. */
  readonly origin: string;
  readonly hint: Hint;
  /** Hash of the task id and of the program without comments, docstrings and blank space. */
  readonly key: string;
}

/** The same key for programs that differ only in comments, docstrings and blank space. */
export const programKey = (taskId: string, code: string): string =>
  sha256(
    `${taskId}\0${stripPython(code)
      .replace(/[ \t]+/g, " ")
      .trim()}`,
  );

const hints: readonly Hint[] = ["between", "zero", "none", "one"]; // roughly the rarest first, so that rare ones get into a small limit

export class Pool {
  readonly #limit: number;
  readonly #tasks = new Map<string, Record<Hint, PoolProgram[]>>();
  /** Number of rows offered so far, including those that repeat a kept program. */
  rows = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(taskId: string, program: PoolProgram): void {
    this.rows += 1;
    const task = this.#tasks.get(taskId) ?? { zero: [], between: [], one: [], none: [] };
    this.#tasks.set(taskId, task);
    const list = task[program.hint];
    const at = list.findIndex(({ key }) => key >= program.key);
    if (at >= 0 && list[at]!.key === program.key) return;
    if (at < 0 && list.length >= this.#limit) return;
    list.splice(at < 0 ? list.length : at, 0, program);
    if (list.length > this.#limit) list.pop();
  }

  /** The programs of a task: one of each hint in turn, up to the limit, without repeats, sorted by hash. */
  take(taskId: string): PoolProgram[] {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return [];
    const taken = new Map<string, PoolProgram>();
    for (let i = 0; i < this.#limit; i++) {
      for (const hint of hints) {
        const program = task[hint][i];
        if (program && taken.size < this.#limit && !taken.has(program.key)) taken.set(program.key, program);
      }
    }
    return [...taken.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}

/** Reads sample files (`{task_id, code | solution, model, label?}`) into a pool. Skips tasks that are not `wanted`. */
export async function readPool(
  files: readonly { readonly path: string; readonly name: string }[],
  wanted: ReadonlySet<string>,
  limit: number,
): Promise<Pool> {
  const pool = new Pool(limit);
  for (const { path, name } of files) {
    let number = 0;
    for await (const line of readJsonLines(path)) {
      number += 1;
      const taskId = line.value.task_id;
      if (typeof taskId !== "string" || !wanted.has(taskId)) continue;
      const code = stringField(line, "code", "solution");
      const { model, label } = line.value;
      pool.add(taskId, {
        code,
        madeBy: typeof model === "string" && model !== "" ? model : "unknown",
        origin: `${name}:${number}`,
        hint: hintOf(label),
        key: programKey(taskId, code),
      });
    }
  }
  return pool;
}

function hintOf(label: unknown): Hint {
  if (typeof label !== "number") return "none";
  if (label <= 0) return "zero";
  return label >= 1 ? "one" : "between";
}
