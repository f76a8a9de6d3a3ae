import { describe, expect, it } from "vitest";
import { originalTests } from "../../src/problems/index.ts";
import { oneProblem } from "./helpers.ts";
import { humanEval, mbpp } from "./rows.ts";

describe("HumanEval rows", () => {
  it("become problems whose candidates continue the prompt", async () => {
    expect(await oneProblem(humanEval)).toEqual({
      id: "HumanEval/900",
      description: "Double every item.\n>>> twice([1])\n[2]",
      prompt: humanEval.prompt,
      entryPoint: "twice",
      references: [humanEval.prompt + humanEval.canonical_solution],
      tests: [{ id: "test-0", origin: "given", kind: "check", code: humanEval.test }],
      setup: "",
      contract: "",
      source: "humaneval",
    });
  });

  it("take the asserts of `test_case_list` before their own test", async () => {
    const asserts = ["assert twice([2]) == [4]", "assert twice([]) == []"];
    const problem = await oneProblem({ ...humanEval, test_case_list: asserts });
    expect(problem.tests.map((test) => test.kind === "assert" && test.code)).toEqual(asserts);
  });

  it("fall back to their own test where `test_case_list` is empty", async () => {
    expect((await oneProblem({ ...humanEval, test_case_list: [] })).tests).toHaveLength(1);
  });

  it("add the whole programs of `references`, without repeats", async () => {
    const other = "def twice(xs):\n    return [x + x for x in xs]\n";
    const problem = await oneProblem({ ...humanEval, references: [other, `${other}\n`] });
    expect(problem.references).toEqual([humanEval.prompt + humanEval.canonical_solution, other]);
  });

  it.each([
    [
      "the docstring of the entry function, not of a helper",
      "def a():\n    \"\"\"A.\"\"\"\n\ndef b(x):\n    '''B of x.\n\n      Indented.\n    Last.'''\n",
      "B of x.\n\n  Indented.\nLast.",
    ],
    ["a raw docstring", 'def b(x):\n    r"""B \\d."""\n', "B \\d."],
    ["a docstring on one line in single quotes", "def b(x):\n    'B of x.'\n", "B of x."],
    ["a signature over several lines", 'def b(\n    x: int = 1,\n) -> int:\n    """B of x."""\n', "B of x."],
    ["the module's docstring, as MBPP+ has it", '"""\nWrite b.\nassert b(1) == 1\n"""\n', "Write b.\nassert b(1) == 1"],
    ["the prompt itself where there is no docstring", "# Write b.\ndef b(x):\n", "# Write b.\ndef b(x):"],
  ])("are described by %s", async (_, prompt, description) => {
    expect((await oneProblem({ ...humanEval, prompt, entry_point: "b" })).description).toBe(description);
  });
});

describe("rows in HumanEval's form without tests", () => {
  it.each([
    ["absent", {}],
    ["null", { test: null }],
    ["empty", { test: " \n" }],
  ])("have a reference and a description, and no tests, if `test` is %s", async (_, fields) => {
    const prompt = 'def b(x):\n    """B of x."""\n';
    const row = { task_id: "HumanEval/1", prompt, entry_point: "b", canonical_solution: "    return x\n", ...fields };
    expect(await oneProblem(row)).toMatchObject({
      ...{ tests: [], description: "B of x.", references: [`${prompt}    return x\n`], entryPoint: "b" },
    });
  });
});

describe("rows with `tests_et`", () => {
  const asserts = ["assert f(1) == 1", "assert f(2) == 2"];
  const codes = async (row: object): Promise<unknown[]> =>
    (await oneProblem(row)).tests.map((test) => test.kind === "assert" && test.code);

  it.each([
    ["HumanEval", humanEval],
    ["MBPP", mbpp],
  ])("of %s take them before their own, and `test_case_list` before them", async (_, row) => {
    expect(await codes({ ...row, tests_et: asserts })).toEqual(asserts);
    expect(await codes({ ...row, tests_et: ["assert False"], test_case_list: asserts })).toEqual(asserts);
  });
});

describe("the tests that a problem first came with", () => {
  const asserts = ["assert f(1) == 1", "assert f(2) == 2", "assert f(3) == 3"];
  const check = `def check(candidate):\n    ${asserts.join("\n    ")}\n`;
  const calls = (...args: number[]) => args.map((n) => [n]);
  const plain = { task_id: "A/1", description: "", entry_point: "f" };
  const collected = { ...plain, nl: "", tests_kind: "assert", references: ["def f(n): return n"] };
  const plus = { task_id: "HumanEval/0", prompt: "def f(n):\n", entry_point: "f", base_input: calls(1, 2) };

  it.each([
    ["its own asserts", { ...collected, tests: asserts.slice(1) }, 2],
    ["those that `tests_et` stands in for", { ...collected, tests: asserts.slice(1), tests_et: asserts }, 2],
    ["the asserts of HumanEval's check", { ...humanEval, test: check }, 3],
    [
      "those of the check that `test_case_list` stands in for",
      { ...humanEval, test: check, test_case_list: ["assert 1"] },
      3,
    ],
    ["MBPP's list", { ...mbpp, test_list: asserts, test_case_list: [...asserts, ...asserts] }, 3],
    ["EvalPlus' base inputs", { ...plus, plus_input: calls(3, 4, 5) }, 2],
    ["all of EvalPlus' inputs, where it adds none", { ...plus, plus_input: [] }, 2],
    ["what our own format says", { ...plain, tests: asserts, references: [], original_tests: 8 }, 8],
    [
      "our own format's given tests",
      { ...plain, references: [], tests: [asserts[0], { kind: "assert", code: asserts[1], origin: "expanded" }] },
      1,
    ],
  ])("are %s", async (_, row, count) => {
    expect(originalTests(await oneProblem(row))).toBe(count);
  });
});

describe("CodeContests rows", () => {
  const row = { name: "1_A. Echo", description: "Echo. ", source: 2, input_file: "", output_file: "" };

  it.each([
    ["structs of lists", { input: ["a", "b"], output: ["1", "2"] }],
    [
      "lists of structs",
      [
        { input: "a", output: "1" },
        { input: "b", output: "2" },
      ],
    ],
  ])("read stdin, with their tests as %s", async (_, generated_tests) => {
    const solutions = { language: [1, "PYTHON3", 3, 3], solution: ["print 1", "print(1)", "print(2)", "print(2)"] };
    const more = { public_tests: { input: ["p"], output: ["0"] }, private_tests: { input: [], output: [] } };
    expect(await oneProblem({ ...row, ...more, generated_tests, solutions })).toEqual({
      id: "1_A. Echo",
      description: "Echo.",
      prompt: "",
      entryPoint: null,
      originalTests: 1,
      references: ["print(1)", "print(2)"],
      tests: [
        { id: "public-0", origin: "given", kind: "stdio", stdin: "p", expected: "0" },
        { id: "generated-0", origin: "given", added: true, kind: "stdio", stdin: "a", expected: "1" },
        { id: "generated-1", origin: "given", added: true, kind: "stdio", stdin: "b", expected: "2" },
      ],
      setup: "",
      contract: "",
      source: "codecontests",
    });
  });

  it("that read a named file have no tests", async () => {
    const public_tests = { input: ["p"], output: ["0"] };
    expect((await oneProblem({ ...row, public_tests, input_file: "in.txt" })).tests).toEqual([]);
  });

  it.each([
    [
      { input: ["a"], output: [] },
      /rows\.jsonl:1: expected `public_tests` to be \{input: \[\.\.\.\], output: \[\.\.\.\]\}/,
    ],
    [{ input: [1], output: ["a"] }, /rows\.jsonl:1, `public_tests` 0: expected an input and an output/],
    ["a", /expected `public_tests` to be/],
  ])("refuse tests such as %j", async (public_tests, message) => {
    await expect(oneProblem({ ...row, public_tests })).rejects.toThrow(message);
  });
});

describe("MBPP rows", () => {
  it("may hold nothing but the asserts of MBPP-ET", async () => {
    const { test_list: _, ...rest } = mbpp;
    expect((await oneProblem({ ...rest, test_case_list: ["assert larger(1, 2) == 2"] })).tests).toHaveLength(1);
  });

  it("name the function that the asserts call, not the first one defined", async () => {
    const problem = await oneProblem(mbpp);
    expect(problem).toMatchObject({ id: "MBPP/901", entryPoint: "larger", prompt: "", source: "mbpp", setup: "" });
    expect(problem.description).toBe("Write a function to find the larger of two numbers.");
    expect(problem.references[0]).not.toContain("\r");
    expect(problem.tests.map((test) => test.kind)).toEqual(["assert", "assert"]);
  });

  it("may be sanitized: `prompt` and `test_imports`", async () => {
    const { text, test_setup_code, challenge_test_list, ...rest } = mbpp;
    const problem = await oneProblem({ ...rest, prompt: text, test_imports: ["import math", "import re"] });
    expect(problem).toMatchObject({ description: text, setup: "import math\nimport re" });
  });

  it("count the challenge tests and keep `test_setup_code`", async () => {
    const more = { ...mbpp, challenge_test_list: ["assert larger(0, 0) == 0"], test_setup_code: "root = 1" };
    const problem = await oneProblem(more);
    expect(problem.tests).toHaveLength(3);
    expect(problem.setup).toBe("root = 1");
  });

  it("have no entry point when the asserts call nothing of the reference", async () => {
    expect((await oneProblem({ ...mbpp, test_list: ["assert True"] })).entryPoint).toBeNull();
  });
});

describe("APPS rows", () => {
  const row = (io: unknown, more = {}) => ({
    problem_id: 7,
    question: "Do it.\n",
    solutions: JSON.stringify(["print(input())", "x = input()\nprint(x)"]),
    input_output: typeof io === "string" ? io : JSON.stringify(io),
    ...more,
  });

  it("without `fn_name` read stdin and write stdout", async () => {
    const problem = await oneProblem(row({ inputs: ["1\n", ["2", "3"]], outputs: ["1\n", ["2"]] }));
    expect(problem).toMatchObject({ id: "APPS/7", description: "Do it.", entryPoint: null });
    expect(problem.references).toHaveLength(2);
    expect(problem.tests).toEqual([
      { id: "test-0", origin: "given", kind: "stdio", stdin: "1\n", expected: "1\n" },
      { id: "test-1", origin: "given", kind: "stdio", stdin: "2\n3", expected: "2" },
    ]);
  });

  it.each([
    [
      "answers wrapped in a list of one are taken out",
      '{"fn_name": "f", "inputs": [[1, "a"], [2.0, "b"]], "outputs": [[[1]], ["x"]]}',
      [
        ["1, 'a'", "[1]"],
        ["2.0, 'b'", "'x'"],
      ],
    ],
    [
      "answers of which one is not wrapped stay",
      '{"fn_name": "f", "inputs": [[1], [2]], "outputs": [[1], [1, 2]]}',
      [
        ["1", "[1]"],
        ["2", "[1, 2]"],
      ],
    ],
    [
      "integer keys that JSON turned to text come back",
      '{"fn_name": "f", "inputs": [[{"1": 2}], [{"a": 1}]], "outputs": [[true], [false]]}',
      [
        ["{1: 2}", "True"],
        ["{'a': 1}", "False"],
      ],
    ],
  ])("with `fn_name` are calls: %s", async (_, io, expected) => {
    const problem = await oneProblem(row(io));
    expect(problem.entryPoint).toBe("f");
    expect(problem.tests.map((test) => test.kind === "call" && [test.args, test.expected])).toEqual(expected);
  });

  it("call a method where the starter code is a class", async () => {
    const io = { fn_name: "twoSum", inputs: [[1]], outputs: [1] };
    const problem = await oneProblem(row(io, { starter_code: "class Solution:\n    def twoSum(self, x):\n" }));
    expect(problem.entryPoint).toBe("Solution().twoSum");
  });

  it("may lack tests", async () => {
    expect((await oneProblem(row(""))).tests).toEqual([]);
  });
});
