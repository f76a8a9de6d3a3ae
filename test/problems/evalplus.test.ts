import { describe, expect, it } from "vitest";
import { oneProblem } from "./helpers.ts";
import { humanEval, mbpp } from "./rows.ts";

describe("EvalPlus rows", () => {
  // Written as text, because 1.0, 2**53 + 1 and Infinity would not survive JavaScript's numbers.
  const line = `{"task_id": "Mbpp/902", "prompt": "\\"\\"\\"\\nWrite f.\\n\\"\\"\\"\\n", "entry_point": "f",
    "canonical_solution": "\\ndef f(x, y=None):\\n    return x\\n", "contract": "\\n    assert x\\n", "atol": 1e-06,
    "base_input": [[1.0, "a\\"b 2.0"], [9007199254740993]], "plus_input": [[[true, null, {"k": [-0.5]}]], [Infinity]]}`.replaceAll(
    "\n",
    " ",
  );

  it("become calls with exact arguments, answered by the reference within `atol`", async () => {
    const problem = await oneProblem(line);
    expect(
      problem.tests.map((test) => test.kind === "call" && [test.id, test.args, test.expected, test.tolerance]),
    ).toEqual([
      ["base-0", "1.0, 'a\"b 2.0'", null, 1e-6],
      ["base-1", "9007199254740993", null, 1e-6],
      ["plus-0", "[True, None, {'k': [-0.5]}]", null, 1e-6],
      ["plus-1", "float('inf')", null, 1e-6],
    ]);
    expect(problem).toMatchObject({ description: "Write f.", contract: "\n    assert x\n", source: "evalplus" });
    expect(problem.references).toEqual(['"""\nWrite f.\n"""\n\ndef f(x, y=None):\n    return x\n']);
  });
});

describe("EvalPlus rows without tuples, sets and complex numbers", () => {
  it.each([
    ["tuples", "assert f((1, 2), [3]) == 1", "[[1, 2], [3]]", "(1, 2), [3]"],
    ["lists of tuples", "assert f([(1, 'a')]) == 1", '[[[1, "a"], [2, "b"]]]', "[(1, 'a'), (2, 'b')]"],
    ["tuples of a list and a tuple", "assert f(([1], (2,))) == 1", "[[[3, 4], [5]]]", "([3, 4], (5,))"],
    ["sets", "assert f([{1}, set()]) == 1", "[[[1, 2], []]]", "[{1, 2}, set()]"],
    ["values of dicts", "assert f({'a': (1, 2)}) == 1", '[{"x": [3, 4]}]', "{'x': (3, 4)}"],
    ["complex numbers", "assert f((1+2j)) == 1", '["3j"]', "3j"],
    ["an empty tuple", "assert f((1,)) == 1", "[[]]", "()"],
    ["nothing where the asserts disagree", "assert f((1,)) == f([1])", "[[1]]", "[1]"],
    ["nothing where the asserts hold no literals", "assert f(tuple([1])) == 1", "[[1]]", "[1]"],
  ])("get back %s as their asserts show them", async (_, assertion, input, args) => {
    const row = { task_id: "Mbpp/1", prompt: "", entry_point: "f", canonical_solution: "", assertion };
    const line = `${JSON.stringify(row).slice(0, -1)}, "base_input": [${input}]}`;
    const [test] = (await oneProblem(line)).tests;
    expect(test).toMatchObject({ args, tolerance: 1e-6 });
  });
});

describe("HumanEval+ and MBPP+ as the hub has them", () => {
  const script = (inputs: string, results: string, judged: string) =>
    `import numpy as np\n\ndef assertion(out, exp, atol):\n    assert out == exp\n\ndef check(candidate):\n    inputs = ${inputs}\n    results = ${results}\n    for i, (inp, exp) in enumerate(zip(inputs, results)):\n        ${judged}\n`;
  const row = (test: string) => ({ ...humanEval, test });

  it("become one call an input, floats alone with a tolerance where none is named", async () => {
    const test = script("[[(1, 2)], [[3]]]", "[[2.0, 4.0], {6}]", "assertion(candidate(*inp), exp, 0)");
    expect((await oneProblem(row(test))).tests).toEqual([
      { id: "plus-0", origin: "given", kind: "call", args: "(1, 2)", expected: "[2.0, 4.0]", tolerance: 1e-6 },
      { id: "plus-1", origin: "given", kind: "call", args: "[3]", expected: "{6}", tolerance: 0 },
    ]);
    const named = script("[[1]]", "[2]", "assertion(candidate(*inp), exp, 0.001)");
    expect((await oneProblem(row(named))).tests).toMatchObject([{ expected: "2", tolerance: 0.001 }]);
  });

  it("ask the reference where they do", async () => {
    const test = script("[[1]]", "[]", "assertion(candidate(*inp), ref_func(*inp), 0)");
    expect((await oneProblem(row(test))).tests).toMatchObject([{ args: "1", expected: null }]);
  });

  it.each([
    ["an oracle of its own", "[[1]]", "[2]", "assert _poly(*inp, candidate(*inp)) <= 0.0001"],
    ["inputs that are no literals", "[[2 ** 9]]", "[2]", "assertion(candidate(*inp), exp, 0)"],
    ["fewer results than inputs", "[[1], [2]]", "[2]", "assertion(candidate(*inp), exp, 0)"],
  ])("stay a check where the script has %s", async (_, inputs, results, judged) => {
    expect((await oneProblem(row(script(inputs, results, judged)))).tests).toMatchObject([{ kind: "check" }]);
  });

  it("of MBPP+ are MBPP rows with a script beside the asserts", async () => {
    const loop =
      "inputs = [[1, 2]]\nresults = [2]\nfor i, (inp, exp) in enumerate(zip(inputs, results)):\n    assertion(larger(*inp), exp, 0)\n";
    expect(await oneProblem({ ...mbpp, test: loop })).toMatchObject({
      id: "MBPP/901",
      entryPoint: "larger",
      tests: [{ kind: "call", args: "1, 2", expected: "2" }],
    });
  });
});
