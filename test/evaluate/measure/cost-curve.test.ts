import { describe, expect, it } from "vitest";
import { evaluate, resultTables, runStages } from "../../../src/evaluate/index.ts";
import type { Executor } from "../../../src/execute/index.ts";
import type { Execution, Problem, Score } from "../../../src/types.ts";
import { rowsOf, simulatedRows } from "../rows.ts";
import { behaviour, fakeScorer, simulatedStages } from "../stages.ts";

const score = (value: number, inputs?: number): Score => ({
  score: value,
  low: 0,
  high: 1,
  exec: 1,
  format: "ref",
  signature: "s",
  ...(inputs !== undefined && { pass: value, behaviour: behaviour(inputs) }),
});

describe("the stages", () => {
  // Two tasks. The last two programs are the same.
  const rows = rowsOf([
    [1, 0],
    [1, 0.25, 0.25],
  ]).map((row, i) => ({ ...row, candidate: `program ${Math.min(i, 3)}` }));
  const executed: string[] = [];
  const executor = {
    sandbox: "bwrap",
    python: "3.11.2",
    execute: async ({ id }: Problem, code: string): Promise<Execution> => {
      executed.push(`${id} ${code}`);
      return { passRatio: code === "program 3" ? 0.25 : 1 } as Execution;
    },
  } as unknown as Executor;
  const made = fakeScorer((row, { run }) => score(0.5, run && (row.taskId === "t0" ? run.inputs! : 3)));

  it("are a run of all rows each, after one of the first task that loads what there is to load", async () => {
    const problems = new Map([["t1", { id: "t1" } as Problem]]);
    const { stages, machine } = await runStages({ rows, scorer: made.scorer, executor, inputs: [10, 20], problems });
    expect(made.calls.map(({ rows: given, options: { run } }) => [given.length, run?.inputs ?? null])).toEqual([
      [2, 20],
      [2, null],
      [5, null],
      [5, 0],
      [5, 10],
      [5, 20],
    ]);
    expect(stages.map(({ name }) => name)).toEqual(["text", "examples", "10 inputs", "20 inputs", "tests"]);
    expect(stages.map(({ inputs }) => inputs)).toEqual([null, null, [10, 10, 3, 3, 3], [20, 20, 3, 3, 3], null]);
    expect(executed).toEqual(["t1 program 2", "t1 program 3"]); // each distinct program once
    expect(stages.at(-1)!.column.scores).toEqual([null, null, 1, 0.25, 0.25]);
    for (const { seconds } of stages) expect(seconds).toBeGreaterThan(0);
    expect(machine).toMatchObject({ sandbox: "bwrap", python: "3.11.2" });
  });

  it("end with the inputs where there are no problems, and refuse problems of other tasks", async () => {
    const { scorer } = made;
    const { stages } = await runStages({ rows, scorer, executor, inputs: [1] });
    expect(stages.map(({ name }) => name)).toEqual(["text", "examples", "1 input"]);
    const problems = new Map([["other", { id: "other" } as Problem]]);
    await expect(runStages({ rows, scorer, executor, problems })).rejects.toThrow("got none of `t0` or any other task");
  });
});

describe("the curve", () => {
  const rows = simulatedRows(12, 6, 4);
  const stages = simulatedStages(rows);
  const result = evaluate({ rows, columns: [], stages, resamples: 20 });

  it("measures every stage on the rows that all have a score for, and what a thousand programs take", () => {
    const [, , five, forty, tests] = result.costCurve!.stages;
    expect(tests).toMatchObject({ spearman: 1, mae: 0, enoughInputs: null, intervals: null });
    expect(five).toMatchObject({ enoughInputs: 0, secondsPerThousand: 4000 / 72, programsPerSecond: 18 });
    expect(forty!.enoughInputs).toBe(1);
    expect(forty!.spearman!).toBeGreaterThan(five!.spearman!);
    const holes = stages.stages.map((stage, i) =>
      i === 0 ? { ...stage, column: { ...stage.column, scores: [null, ...stage.column.scores.slice(1)] } } : stage,
    );
    const fewer = evaluate({ rows, columns: [], stages: { ...stages, stages: holes }, resamples: 5 }).costCurve!;
    expect(fewer.counts).toMatchObject({ used: 71, unscored: { text: 1 } });
    expect(fewer.stages[4]!.spearman).toBeCloseTo(1, 12);
  });

  it("counts the tasks that have ten inputs by the program that ran on most", () => {
    const inputs = rows.map(({ task_id }, i) => (task_id === "t0" && i > 0 ? 10 : 9));
    const some = stages.stages.map((stage) => (stage.name === "5 inputs" ? { ...stage, inputs } : stage));
    const curve = evaluate({ rows, columns: [], stages: { ...stages, stages: some }, resamples: 5 }).costCurve!;
    expect(curve.stages[2]!.enoughInputs).toBeCloseTo(1 / 12, 12);
  });

  it("is a table like the others", () => {
    const { table, note } = resultTables(result).find(({ name }) => name === "cost-curve")!;
    expect(table.rows.map(([name]) => name)).toEqual(["text", "examples", "5 inputs", "40 inputs", "tests"]);
    for (const row of table.rows) expect(row).toHaveLength(table.columns.length);
    expect(table.rows[0]![1]).toMatchObject({ value: result.costCurve!.stages[0]!.spearman, low: expect.any(Number) });
    expect(table.rows[3]!.at(-1)).toBe(9);
    expect(note).toContain("on 2 cores (a CPU), sandbox bwrap, Python 3.11.2");
    expect(resultTables(evaluate({ rows, columns: [], resamples: 5 })).map(({ name }) => name)).not.toContain(
      "cost-curve",
    );
  });
});
