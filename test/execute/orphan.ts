/** A process that keeps a sandbox busy as its arguments say, for orphan.test.ts. */
import { setTimeout as sleep } from "node:timers/promises";
import { openExecutor, type SandboxKind } from "../../src/execute/index.ts";
import type { Problem } from "../../src/types.ts";
import { scratchOf } from "./open.ts";

const [sandbox, what] = process.argv.slice(-2) as [SandboxKind, string];
const forEver = "    while True: pass\n";
const problem = (test: string): Problem => ({
  id: "t/1",
  description: "",
  prompt: "",
  entryPoint: "f",
  references: [],
  tests: [{ id: "0", origin: "given", kind: "assert", code: test }],
  setup: "",
  contract: "",
  source: "test",
});

const identity = "def f(x):\n    return x\n";
const executor = await openExecutor({ sandbox, workers: 1, limits: { testCpuS: 600, candidateCpuS: 600 } });
const calls = problem("assert f(1) == 1");
await executor.execute(calls, identity); // starts the judge
const scratch = await scratchOf(executor);
// This test is judged outside the program's process, where the judge counts endlessly.
if (what === "a test and a program") {
  void executor.execute(problem("assert f(1) + sum(1 for _ in iter(int, 1)) > 0"), identity);
  await sleep(700); // until the test's own program has answered
}
if (what !== "nothing") void executor.execute(calls, `def f(x):\n${forEver}`);
await sleep(800);
process.stdout.write(`busy ${scratch}\n`);
setInterval(() => {}, 1000);
