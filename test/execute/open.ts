/** Which sandboxes work on the machine that runs the tests, found once; and problems in few words. */
import { type Executor, type ExecutorOptions, openExecutor, type SandboxKind } from "../../src/execute/index.ts";
import type { Problem, TestCase } from "../../src/types.ts";

/** bubblewrap or Python may be missing; WebAssembly is always tested. */
export const bwrapWorks: boolean = await openExecutor({ sandbox: "bwrap", workers: 1 }).then(
  async (executor) => {
    await executor.close();
    return true;
  },
  (error: Error) => {
    process.stderr.write(`tests in bubblewrap are skipped: ${error.message}\n`);
    return false;
  },
);

const working: readonly SandboxKind[] = bwrapWorks ? ["bwrap", "wasm"] : ["wasm"];
/** CODESCORE_TEST_SANDBOX: where it works this one alone, since the others were tested before. */
const only = working.filter((kind) => kind === process.env.CODESCORE_TEST_SANDBOX);
export const sandboxes: readonly SandboxKind[] = only.length > 0 ? only : working;

export const open = (sandbox: SandboxKind, options: ExecutorOptions = {}): Promise<Executor> =>
  openExecutor({ sandbox, workers: 1, ...options });

/** A problem whose tests are given as asserts, as `[args, expected]` calls, or as whole test cases. */
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
