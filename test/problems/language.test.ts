import { describe, expect, it } from "vitest";
import { readProblems, readSamples } from "../../src/problems/index.ts";
import { OTHERS } from "../languages/programs.ts";
import { all, oneProblem, writeRows } from "./helpers.ts";
import { humanEval, mbpp } from "./rows.ts";

const JS = {
  prompt: "/* Adds. */\nconst add = (a, b) => {\n",
  declaration: "\nconst add = (a, b) => {\n",
  canonical_solution: "  return a + b;\n}\n\n",
  test: "console.assert(add(1, 2) === 3)\n",
};
const error = (row: object) => readProblems([writeRows([humanEval, row])]).catch((found: Error) => found.message);

describe("a problem in another language", () => {
  it.each([
    ["HumanEvalPack", { ...JS, task_id: "JavaScript/0", entry_point: "add" }, "a problem in JavaScript"],
    ["HumanEval-X", { ...JS, task_id: "JavaScript/0" }, "a problem in JavaScript"],
    [
      "MBXP",
      { task_id: "MBJP/1", language: "java", prompt: "class Add {\n", entry_point: "add", test: "class Main {}" },
      "a problem in Java",
    ],
    [
      "HumanEval's format, unnamed",
      { ...humanEval, prompt: JS.prompt, canonical_solution: JS.canonical_solution },
      "the reference looks like JavaScript",
    ],
    ["MBPP's format, unnamed", { ...mbpp, code: OTHERS.Java }, "the reference looks like Java"],
    [
      "codescore's format",
      { task_id: "a", description: "Adds.", entry_point: "add", tests: [], references: [OTHERS.Go] },
      "the reference looks like Go",
    ],
  ])("is an error that names it, the file and the line: %s", async (_, row, what) => {
    const message = await error(row);
    expect(message).toMatch(/^\/.*\.jsonl:2: /);
    expect(message).toContain(`${what}; codescore reads Python only`);
  });

  it("is none where the programs are Python, whatever its name says", async () => {
    expect((await oneProblem({ ...humanEval, language: "java" })).entryPoint).toBe(humanEval.entry_point);
    expect((await oneProblem({ ...humanEval, task_id: "Go/1" })).id).toBe("Go/1");
    expect((await oneProblem({ ...humanEval, task_id: "Python/1", language: "Python 3" })).id).toBe("Python/1");
    expect((await oneProblem({ ...humanEval, language: "en" })).id).toBe(humanEval.task_id);
  });

  it("is none where one of the references is Python", async () => {
    const { references } = await oneProblem({ ...humanEval, references: [OTHERS.Java] });
    expect(references).toHaveLength(2);
  });
});

describe("a sample of a row that names a language", () => {
  it("is an error where it is another than Python", async () => {
    const rows = (fields: object) => all(readSamples([writeRows([{ task_id: "a", solution: "x = 1", ...fields }])]));
    await expect(rows({ language: "javascript" })).rejects.toThrow(/:1: the row's language is JavaScript/);
    await expect(rows({ lang: "C++17" })).rejects.toThrow(/:1: the row's language is C\+\+/);
    expect(await rows({ language: "python3" })).toHaveLength(1);
    expect(await rows({ lang: "en" })).toHaveLength(1);
  });
});
