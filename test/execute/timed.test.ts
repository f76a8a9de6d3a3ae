/** The CPU time that tests get, from how long the reference takes. */
import { expect, it } from "vitest";
import { defaultLimits } from "../../src/execute/limits.ts";
import type { Pool } from "../../src/execute/pool.ts";
import { BEGINNING, type Budgets, type Line, type Start, type Suite } from "../../src/execute/protocol.ts";
import { TimedSuite } from "../../src/execute/timed.ts";

const line = (status: Line["status"], cpuS = 0): Line => ({ status, cpuS, payload: status === "v" ? "1" : "null" });
const REFERENCE = "def f(n): return 1";

/** A suite of as many tests as `runs` has lines in its first run. `given`: the code, inputs, first input and budgets of each run. */
function timed(...runs: Line[][]) {
  const given: unknown[] = [];
  const pool = {
    run: (suite: Suite, code: string, budgets: () => Budgets, options: { from?: Start } = {}) => {
      const { seconds, provisional = false } = budgets();
      const { input, timeouts } = options.from ?? BEGINNING;
      const who = code === REFERENCE ? "reference" : "program";
      given.push([who, suite.inputs.join(""), input, timeouts, ...seconds, ...(provisional ? ["provisional"] : [])]);
      return Promise.resolve(runs.shift()!);
    },
  };
  const inputs = (runs[0] as Line[]).map((_, i) => "abcdef"[i] as string);
  const suite = { key: "k", mode: "call", entry: "f", setup: "", inputs } as const;
  return { suite: new TimedSuite(suite, REFERENCE, pool as unknown as Pool, defaultLimits), given };
}

it("the reference may use all its time on one test, and a program ten times what the reference needs", async () => {
  const { suite, given } = timed(
    [line("v", 0.01), line("t", 0.1), line("t")],
    [line("v", 0.2), line("v", 25)],
    [line("t"), line("v", 40), line("v", 0.02)],
  );
  const lines = await suite.run("def f(n): return n");
  expect(given).toEqual([
    ["program", "abc", 0, 0, 0.1, 0.1, 0.1, "provisional"],
    ["reference", "ab", 0, 0, 30, 30],
    ["program", "abc", 1, 0, 0.1, 250, 0.1, "provisional"],
  ]);
  expect(lines.map(({ cpuS }) => cpuS)).toEqual([0.01, 40, 0.02]);
});

it("a test beyond the time that the reference allows is a timeout, and the program goes on after it", async () => {
  const { suite, given } = timed(
    [line("t", 0.15), line("t"), line("t")],
    [line("v", 0.001)],
    [line("t"), line("v", 0.02), line("v", 0.03)],
  );
  expect((await suite.run("")).map(({ status }) => status).join("")).toBe("tvv");
  expect(given.at(-1)).toEqual(["program", "abc", 1, 1, 0.1, 0.1, 0.1, "provisional"]);
});

it("after the limit of timeouts all other tests are timeouts, and nothing runs any more", async () => {
  const { suite, given } = timed(
    [line("t", 0.15), line("t"), line("t"), line("t"), line("t")],
    [line("v", 0.001)],
    [line("t"), line("t", 0.15), line("t"), line("t"), line("t")],
    [line("v", 0.001)],
    [line("t"), line("t"), line("v", 0.01), line("t", 0.15), line("t")],
    [line("v", 0.001)],
  );
  expect((await suite.run("")).map(({ status }) => status).join("")).toBe("ttvtt");
  expect(given).toHaveLength(6);
});

it("when programs need more than testCpuS on several tests, the reference runs on all of them", async () => {
  const slow = (at: number): Line[] =>
    Array.from({ length: 5 }, (_, i) => line(i < at ? "v" : "t", i === at ? 0.15 : 0));
  const { suite, given } = timed(
    ...[0, 1, 2].flatMap((at) => [slow(at), [line("v", 1)]]),
    slow(3),
    [1, 2, 3, 4, 5].map(() => line("v", 1)),
    [line("t"), line("t"), line("t"), line("v", 0.2), line("v", 0.2)],
  );
  expect((await suite.run("")).every(({ status }) => status === "v")).toBe(true);
  expect(given.filter((run) => (run as string[])[0] === "reference")).toEqual([
    ...["a", "ab", "ac"].map((inputs) => ["reference", inputs, 0, 0, ...[...inputs].map(() => 30)]),
    ["reference", "abcde", 0, 0, 30, 30, 30, 30, 30],
  ]);
  expect(given.at(-1)).toEqual(["program", "abcde", 3, 0, 10, 10, 10, 10, 10]);
});

it("a test near its final limit runs again when all budgets are final, so that it may run alone", async () => {
  const { suite, given } = timed(
    [line("n", 0.11), line("t")],
    [line("v", 0.001)],
    [line("v", 0.001), line("v", 0.02)],
    [line("v", 0.09), line("v", 0.01)],
  );
  expect((await suite.run("")).map(({ cpuS }) => cpuS)).toEqual([0.09, 0.01]);
  expect(given.at(-1)).toEqual(["program", "ab", 0, 0, 0.1, 0.2]);
});

it("a program that does not load in time does not run again", async () => {
  const { suite, given } = timed([line("t", 1.5), line("t", 1.5), line("t", 1.5)]);
  expect((await suite.run("")).every(({ status }) => status === "t")).toBe(true);
  expect(given).toHaveLength(1);
});

it("a fault of the harness while the reference runs alone is not remembered", async () => {
  const runs = [
    [line("t", 0.15), line("v")],
    null,
    [line("t", 0.15), line("v")],
    [line("v", 1)],
    [line("v"), line("v")],
  ];
  const pool = {
    run: () => (runs[0] === null ? Promise.reject(Error(`lost ${runs.shift()}`)) : Promise.resolve(runs.shift())),
  };
  const given = { key: "k", mode: "call", entry: "f", setup: "", inputs: ["1", "2"] } as const;
  const suite = new TimedSuite(given, REFERENCE, pool as unknown as Pool, defaultLimits);
  await expect(suite.run("")).rejects.toThrow("lost");
  expect(await suite.run("")).toEqual([line("v"), line("v")]);
});
