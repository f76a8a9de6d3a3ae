/**
 * The results of executing programs, each executed once. They are written to a journal immediately, so a run that was killed
 * executes again only what was running at that time.
 */
import { CodescoreError } from "../../errors.ts";
import { type Executor, settingsOf } from "../../execute/index.ts";
import type { Problem } from "../../types.ts";
import { packageVersion, sha256 } from "../../util/files.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import { openKnown } from "../llm/journal.ts";
import { type Behaviour, behaviourOf, type Inputs, inputsOf } from "./behaviour.ts";

export interface Executions {
  /** As `inputsOf`. `programs` are the programs of the problem's chain. */
  inputs(problem: Problem, header: string, programs: readonly string[]): Promise<Inputs>;
  /** As `behaviourOf`. */
  behaviour(problem: Problem, code: string, inputs: Inputs): Promise<Behaviour>;
  close(): Promise<void>;
}

/**
 * Opens the executions in a file. The caller closes the executor.
 * @param path file of known results
 * @throws `CodescoreError("input")` for a damaged file
 */
export async function openExecutions(path: string, executor: Executor): Promise<Executions> {
  const environment = [await packageVersion(), settingsOf(executor)];
  const { journal, known } = await openKnown(path, readKnown);
  const running = new Map<string, Promise<unknown>>();

  /** Executes only if the result is unknown. `what` is everything that the value depends on. A value that is not `lasting` is not stored. */
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
        // Inputs from calls in tests do not depend on the programs. Other tests may give none, and then inputs are generated.
        ["inputs", problem, header, ...(isOfCalls(problem) ? [] : programs)],
        () => inputsOf(problem, header, programs, executor),
        () => true,
      ),
    behaviour: (problem, code, inputs) =>
      once(
        problem.id,
        ["behaviour", problem, code, inputs.inputs],
        () => behaviourOf(problem, code, inputs, executor),
        ({ status }) => status !== "infra", // not stored, so it is tried again
      ),
    close: () => journal.close(),
  };
}

const isOfCalls = ({ tests }: Problem): boolean => tests.length > 0 && tests.every(({ kind }) => kind === "call");

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

/** Stores numbers that JSON lacks as `{"int": "..."}` and `{"float": "..."}`. No stored object has such a key alone. */
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
