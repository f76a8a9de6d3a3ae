/**
 * What programs did when they were executed, each of them once: written to a journal at once, so that a killed run executes
 * nothing again but what it was just executing.
 */
import { CodescoreError } from "../../errors.ts";
import { type Executor, settingsOf } from "../../execute/index.ts";
import type { Problem } from "../../types.ts";
import { packageVersion, sha256 } from "../../util/files.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import { openJournal } from "../llm/journal.ts";
import { type Behaviour, behaviourOf, type Inputs, inputsOf } from "./behaviour.ts";

export interface Executions {
  /** As `inputsOf`; `programs` are those of the problem's chain. */
  inputs(problem: Problem, header: string, programs: readonly string[]): Promise<Inputs>;
  /** As `behaviourOf`. */
  behaviour(problem: Problem, code: string, inputs: Inputs): Promise<Behaviour>;
  close(): Promise<void>;
}

/**
 * `path` is the file of what is known. The executor stays the caller's to close. Throws `CodescoreError("input")` for a file
 * that is damaged.
 */
export async function openExecutions(path: string, executor: Executor): Promise<Executions> {
  const environment = [await packageVersion(), settingsOf(executor)];
  const journal = await openJournal(path);
  const known = await readKnown(path).catch(async (error: unknown) => {
    await journal.close();
    throw error;
  });
  const running = new Map<string, Promise<unknown>>();

  /** `what` is all that the value hangs on. A value that is not `lasting` is not written down. */
  const once = <T>(id: string, what: readonly unknown[], execute: () => Promise<T>, lasting: (value: T) => boolean) => {
    const key = sha256(JSON.stringify([environment, ...what]));
    if (known.has(key)) return Promise.resolve(known.get(key) as T);
    const fresh = async (): Promise<T> => {
      const value = await execute();
      if (lasting(value)) await journal.append([{ execution_sha256: key, task_id: id, value: pack(value) }]);
      return value;
    };
    const run = (running.get(key) as Promise<T> | undefined) ?? fresh();
    running.set(key, run);
    return run;
  };

  return {
    inputs: (problem, header, programs) =>
      once(
        problem.id,
        // inputs of tests do not hang on the programs
        ["inputs", problem, header, ...(problem.tests.length === 0 ? programs : [])],
        () => inputsOf(problem, header, programs, executor),
        () => true,
      ),
    behaviour: (problem, code, inputs) =>
      once(
        problem.id,
        ["behaviour", problem, code, inputs.inputs],
        () => behaviourOf(problem, code, inputs, executor),
        ({ status }) => status !== "infra", // tried again
      ),
    close: () => journal.close(),
  };
}

async function readKnown(path: string): Promise<Map<string, unknown>> {
  const known = new Map<string, unknown>();
  for await (const { value: row, where } of readJsonLines(path)) {
    const { execution_sha256: key, value } = row;
    if (typeof key !== "string" || typeof value !== "object" || value === null) {
      throw new CodescoreError(
        "input",
        `${where}: expected \`execution_sha256\` and \`value\`; delete the file to execute again`,
      );
    }
    known.set(key, unpack(value));
  }
  return known;
}

/** Numbers that JSON does not have, as `{"int": "..."}` and `{"float": "..."}`: no object of ours has such a key alone. */
function pack(value: unknown): unknown {
  if (typeof value === "bigint") return { int: String(value) };
  if (Object.is(value, -0)) return { float: "-0" };
  if (typeof value === "number") return Number.isFinite(value) ? value : { float: String(value) };
  return mapped(value, pack);
}

function unpack(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { int, float, ...rest } = value as { int?: string; float?: string };
  if (Object.keys(rest).length > 0 || Array.isArray(value)) return mapped(value, unpack);
  if (int !== undefined) return BigInt(int);
  return float === undefined ? value : Number(float);
}

function mapped(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]));
}
