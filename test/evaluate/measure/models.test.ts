import { describe, expect, it } from "vitest";
import type { ModelPasses } from "../../../src/dataset/index.ts";
import { isTable, modelsTable, passAtModels, passLine } from "../../../src/evaluate/index.ts";
import { toText } from "../../../src/report/index.ts";

const settings = { seed: 1, resamples: 200 };
/** [programs, passed, passed the base tests] for each task. */
const model = (
  name: string,
  temperature: number | null,
  ...tasks: readonly (readonly [number, number, number | null])[]
): ModelPasses => ({
  model: name,
  temperature,
  tasks: tasks.map(([programs, passed, passedBase], i) => ({
    task: `t${i}`,
    programs,
    passed,
    passedBase,
    missing: 0,
  })),
});

describe("pass@k by model", () => {
  const [one, ten] = passAtModels(
    [model("a", 0.2, [1, 1, 1], [1, 0, 1], [1, 0, 0]), model("b", 0.8, [10, 1, 1], [20, 0, 2], [9, 9, 9])],
    settings,
  );

  it("is the mean over tasks, by every test and by the original ones", () => {
    expect(one).toMatchObject({ model: "a", tasks: 3, programs: 3 });
    expect(one?.at).toEqual([
      { n: 1, tasks: 3, value: expect.closeTo(1 / 3, 12), low: expect.any(Number), high: expect.any(Number) },
    ]);
    expect(one?.at[0]?.low).toBeLessThan(1 / 3);
    expect(one?.at[0]?.high).toBeGreaterThan(1 / 3);
    expect(one?.base?.[0]?.value).toBeCloseTo(2 / 3, 12);
  });

  it("goes to the k that half of the tasks reach, over those that do", () => {
    // pass@1: (1/10 + 0 + 1) / 3. pass@10: 1 for ten with one that passes; 0 for twenty with none.
    expect(ten?.at.map(({ n, tasks, value }) => [n, tasks, value])).toEqual([
      [1, 3, expect.closeTo(1.1 / 3, 12)],
      [10, 2, 0.5],
    ]);
    // With twenty programs, two of which pass, all ten drawn fail with probability C(18, 10) / C(20, 10) = 9/38.
    expect(ten?.base?.[1]?.value).toBeCloseTo((1 + 29 / 38) / 2, 12);
  });

  it("goes to 2 and 5 where every task has as many and few have ten", () => {
    const sizes = (...programs: readonly number[]) =>
      passAtModels([model("c", null, ...programs.map((n) => [n, 1, 1] as const))], settings, true)[0]!.at;
    // One of five passes: of two drawn it is one with probability 2/5, of five always.
    expect(sizes(5, 5).map(({ n, value }) => [n, value])).toEqual([
      [1, expect.closeTo(0.2, 12)],
      [2, expect.closeTo(0.4, 12)],
      [5, 1],
    ]);
    expect(sizes(5, 4, 4).map(({ n }) => n)).toEqual([1, 2]);
    expect(sizes(5, 1, 5).map(({ n }) => n)).toEqual([1]);
    expect(sizes(10, 10).map(({ n }) => n)).toEqual([1, 10]);
    const five = passAtModels([model("unknown", null, [5, 1, null])], settings, true);
    expect(isTable(five)).toBe(true);
    expect(modelsTable(five)!.table.columns.map(({ label }) => label)).toEqual([
      ...["model", "tasks", "programs", "pass@1", "pass@2", "pass@5"],
    ]);
  });

  it("has a row a model, and columns for what any model has", () => {
    const { table, note } = modelsTable([one!, ten!])!;
    expect(table.columns.map(({ label }) => label)).toEqual([
      ...["model", "temperature", "tasks", "programs"],
      ...["base pass@1", "pass@1", "base pass@10", "pass@10"],
    ]);
    expect(toText(table).split("\n")[1]).toMatch(/^a +0\.20 +3 +3 +0\.667 \[.*\] +0\.333 \[.*\] +- +-$/);
    expect(note).toContain("pass@10 of `b`: 2 of 3 tasks");
    const plain = modelsTable(passAtModels([model("c", null, [1, 1, null])], settings))!;
    expect(plain.table.columns.map(({ label }) => label)).toEqual(["model", "tasks", "programs", "pass@1"]);
    expect(modelsTable([])).toBeNull();
  });

  it("says how many programs count as failing because they miss a package", () => {
    const lacking = (missing: number) => {
      const [task] = model("a", null, [5, 0, null]).tasks;
      return passAtModels([{ model: "a", temperature: null, tasks: [{ ...task!, missing }] }], settings);
    };
    expect(passLine(lacking(3)[0]!)).toContain("(3 programs lack a package and count as failing; pass@10 needs");
    expect(passLine(lacking(1)[0]!)).toContain("(1 program lacks a package and counts as failing; pass@10 needs");
    expect(modelsTable(lacking(3))!.note).toContain("Programs that lack a package count as failing: 3 of `a`.");
    expect(modelsTable(lacking(0))!.note).not.toContain("package");
  });

  it("does not name a model without a name so that it could be a count", () => {
    const [task] = model("unknown", null, [5, 0, null]).tasks;
    const unnamed = { model: "unknown", temperature: null, tasks: [{ ...task!, missing: 7 }] };
    const { table, note } = modelsTable(passAtModels([unnamed], settings))!;
    expect(table.rows[0]![0]).toBe("(no name)");
    expect(note).toContain("count as failing: 7 of the model without a name.");
  });

  it("is one line where there is one figure, and says how to get more", () => {
    expect(isTable([one!])).toBe(false);
    expect(isTable([ten!])).toBe(true);
    expect(isTable([one!, one!])).toBe(true);
    expect(passLine(one!)).toMatch(
      /^pass@1 0\.333 \[[\d.]+, [\d.]+\] over 3 tasks, by the original tests 0\.667 \[.*\] \(pass@10 needs 10 samples per task\)$/,
    );
    const [unnamed] = passAtModels([model("unknown", null, [1, 1, null])], settings);
    expect(passLine(unnamed!)).toBe(
      "pass@1 1.000 over 1 task (pass@10 needs 10 samples per task; rows with `model` and `temperature` give a line for each model)",
    );
  });
});
