/** Runs tasks in a sandbox that the tests of a file share. */
import { TaskRun } from "../../src/behaviour/index.ts";
import type { Observed } from "../../src/behaviour/observe.ts";
import type { Task } from "../../src/behaviour/types.ts";
import { type Executor, openExecutor } from "../../src/execute/index.ts";

let opened: Promise<Executor> | undefined;

export const executor = (): Promise<Executor> => (opened ??= openExecutor({ workers: 2 }));

export async function closeExecutor(): Promise<void> {
  await (await opened)?.close();
  opened = undefined;
}

export interface Ran {
  readonly run: TaskRun;
  readonly observed: Observed;
}

/** A task whose candidates ran on all of its inputs. */
export async function observe(task: Partial<Task>, inputs = 20, seed = 0): Promise<Ran> {
  const whole: Task = { reference: null, description: null, candidates: [], ...task };
  const run = await TaskRun.open(whole, await executor(), { inputs, seed });
  if (run === null) throw new Error("nothing to call");
  await run.run(
    whole.candidates.map((_, i) => i),
    inputs,
  );
  return { run, observed: await run.observed() };
}

/** The inputs, as text. */
export const inputsOf = ({ run }: Ran): string[] =>
  run.inputs.known.map(({ input }) => ("args" in input ? input.args : input.stdin));
