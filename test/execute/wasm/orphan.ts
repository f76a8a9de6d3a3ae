/** A process that keeps the WebAssembly sandbox busy with what its argument says, for orphan.test.ts. */
import { setTimeout as sleep } from "node:timers/promises";
import { openExecutor } from "../../../src/execute/index.ts";
import type { Problem } from "../../../src/types.ts";

const what = process.argv.at(-1);
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
const executor = await openExecutor({ sandbox: "wasm", workers: 1, limits: { testCpuS: 600, candidateCpuS: 600 } });
const calls = problem("assert f(1) == 1");
await executor.execute(calls, identity); // the judge is up
if (what === "program") void executor.execute(calls, `def f(x):\n${forEver}`);
// Judged outside of the program's process: there the judge counts without end.
if (what === "test") void executor.execute(problem("assert f(1) + sum(1 for _ in iter(int, 1)) > 0"), identity);
await sleep(1500);
process.stdout.write("busy\n");
setInterval(() => {}, 1000);
