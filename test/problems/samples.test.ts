import { describe, expect, it } from "vitest";
import { assembleProgram, readSamples } from "../../src/problems/index.ts";
import { all, oneProblem, writeRows } from "./helpers.ts";

const read = async (...rows: unknown[]) => all(readSamples([writeRows(rows)]));

describe("readSamples", () => {
  it.each([
    ["a completion", { completion: "    return 1" }, "completion", "    return 1"],
    ["a solution", { solution: "def f(): pass" }, "program", "def f(): pass"],
    ["code", { code: "def f(): pass" }, "program", "def f(): pass"],
    ["a solution beside a completion", { completion: "x", solution: "y" }, "program", "y"],
    ["a solution that is null", { completion: "x", solution: null }, "completion", "x"],
    ["an empty completion", { completion: "" }, "completion", ""],
  ])("takes %s", async (_, fields, kind, text) => {
    expect(await read({ task_id: "A/1", ...fields })).toEqual([
      { taskId: "A/1", sampleId: "A/1#0", kind, text, madeBy: "unknown" },
    ]);
  });

  it("numbers samples without an id within their task, over all files", async () => {
    const first = writeRows([
      { task_id: "A", code: "1" },
      { task_id: "B", code: "2" },
      { task_id: "A", code: "3", sample_id: "named" },
    ]);
    const second = writeRows([{ task_id: "A", code: "4" }], "more.jsonl.gz");
    const ids = (await all(readSamples([first, second]))).map(({ sampleId }) => sampleId);
    expect(ids).toEqual(["A#0", "B#0", "named", "A#2"]);
  });

  it("reads numeric ids as problems do, and who made the program", async () => {
    expect(await read({ task_id: 11, code: "", model: "m", sample_id: 3 })).toMatchObject([
      { taskId: "MBPP/11", sampleId: "3", madeBy: "m" },
    ]);
  });

  it("takes a bare number for the one problem whose id ends in it, where MBPP has none", async () => {
    const problem = await oneProblem({ task_id: "X", description: "", entry_point: "f", references: [], tests: [] });
    const among = async (task_id: number, ...ids: string[]) => {
      const problems = new Map(ids.map((id) => [id, { ...problem, id }]));
      return (await all(readSamples([writeRows([{ task_id, code: "" }])], problems))).map(({ sampleId }) => sampleId);
    };
    expect(await among(3, "APPS/3", "APPS/13")).toEqual(["APPS/3#0"]);
    expect(await among(3, "MBPP/3", "APPS/3")).toEqual(["MBPP/3#0"]);
    expect(await among(3, "HumanEval/3", "APPS/3")).toEqual(["MBPP/3#0"]);
  });

  it.each([
    [
      "no program",
      { task_id: "A" },
      /rows\.jsonl:1: expected a string field `solution`, `code` or `completion`; fields here: task_id$/,
    ],
    ["no task", { code: "" }, /rows\.jsonl:1: expected `task_id` to be a name or a number/],
    [
      "CodeScore's own row",
      { task_id: "A", generated_code: "x", golden_code: "y" },
      /CodeScore's rows: see `codescore score`/,
    ],
    ["a program that is no text", { task_id: "A", code: 7 }, /expected `code` to be a string, got number/],
  ])("refuses a row with %s", async (_, row, message) => {
    await expect(read(row)).rejects.toThrow(message);
  });
});

it("a completion continues the problem's prompt, a program stands alone", async () => {
  const row = {
    task_id: "H/1",
    prompt: "def f():\n",
    entry_point: "f",
    canonical_solution: "    return 1",
    test: "def check(candidate): pass",
  };
  const problem = await oneProblem(row);
  const sample = { taskId: "H/1", sampleId: "s", text: "    return 2", madeBy: "m" };
  expect(assembleProgram(problem, { ...sample, kind: "completion" })).toBe("def f():\n    return 2");
  expect(assembleProgram(problem, { ...sample, kind: "program" })).toBe("    return 2");
});
