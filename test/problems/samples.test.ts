import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assembleProgram, readSamples } from "../../src/problems/index.ts";
import { all, oneProblem, tempFolder, writeRows } from "./helpers.ts";

const read = async (...rows: unknown[]) => all(readSamples([writeRows(rows)]));

describe("readSamples", () => {
  it.each([
    ["a completion", { completion: "    return 1" }, "completion", "    return 1"],
    ["a solution", { solution: "def f(): pass" }, "program", "def f(): pass"],
    ["code", { code: "def f(): pass" }, "program", "def f(): pass"],
    ["a solution beside a completion", { completion: "x", solution: "y" }, "program", "y"],
    ["a solution that is null", { completion: "x", solution: null }, "completion", "x"],
    ["an empty completion", { completion: "" }, "completion", ""],
    ["a completion beside an empty solution", { solution: "", completion: "x" }, "completion", "x"],
    ["code beside an empty solution", { solution: "", code: "x" }, "program", "x"],
    ["an empty solution where there is nothing else", { solution: "" }, "program", ""],
    ["CodeScore's generated code", { generated_code: "x", golden_code: "y", source: "Do it." }, "program", "x"],
  ])("takes %s", async (_, fields, kind, text) => {
    expect(await read({ task_id: "A/1", ...fields })).toEqual([
      { taskId: "A/1", sampleId: "A/1#0", kind, text, madeBy: "unknown" },
    ]);
  });

  it("reads CSV, in which an empty cell is an empty answer", async () => {
    const path = writeRows(["task_id,sample_id,completion", 'A,a,"    return 1\n    # ""x"""', "A,b,"], "samples.csv");
    expect(await all(readSamples([path]))).toEqual([
      { taskId: "A", sampleId: "a", kind: "completion", text: '    return 1\n    # "x"', madeBy: "unknown" },
      { taskId: "A", sampleId: "b", kind: "completion", text: "", madeBy: "unknown" },
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

  it("keeps ids that are numbers whole, and who made the program", async () => {
    const line = '{"task_id": 9007199254740993, "sample_id": 9007199254740995, "code": "", "model": "m"}';
    expect(await read(line)).toMatchObject([{ taskId: "9007199254740993", sampleId: "9007199254740995", madeBy: "m" }]);
  });

  it("takes a bare number for the one problem whose id ends in it, where MBPP has none", async () => {
    const problem = await oneProblem({ task_id: "X", description: "", entry_point: "f", references: [], tests: [] });
    const among = async (task_id: number, ...ids: string[]) => {
      const problems = new Map(ids.map((id) => [id, { ...problem, id }]));
      return (await all(readSamples([writeRows([{ task_id, code: "" }])], problems))).map(({ sampleId }) => sampleId);
    };
    expect(await among(3, "APPS/3", "APPS/13")).toEqual(["APPS/3#0"]);
    expect(await among(3, "MBPP/3", "APPS/3")).toEqual(["MBPP/3#0"]);
    expect(await among(3, "HumanEval/3", "APPS/3")).toEqual(["3#0"]);
  });

  it.each([
    ["Mbpp/3", ["MBPP/3", "MBPPT/3"], "MBPP/3"],
    ["Mbpp/3", ["MBPP/3", "mbpp/3"], "Mbpp/3"],
    ["Mbpp/3", ["Mbpp/3", "MBPP/3"], "Mbpp/3"],
    ["LC_two-sum", ["LC/two-sum"], "LC/two-sum"],
    ["new", ["MBPP/3"], "new"],
  ])("takes the task %s among %j for %s", async (task_id, ids, found) => {
    const problem = await oneProblem({ task_id: "X", description: "", entry_point: "f", references: [], tests: [] });
    const problems = new Map(ids.map((id) => [id, { ...problem, id }]));
    const [sample] = await all(readSamples([writeRows([{ task_id, code: "" }])], problems));
    expect(sample?.taskId).toBe(found);
  });

  it("reads the temperature, as a number or its text", async () => {
    const rows = [0.8, "0.2", null].map((temperature) => ({ task_id: "A", code: "x", temperature }));
    const found = await all(readSamples([writeRows(rows)]));
    expect(found.map(({ temperature }) => temperature)).toEqual([0.8, 0.2, undefined]);
  });

  it("reads EvalPlus' folders, the programs of a task in their order", async () => {
    const folder = tempFolder();
    for (const [task, files] of Object.entries({ HumanEval_0: ["10.py", "2.py", "notes.txt"], two_sums_7: ["0.py"] })) {
      mkdirSync(join(folder, task));
      for (const file of files) writeFileSync(join(folder, task, file), `# ${task} ${file}\n`);
    }
    expect(await all(readSamples([folder]))).toEqual([
      {
        taskId: "HumanEval/0",
        sampleId: "HumanEval/0#0",
        kind: "program",
        text: "# HumanEval_0 2.py\n",
        madeBy: "unknown",
      },
      {
        taskId: "HumanEval/0",
        sampleId: "HumanEval/0#1",
        kind: "program",
        text: "# HumanEval_0 10.py\n",
        madeBy: "unknown",
      },
      {
        taskId: "two_sums/7",
        sampleId: "two_sums/7#0",
        kind: "program",
        text: "# two_sums_7 0.py\n",
        madeBy: "unknown",
      },
    ]);
    expect((await all(readSamples([join(folder, "HumanEval_0")]))).map(({ text }) => text)).toHaveLength(2);
  });

  it("reads human-eval's results and EvalPlus' results", async () => {
    expect(
      await read({ task_id: "A", completion: "x", passed: true, result: "passed", completion_id: 0 }),
    ).toMatchObject([{ kind: "completion", text: "x" }]);
    const results = {
      date: "",
      hash: "",
      eval: { A: [{ task_id: "A", solution: "x", base_status: "pass" }, { solution: "y" }] },
    };
    expect((await read(results)).map(({ taskId, text }) => [taskId, text])).toEqual([
      ["A", "x"],
      ["A", "y"],
    ]);
    await expect(read({ eval: { A: { base: [] } } })).rejects.toThrow(
      /rows\.jsonl:1, `eval`, A: expected a list of results/,
    );
  });

  it.each([
    [
      "no program",
      { task_id: "A" },
      /rows\.jsonl:1: expected a string field `solution`, `code`, `completion` or `generation`; fields here: task_id$/,
    ],
    [
      "a problem",
      { task_id: "A", prompt: "def f():", canonical_solution: "x", test: "y" },
      /rows\.jsonl:1: expected a sample .*, got a problem: give problems by --problems, samples by --samples; fields/,
    ],
    ["no task", { code: "" }, /rows\.jsonl:1: expected `task_id` to be a name or a number, got the fields code$/],
    [
      "CodeScore's own row, but no task",
      { generated_code: "x", golden_code: "y" },
      /rows\.jsonl:1: this row in CodeScore's format has no `task_id`.*codescore score/,
    ],
    [
      "a temperature that is none",
      { task_id: "A", code: "x", temperature: "hot" },
      /expected `temperature` to be a number of at least 0, got "hot"/,
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
