import { expect, it } from "vitest";
import { PassTally } from "../../src/dataset/index.ts";
import type { LabelledRow } from "../../src/types.ts";
import { labelledRow } from "./fake.ts";

const tallied = (rows: readonly Partial<LabelledRow>[]) => {
  const tally = new PassTally();
  for (const row of rows) tally.add(labelledRow(row));
  return tally.models;
};

it("counts by model, temperature and task, programs that have a label and a model alone", () => {
  const a = { made_by: "a", temperature: 0.8, passes_base: 1 } as const;
  const models = tallied([
    { ...a, made_by: "b", temperature: null, pass_ratio: 1 },
    { ...a, pass_ratio: 0.5 },
    { ...a, pass_ratio: 1 },
    { ...a, pass_ratio: 0, passes_base: 0, status: "missing" },
    { ...a, task_id: "A/2", pass_ratio: 1 },
    { ...a, temperature: 0.2, pass_ratio: 1 },
    { ...a, pass_ratio: null },
    { ...a, made_by: "mutant:off-by-one" },
    { ...a, made_by: "reference" },
  ]);
  expect(models).toEqual([
    { model: "a", temperature: 0.2, tasks: [{ task: "A/1", programs: 1, passed: 1, passedBase: 1, missing: 0 }] },
    {
      model: "a",
      temperature: 0.8,
      tasks: [
        { task: "A/1", programs: 3, passed: 1, passedBase: 2, missing: 1 },
        { task: "A/2", programs: 1, passed: 1, passedBase: 1, missing: 0 },
      ],
    },
    { model: "b", temperature: null, tasks: [{ task: "A/1", programs: 1, passed: 1, passedBase: 1, missing: 0 }] },
  ]);
});

it("does not know of the original tests where one row does not", () => {
  const [model] = tallied([{ passes_base: 1 }, { passes_base: null }, { passes_base: 1 }]);
  expect(model?.tasks).toEqual([{ task: "A/1", programs: 3, passed: 0, passedBase: null, missing: 0 }]);
});
