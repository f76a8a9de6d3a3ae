/** Problems with recorded chains, and executors that report what they run. */
import type { Executor } from "../../src/execute/index.ts";
import type { Problem } from "../../src/types.ts";

const problem = (entryPoint: string): Problem => ({
  id: `t/${entryPoint}`,
  description: "Does as it likes.",
  prompt: `def ${entryPoint}(x):\n    """Does as it likes."""\n`,
  entryPoint,
  references: [`def ${entryPoint}(x):\n    return x\n`],
  tests: ["2", "-1"].map((args, i) => ({
    id: `${i}`,
    origin: "given",
    kind: "call",
    args,
    expected: args,
    tolerance: 0,
  })),
  setup: "",
  contract: "assert type(x) == int",
  source: "test",
});

export const chained: readonly Problem[] = ["first", "second", "third"].map(problem);

/** Three programs with different texts for each problem. */
export const recording: string = chained
  .flatMap(({ id: task_id }) => [
    ...["    return x", "    return x + 10 ** 30", "    return [x] * 2"].map((text, sample) => ({
      task_id,
      direction: "backward",
      sample,
      text,
    })),
    ...[1, 2].map((sample) => ({ task_id, direction: "forward", sample, text: `Step ${sample}.` })),
  ])
  .map((row) => `${JSON.stringify(row)}\n`)
  .join("");

/** Reports every program that is executed. */
export const watched = (executor: Executor, tell: (program: string) => unknown): Executor => ({
  sandbox: executor.sandbox,
  python: executor.python,
  seccomp: executor.seccomp,
  landlock: executor.landlock,
  limits: executor.limits,
  modules: () => executor.modules(),
  execute: async (problem, code) => {
    await tell(code);
    return executor.execute(problem, code);
  },
  answers: async (program, inputs, cpuS) => {
    await tell(program.code);
    return executor.answers(program, inputs, cpuS);
  },
  inputs: (problem) => executor.inputs(problem),
  close: () => executor.close(),
});

/** Executes `times` programs, and then hangs. */
export function hangingAfter(executor: Executor, times: number): Executor {
  let begun = 0;
  return watched(executor, () => (++begun > times ? new Promise(() => {}) : null));
}
