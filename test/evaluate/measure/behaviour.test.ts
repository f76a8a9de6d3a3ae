import { expect, it } from "vitest";
import { behaviourColumn, evaluate, resultTables } from "../../../src/evaluate/index.ts";
import type { Executor } from "../../../src/execute/index.ts";
import { lacksModule } from "../../../src/score/index.ts";
import type { Score } from "../../../src/types.ts";
import { labelledRow, rowsOf } from "../rows.ts";
import { behaviour, fakeScorer } from "../stages.ts";

const rows = rowsOf([
  [1, 0],
  [1, 0.5],
]);
const executor = {} as Executor;
const scored = (score: number, more: Partial<Score> = {}): Score => ({
  score,
  low: score - 0.1,
  high: score + 0.1,
  exec: 0.9,
  format: "ref+nl",
  signature: "s|run:40",
  ...more,
});

it("is the scores of programs that are run, those of a task together, with their intervals and what is to be known", async () => {
  const results = [
    scored(0.9, { pass: 0.8, behaviour: behaviour(40) }),
    scored(0.2, { pass: 0.1, behaviour: behaviour(12) }),
    scored(0.5, { signature: "s", behaviour: behaviour(0, "it needs numpy, which is not installed") }),
    { error: { code: "input" as const, message: "no program" } },
  ];
  const { scorer, calls } = fakeScorer((_, __, i) => results[i]!);
  const column = await behaviourColumn(scorer, rows, { run: { executor, inputs: 40 }, format: "nl" });
  expect(calls).toHaveLength(1); // all rows at once, because a task split into two parts would run twice
  expect(calls[0]!.rows.map(({ taskId }) => taskId)).toEqual(["t0", "t0", "t1", "t1"]);
  expect(calls[0]!.options).toEqual({ format: "nl", run: { executor, inputs: 40, counterexamples: false } });
  expect(column).toMatchObject({
    name: "behaviour",
    kind: "model",
    signature: "s & s|run:40",
    scores: [0.9, 0.2, 0.5, null],
    exec: [0.9, 0.9, 0.9, null],
    pass: [0.8, 0.1, null, null],
    intervals: [{ low: 0.8, high: 1 }, { low: 0.1 }, { low: 0.4, high: 0.6 }, null],
  });
  expect(column.notes).toEqual([
    "behaviour: 1 row with no score: no program",
    "behaviour: 1 of 2 tasks with 10 inputs or more",
    "behaviour: 1 program not run: it needs numpy, which is not installed",
  ]);
});

it("names all missing packages together, with one piece of advice", async () => {
  const reasons = [
    lacksModule("numpy", true),
    lacksModule("django"),
    lacksModule("numpy"),
    ...["numpy", "a", "b", "c", "d"].map((module) => lacksModule(module)),
    "found no function to call",
  ];
  const { scorer } = fakeScorer((_, __, i) => scored(0.5, { behaviour: behaviour(0, reasons[i]) }));
  const column = await behaviourColumn(scorer, rowsOf([reasons.map(() => 0)]), { run: { executor } });
  expect(column.notes!.at(-1)).toBe(
    "behaviour: 9 programs not run: not installed: numpy (3), django (1), a (1), b (1), c (1), d (1); " +
      "use --python ENV/bin/python with an environment that has them (8); found no function to call (1)",
  );
});

it("has its pass probability held against passing every test, where there is one", async () => {
  const passes = [0.9, 0.2, undefined, 0.5];
  const { scorer } = fakeScorer((_, __, i) => scored(0.5, passes[i] === undefined ? {} : { pass: passes[i]! }));
  const columns = [await behaviourColumn(scorer, rows, { run: { executor } })];
  const result = evaluate({ rows, columns, resamples: 5 });
  const { pass, intervals } = result.columns[0]!;
  expect(pass).toEqual({
    programs: 3,
    auc: 1, // .9 is above .2 and .5
    ece: expect.closeTo((0.1 + 0.2 + 0.5) / 3, 12), // one program per bin
    brier: expect.closeTo((0.01 + 0.04 + 0.25) / 3, 12),
  });
  expect(intervals).toMatchObject({ held: 0.25, width: expect.closeTo(0.2, 12) });
  const { table } = resultTables(result).find(({ name }) => name === "calibration")!;
  expect(table.columns.map(({ label }) => label)).toContain("pass Brier");
  const oracle = table.rows.at(-1)!;
  expect(oracle[table.columns.findIndex(({ label }) => label === "pass Brier")]).toBeNull();
});

it("runs nothing unless told how", async () => {
  const { scorer, calls } = fakeScorer(() => scored(0.5));
  const column = await behaviourColumn(scorer, [labelledRow({})]);
  expect(calls[0]!.options).toEqual({ format: "auto" });
  expect(column).not.toHaveProperty("pass");
  expect(column.notes).toEqual([]);
});
