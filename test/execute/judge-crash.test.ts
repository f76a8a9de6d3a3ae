/** A program whose answer makes a test end the judge's process: that is the program's failure, and nobody else's. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { native, open, problem } from "./open.ts";

const task = problem("f", [
  "assert f(1) == 1 or __import__('os').kill(__import__('os').getpid(), 9)",
  "assert sorted([f(1), 0])[0] == 0",
]);

let executor: Executor;
beforeAll(async () => {
  if (native.length > 0) executor = await open(native[0]!);
});
afterAll(() => executor?.close());

it.skipIf(native.length === 0)("a crash of the judge is the failure of the program that causes it", async () => {
  const [right, wrong] = await Promise.all(
    ["def f(x): return x", "def f(x): return 2"].map((code) => executor.execute(task, code)),
  );
  expect(right).toMatchObject({ status: "ok", passRatio: 1 });
  expect(wrong!.status).toBe("ok");
  expect(wrong!.verdicts).toMatchObject([{ outcome: "error", errorType: "Crash" }, { outcome: "pass" }]);
});
