/** An executor that runs nothing. Verdicts depend on the program's text, and answers come from a table of functions. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, defaultLimits, type Executor } from "../../src/execute/index.ts";
import { printLiteral } from "../../src/languages/python/literals/index.ts";
import type { Execution, LabelledRow, Problem, ProgramInput, PyValue, Verdict } from "../../src/types.ts";

export interface FakeOptions {
  /** Milliseconds that a program takes. */
  readonly delay?: (code: string) => number;
  /** The result for a program. Without it, a program passes as many of four tests as it has `+` signs. */
  readonly verdict?: (code: string) => Partial<Execution>;
  /** The answers of a program, by its text. Called once per input and run. */
  readonly programs?: Readonly<Record<string, Program>>;
}

type Program = (input: string, run: number) => PyValue | null;

export interface FakeExecutor extends Executor {
  /** Programs executed, in order of their start. */
  readonly executed: string[];
  readonly problems: Set<Problem>;
  running: number;
  mostRunning: number;
}

export function fakeExecutor({ delay, verdict, programs = {} }: FakeOptions = {}): FakeExecutor {
  const runs = new Map<string, number>();
  const fake: FakeExecutor = {
    sandbox: "none",
    python: "3.0.fake",
    seccomp: false,
    landlock: null,
    limits: defaultLimits,
    modules: async () => ["math", "sys"],
    executed: [],
    problems: new Set(),
    running: 0,
    mostRunning: 0,
    execute: async (problem, code) => {
      fake.executed.push(code);
      fake.problems.add(problem);
      fake.running += 1;
      fake.mostRunning = Math.max(fake.mostRunning, fake.running);
      await sleep(delay?.(code) ?? 0);
      fake.running -= 1;
      const own = programs[code];
      return { ...(own ? judged(problem, own) : execution(code)), ...verdict?.(code) };
    },
    answers: async ({ code }, inputs) => {
      const run = runs.get(code) ?? 0;
      runs.set(code, run + 1);
      return inputs.map((input): Answer => {
        const value = programs[code]?.("args" in input ? input.args : input.stdin, run) ?? null;
        if (value === null) return { outcome: "error", errorType: "ValueError", message: "refused" };
        return { outcome: "ok", text: "", value, cpuS: 0 };
      });
    },
    inputs: async ({ tests }) =>
      tests.flatMap((test): ProgramInput[] => {
        if (test.kind === "call") return [{ args: test.args }];
        return test.kind === "stdio" ? [{ stdin: test.stdin }] : [];
      }),
    close: async () => {},
  };
  return fake;
}

function execution(code: string): Execution {
  const passed = Math.min(4, code.split("+").length - 1);
  return executionOf([0, 1, 2, 3].map((i) => ({ testId: `t${i}`, outcome: i < passed ? "pass" : "fail" })));
}

/** The result of a program of the table on a problem's tests. It passes tests that are not calls or have no expected answer. */
function judged({ tests }: Problem, program: Program): Execution {
  return executionOf(
    tests.map((test): Verdict => {
      if (test.kind !== "call" || test.expected === null) return { testId: test.id, outcome: "pass" };
      const value = program(test.args, 0);
      if (value === null) return { testId: test.id, outcome: "error", errorType: "ValueError" };
      return { testId: test.id, outcome: printLiteral(value) === test.expected ? "pass" : "fail" };
    }),
  );
}

function executionOf(verdicts: readonly Verdict[]): Execution {
  const passRatio = verdicts.filter(({ outcome }) => outcome === "pass").length / verdicts.length;
  return { status: "ok", verdicts, passRatio, executable: 1, firstError: null, reason: null };
}

export const labelledRow = (more: Partial<LabelledRow> = {}): LabelledRow => ({
  task_id: "A/1",
  sample_id: "A/1#0",
  source: "s",
  made_by: "m",
  candidate: "def f(): pass",
  reference: null,
  description: null,
  pass_ratio: 0.5,
  executable: 1,
  n_tests: 2,
  n_passed: 1,
  n_opaque: 0,
  passes_base: null,
  temperature: null,
  status: "ok",
  first_error: null,
  reason: null,
  weight: 1,
  ...more,
});
