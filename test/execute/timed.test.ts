/** The CPU time that tests get, from how long the reference takes. */
import { expect, it } from "vitest";
import { defaultLimits } from "../../src/execute/limits.ts";
import type { Pool } from "../../src/execute/pool.ts";
import type { Budgets, Line } from "../../src/execute/protocol.ts";
import { TimedSuite } from "../../src/execute/timed.ts";

const suite = { key: "k", mode: "call", entry: "f", setup: "", inputs: ["1", "2", "3"] } as const;

it("the reference may use all its time on one test, and a program ten times what the reference needs", async () => {
  const given: (readonly number[])[] = [];
  const line = (status: Line["status"], cpuS: number): Line => ({ status, cpuS, payload: "1" });
  const answers: Line[][] = [
    [line("v", 0.01), line("t", 0.1), line("t", 0)], // a candidate, in provisional time
    [line("v", 0.001), line("v", 25), line("t", 30)], // the reference
    [line("v", 0.01), line("v", 40), line("v", 0.02)], // the candidate again
  ];
  const pool = {
    run: (_suite: unknown, _code: string, budgets: () => Budgets) => {
      given.push(budgets().seconds);
      return Promise.resolve(answers.shift()!);
    },
  };
  const timed = new TimedSuite(suite, "def f(n): return 1", pool as unknown as Pool, defaultLimits);
  const lines = await timed.run("def f(n): return n");
  expect(given).toEqual([
    [0.1, 0.1, 0.1],
    [30, 30, 30],
    [0.1, 250, 1],
  ]);
  expect(lines.map(({ cpuS }) => cpuS)).toEqual([0.01, 40, 0.02]);
});
