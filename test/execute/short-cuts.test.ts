/** Random programs of each shortcut's class get the same verdicts without it. short-cuts.slow.test.ts runs many more. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { every } from "../every.ts";
import { bwrapWorks, byPython, problem } from "./open.ts";
import { CLASSES } from "./programs/classes.ts";
import { compared, openPair, type Pair, share } from "./programs/compare.ts";

describe.each(byPython)("in %s", (sandbox) => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await openPair(sandbox, 1);
  });
  afterAll(() => Promise.all(pair.map((executor) => executor.close())));

  // In WebAssembly each program that times out costs the start of an interpreter. CODESCORE_EVERY=1 uses all.
  const part = sandbox === "wasm" ? every(12) : every(2);
  it.each(CLASSES)(
    "random programs of $name are judged as they are alone",
    {
      timeout: 120_000,
    },
    async ({ make, seed, few }) => {
      expect((await compared(pair, make, Math.ceil(few / part), seed)).faults).toEqual([]);
    },
  );

  it("a program that has had its last timeout runs no further, though the budgets of the first run were provisional", async () => {
    const task = problem(
      "f",
      [
        ["1", "0"],
        ["0", "0"],
      ],
      { references: ["def f(x): return 0"] },
    );
    const code = "def f(x):\n    while x: pass\n    return 0";
    const done = await Promise.all(Array.from({ length: 8 }, () => pair[0].execute(task, code)));
    const outcomes = done.map(({ verdicts }) => verdicts.map(({ outcome }) => outcome));
    expect(outcomes).toEqual(done.map(() => ["timeout", "timeout"]));
  });
});

describe.skipIf(!bwrapWorks)("random programs", () => {
  it.each(CLASSES)("of $name are of that class often enough", ({ make, seed, expression, least }) => {
    expect(share(make, 500, seed, expression)).toBeGreaterThan(least);
  });
});
