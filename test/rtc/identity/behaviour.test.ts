import { expect, it } from "vitest";
import { openExecutor } from "../../../src/execute/index.ts";
import { behaviourOf, inputsOf, testOutputMatch } from "../../../src/rtc/identity/behaviour.ts";
import type { Problem } from "../../../src/types.ts";

const busy = (cpuS: number): string =>
  `import time\ndef f(x):\n    while time.process_time() < ${cpuS}:\n        pass\n    return x\n`;

it("takes the answers of a program that is as slow as its reference", { timeout: 60_000 }, async () => {
  const problem: Problem = {
    id: "slow",
    description: "",
    prompt: "",
    entryPoint: "f",
    references: [busy(0.1)],
    tests: [{ id: "0", origin: "given", kind: "assert", code: "assert f(1) == 1" }],
    setup: "",
    contract: "",
    source: "test",
  };
  // Without a reference a test gets 0.04 s; with this one about 0.4 s.
  const executor = await openExecutor({ workers: 1, limits: { testCpuS: 0.01, testFactor: 4 } });
  try {
    const inputs = await inputsOf(problem, busy(0), [], executor);
    const [reference, quick, endless] = await Promise.all(
      [busy(0.1), busy(0), busy(1e6)].map((code) => behaviourOf(problem, code, inputs, executor)),
    );
    expect(reference!.answers).toMatchObject([{ outcome: "ok" }]);
    expect(testOutputMatch(reference!, quick!, inputs)).toBe(1);
    expect(endless!.answers).toMatchObject([{ outcome: "timeout" }]);
    expect(testOutputMatch(reference!, endless!, inputs)).toBe(0);
  } finally {
    await executor.close();
  }
});
