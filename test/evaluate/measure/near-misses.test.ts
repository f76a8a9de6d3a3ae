import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeRows, evaluate, readRows, resultTables } from "../../../src/evaluate/index.ts";
import { columnOf, labelledRow, rowsOf } from "../rows.ts";

const folder = mkdtempSync(join(tmpdir(), "codescore-near-misses-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
function fileOf(name: string, rows: readonly object[]): string {
  writeFileSync(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return join(folder, name);
}
const table = (result: ReturnType<typeof evaluate>) => resultTables(result).find(({ name }) => name === "near-misses");

describe("near misses", () => {
  const [model, mutant] = ["codegen", "mutant:off-by-one"];
  const rows = [
    { task_id: "a", made_by: model, pass_ratio: 1 },
    { task_id: "a", made_by: model, pass_ratio: 1 },
    { task_id: "a", made_by: mutant, pass_ratio: 0.9 },
    { task_id: "a", made_by: mutant, pass_ratio: 0 },
    { task_id: "b", made_by: model, pass_ratio: 1 },
    { task_id: "b", made_by: mutant, pass_ratio: 0.5 },
    // none of these is in a pair
    { task_id: "b", made_by: "reference", pass_ratio: 1 },
    { task_id: "b", made_by: "rewrite:rename", pass_ratio: 1 },
    { task_id: "b", made_by: mutant, pass_ratio: 1 },
    { task_id: "b", made_by: "mutant:off-by-one+swap", pass_ratio: 0 },
    { task_id: "b", made_by: "rewrite:rename|mutant:swap", pass_ratio: 0 },
    { task_id: "b", made_by: "mutant:cut-off", pass_ratio: 0, first_error: "SyntaxError", executable: 0 as const },
    { task_id: "b", made_by: model, pass_ratio: 0.5 },
    { task_id: "c", made_by: model, pass_ratio: 1 },
  ].map((row, i) => labelledRow({ ...row, sample_id: `${i}` }));

  it("are ordered right in the mean over tasks of the share of pairs, ties half", () => {
    const rest = rows.slice(6).map(() => 0.99);
    const a = [0.9, 0.6, 0.8, 0.6]; // .9 beats both; .6 loses to one and ties with the other: 2.5 of 4
    const result = evaluate({ rows, columns: [columnOf("m", [...a, 0.7, 0.2, ...rest])], resamples: 20 });
    expect(result.nearMisses).toEqual({ tasks: 2, pairs: 5 });
    expect(result.columns[0]!.nearMisses).toBeCloseTo((2.5 / 4 + 1) / 2, 12);
    const { low, high } = result.columns[0]!.bounds.nearMisses!;
    expect([low, high]).toEqual([2.5 / 4, 1]);
    expect(table(result)!.note).toContain("Share of 5 pairs");
    expect(table(result)!.table.rows[0]).toEqual(["m", { value: expect.closeTo(0.8125, 12), low, high }]);
  });

  it("have no table where a set has none", () => {
    const result = evaluate({ rows: rowsOf([[0, 1]]), columns: [columnOf("m", [0, 1])], resamples: 5 });
    expect(result.columns[0]!.nearMisses).toBeNull();
    expect(table(result)).toBeUndefined();
  });
});

describe("rows that others labelled", () => {
  const text = { candidate: "def f():\n    return 1\n", reference: "def f():\n    return 2\n" };
  it("need a task, a program and a PassRatio, and what they do not say stays unknown", async () => {
    const path = fileOf("near.jsonl", [
      { task_id: "a", sample_id: "a/m", kind: "mutant", pass_ratio: 0.5, ...text },
      { task_id: "a", kind: "right", pass_ratio: 1, ...text },
      { task_id: "b", model: "gpt", pass_ratio: 0, ...text },
    ]);
    const rows = await readRows(path);
    expect(rows.map(({ sample_id, made_by }) => [sample_id, made_by])).toEqual([
      ["a/m", "mutant:one-operator"],
      ["1", "unknown"],
      ["2", "gpt"],
    ]);
    expect(rows.map(({ executable, n_tests, status }) => [executable, n_tests, status])).toEqual(
      rows.map(() => [null, 0, "ok"]),
    );
    const columns = [columnOf("m", [0.1, 0.9, 0.2], [0.5, 0.5, 0.5])];
    const result = evaluate({ rows, columns, resamples: 5 });
    expect(result.columns[0]).toMatchObject({ nearMisses: 1, exec: null });
    expect(result.labels.executable).toBeNull();
    expect(result.passAtK[0]!.meanTests).toBeNull();
    expect(describeRows(result)[1]).toBe("Mean PassRatio 0.500; 33.3% pass every test.");
    expect(() => evaluate({ rows, columns, only: "well-formed" })).toThrow("the first error of every program");
  });

  it("are refused without a PassRatio", async () => {
    await expect(readRows(fileOf("bare.jsonl", [{ task_id: "a", ...text }]))).rejects.toThrow(
      "bare.jsonl:1: expected a labelled row",
    );
  });
});
