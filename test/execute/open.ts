/** Detects, once, which sandboxes work on the machine that runs the tests; and helpers for short problem definitions. */
import { type Executor, type ExecutorOptions, openExecutor, type SandboxKind } from "../../src/execute/index.ts";
import type { Problem, TestCase } from "../../src/types.ts";
import { sayOnce } from "../once.ts";

async function works(sandbox: SandboxKind): Promise<boolean> {
  try {
    await (await openExecutor({ sandbox, workers: 1 })).close();
    return true;
  } catch (error) {
    sayOnce(`skipped-${sandbox}`, `tests in ${sandbox} are skipped: ${(error as Error).message}`);
    return false;
  }
}

/** bubblewrap, Landlock or Python may be missing; WebAssembly is always tested. */
export const bwrapWorks = await works("bwrap");
export const landlockWorks = await works("landlock");

/** All that work here. */
export const working: readonly SandboxKind[] = [
  ...(bwrapWorks ? (["bwrap"] as const) : []),
  ...(landlockWorks ? (["landlock"] as const) : []),
  "wasm",
];
/**
 * CODESCORE_TEST_SANDBOX: if it works here, only this one, because the fast suites were run in the others before. A slow suite runs only
 * once, so it uses `working`.
 */
const only = working.filter((kind) => kind === process.env.CODESCORE_TEST_SANDBOX);
export const sandboxes: readonly SandboxKind[] = only.length > 0 ? only : working;

/** Landlock runs the same Python as bubblewrap, so tests that depend on it run in only one of them. */
export const byPython: readonly SandboxKind[] = sandboxes.filter((kind) => kind !== "landlock" || !bwrapWorks);

/** The sandboxes that run the machine's Python. */
export const native: readonly SandboxKind[] = sandboxes.filter((kind) => kind !== "wasm");
export const workingNative: readonly SandboxKind[] = working.filter((kind) => kind !== "wasm");

export const open = (sandbox: SandboxKind, options: ExecutorOptions = {}): Promise<Executor> =>
  openExecutor({ sandbox, workers: 1, ...options });

const shared = new Map<SandboxKind, Promise<Executor>>();

/**
 * The executor with the default options that all test files of this process share, because starting its guard and judge takes four CPU
 * seconds in WebAssembly. Nobody closes it: its processes end with this one.
 */
export function openShared(sandbox: SandboxKind): Promise<Executor> {
  const executor = shared.get(sandbox) ?? open(sandbox);
  shared.set(sandbox, executor);
  return executor;
}

/** The folder that the next program can write to. With one worker its name is known from a program. */
export async function scratchOf(executor: Executor): Promise<string> {
  if (executor.sandbox !== "landlock") return "/tmp";
  const program = { code: "import os\ndef f(): return os.getcwd()", entryPoint: "f", setup: "" };
  const [answer] = await executor.answers(program, [{ args: "" }]);
  return answer?.outcome === "ok" && answer.value.t === "str" ? answer.value.v : `no folder: ${JSON.stringify(answer)}`;
}

/** A problem whose tests are given as asserts, as `[args, expected]` calls, or as complete test cases. */
export function problem(
  entryPoint: string | null,
  tests: readonly (string | readonly [string, string | null] | TestCase)[],
  more: Partial<Problem> = {},
): Problem {
  return {
    id: "T/0",
    description: "",
    prompt: "",
    entryPoint,
    references: [],
    tests: tests.map((test, index): TestCase => {
      const id = String(index);
      if (typeof test === "string") return { id, origin: "given", kind: "assert", code: test };
      if ("kind" in test) return test;
      return { id, origin: "given", kind: "call", args: test[0], expected: test[1], tolerance: 0 };
    }),
    setup: "",
    contract: "",
    source: "test",
    ...more,
  };
}

export const stdio = (id: string, stdin: string, expected: string | null): TestCase => ({
  id,
  origin: "given",
  kind: "stdio",
  stdin,
  expected,
});
