/** Benchmarks in their released format: how each row is read. test/execute/benchmarks.test.ts tests their verdicts. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { label } from "../../src/dataset/index.ts";
import { printProblem, readProblems } from "../../src/problems/index.ts";
import { pickledText } from "../../src/problems/pickle.ts";
import { fakeExecutor } from "../dataset/fake.ts";
import {
  classEval,
  ds1000,
  evalPlus,
  evoEval,
  humanEvalPack,
  liveCodeBench,
  liveCodeBenchCall,
  packed,
  packedByPython,
  pickled,
} from "./benchmarks.ts";
import { oneProblem, tempFolder, writeRows } from "./helpers.ts";

describe("LiveCodeBench", () => {
  it("reads stdin: public tests, and private ones that are packed; numbers are compared as numbers", async () => {
    const problem = await oneProblem(liveCodeBench);
    expect(problem).toMatchObject({
      id: "abc900_a",
      description: "Print the half of each number.",
      entryPoint: null,
      oracle: "numbers",
      source: "livecodebench",
    });
    expect(problem.tests).toEqual([
      { id: "public-0", origin: "given", kind: "stdio", stdin: "2\n3\n5\n", expected: "1.5\n2.5\n" },
      { id: "private-0", origin: "given", kind: "stdio", stdin: "1\n4\n", expected: "2" },
      { id: "private-1", origin: "given", kind: "stdio", stdin: "0\n", expected: "" },
    ]);
  });

  it("calls a method of Solution with an argument a line", async () => {
    const problem = await oneProblem(liveCodeBenchCall);
    expect(problem).toMatchObject({ id: "LiveCodeBench/9001", entryPoint: "Solution().ends", oracle: "sequence" });
    expect(problem.tests).toMatchObject([
      { id: "public-0", kind: "call", args: "[1, 2, 3], 1", expected: "[1, 3]" },
      { id: "private-0", kind: "call", args: "[4, 5], 2", expected: "[4, 5, 4, 5]" },
    ]);
    const plain = { ...liveCodeBenchCall, starter_code: "def ends(xs, k):\n    " };
    expect((await oneProblem(plain)).entryPoint).toBe("ends");
  });

  it("may have private tests as plain JSON, as the full set has", async () => {
    const tests = JSON.stringify([{ input: "a", output: "b", testtype: "stdin" }]);
    expect((await oneProblem({ ...liveCodeBench, private_test_cases: tests })).tests).toHaveLength(2);
  });

  it.each([
    ["text that is not packed", "hello", "expected JSON, or base64 of zlib of a pickled text of JSON, got hello"],
    ["tests of another shape", packed([{ input: 1 }]), "expected an input and an output as strings in test 0"],
    ["an object in place of the list", packed({}), "expected a list of {input, output, testtype}"],
  ])("refuses %s", async (_, private_test_cases, message) => {
    await expect(oneProblem({ ...liveCodeBench, private_test_cases })).rejects.toThrow(message);
  });
});

describe("pickles", () => {
  const long = `${"é".repeat(70_000)}!`;
  it.each([2, 3, 4, 5])("of protocol %i give their text", (protocol) => {
    for (const text of ["", "ü\n", long]) expect(pickledText(pickled(text, protocol))).toBe(text);
  });

  const tests = [{ input: long, output: "x", testtype: "stdin" }];
  const real = packedByPython(tests);
  it.skipIf(real === null)("made by Python are read as the ones made here", async () => {
    const problem = await oneProblem({ ...liveCodeBench, public_test_cases: "[]", private_test_cases: real });
    expect(problem.tests).toMatchObject([{ stdin: long }]);
  });

  it.each([
    ["a call", Buffer.from("\x80\x04\x8c\x02os\x8c\x06system\x93.", "latin1"), "expected one text, got more"],
    ["a global", Buffer.from("cos\nsystem\n(S'true'\ntR.", "latin1"), "got operation 0x63"],
    ["a list", Buffer.from("\x80\x04]\x94.", "latin1"), "got operation 0x5d"],
    ["two texts", Buffer.from("\x80\x04\x8c\x01a\x8c\x01b.", "latin1"), "expected one text, got more"],
    ["a length beyond its end", Buffer.from("\x80\x04X\xff\xff\xff\xffabc.", "latin1"), "the text is cut short"],
    [
      "an enormous length",
      Buffer.from("\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xffabc.", "latin1"),
      "the text is cut short",
    ],
    ["a length cut short", Buffer.from("\x80\x04X\x01", "latin1"), "the pickle is cut short"],
    ["no end", Buffer.from("\x80\x04\x8c\x01a", "latin1"), "the pickle has no end"],
    ["nothing", Buffer.from("\x80\x04.", "latin1"), "expected a text, got nothing"],
  ])("of %s are refused", (_, bytes, message) => {
    expect(() => pickledText(bytes)).toThrow(message);
  });
});

describe("HumanEvalPack", () => {
  it("in Python is HumanEval with its harness' imports", async () => {
    const problem = await oneProblem(humanEvalPack);
    expect(problem).toMatchObject({
      id: "Python/900",
      entryPoint: "half",
      references: [humanEvalPack.prompt + humanEvalPack.canonical_solution],
      tests: [{ kind: "check" }],
      source: "humanevalpack",
    });
    expect(problem.setup).toMatch(/^import math, .*\nfrom typing import \*\n/);
  });

  it.each([
    ["JavaScript/900", "const half = (x) => {\n", "  return x / 2\n}\n", "a problem in JavaScript"],
    ["Go/900", "func half(x float64) float64 {\n", "    return x / 2\n}\n", "a problem in Go"],
  ])("in other languages is refused: %s", async (task_id, declaration, canonical_solution, message) => {
    const row = { ...humanEvalPack, task_id, declaration, canonical_solution, prompt: `${declaration}` };
    await expect(oneProblem(row)).rejects.toThrow(message);
  });
});

describe("EvoEval", () => {
  it("has inputs as source, answered by the reference", async () => {
    const problem = await oneProblem(evoEval);
    expect(problem).toMatchObject({ id: "EvoEval/900", oracle: "types", source: "evoeval" });
    expect(problem.tests.map((test) => test.kind === "call" && [test.args, test.expected])).toEqual([
      ["3", null],
      ["0.1 + 0.2", null],
      ["x=7", null],
    ]);
    const text = await oneProblem({ ...evoEval, inputs: JSON.stringify(evoEval.inputs) });
    expect(text.tests).toEqual(problem.tests);
    await expect(oneProblem({ ...evoEval, inputs: "[1]" })).rejects.toThrow(
      "expected `inputs` to be a list of argument",
    );
  });
});

describe("ClassEval", () => {
  it("has a test a method of its unittest classes, and the class as its reference", async () => {
    const problem = await oneProblem(classEval);
    expect(problem).toMatchObject({
      id: "ClassEval_900",
      entryPoint: "Disc",
      prompt: "",
      setup: "from math import pi",
    });
    expect(problem.tests.map(({ id }) => id)).toEqual(["DiscTestArea.test_area", "DiscTestMain.test_radius"]);
  });
});

describe("DS-1000", () => {
  it("hands programs to its tests as texts", async () => {
    const problem = await oneProblem(ds1000);
    expect(problem).toMatchObject({ id: "DS-1000/900", asText: true, references: [ds1000.reference_code] });
    expect(problem.tests.map(({ id }) => id)).toEqual(["test_execution", "test_string"]);
    const other = { ...ds1000, code_context: ds1000.code_context.split("def test_string")[0] };
    expect((await oneProblem(other)).tests.map(({ id }) => id)).toEqual(["test_execution"]);
  });

  it("in another form is refused", async () => {
    await expect(oneProblem({ ...ds1000, code_context: "import numpy" })).rejects.toThrow(
      "expected `code_context` to define test_execution(solution), as in DS-1000's format of 2024",
    );
  });
});

describe("EvalPlus' own oracles", () => {
  it("come by set and function", async () => {
    expect((await oneProblem(evalPlus.set)).oracle).toBe("set");
    expect((await oneProblem(evalPlus.any)).oracle).toBe("any");
    expect((await oneProblem(evalPlus.isThere)).oracle).toBe("not-none");
    expect((await oneProblem(evalPlus.zero)).tests).toMatchObject([{ also: "0" }, { also: "0", added: true }]);
    const root = await oneProblem(evalPlus.root);
    expect(root).toMatchObject({ originalTests: 1, tests: [{ id: "base-0" }, { id: "plus-0", added: true }] });
    for (const test of root.tests)
      expect(test).toMatchObject({ kind: "assert", code: expect.stringContaining("<= 0.0001") });
  });

  it("are of those sets alone, and a row's own comes first", async () => {
    const elsewhere = evalPlus.set.replace("Mbpp/2", "Mine/2");
    expect((await oneProblem(elsewhere)).oracle).toBeUndefined();
    expect((await oneProblem(evalPlus.set.replace("{", '{"oracle": "types", '))).oracle).toBe("types");
    await expect(oneProblem(evalPlus.set.replace("{", '{"oracle": "magic", '))).rejects.toThrow(
      "expected `oracle` to be one of set, not-none, any, sequence, types, numbers, got `magic`",
    );
  });
});

it("what is read is written and read back the same", async () => {
  const rows = [
    liveCodeBench,
    liveCodeBenchCall,
    humanEvalPack,
    evoEval,
    classEval,
    ds1000,
    ...Object.values(evalPlus),
  ];
  const problems = await readProblems([writeRows(rows)]);
  expect(problems.size).toBe(rows.length);
  const again = await readProblems([writeRows([...problems.values()].map(printProblem))]);
  expect([...again.values()]).toEqual([...problems.values()]);
});

it("tests that cannot be run are counted", async () => {
  const tests = { input: ["1", "2"], output: ["1", "2"] };
  const row = { name: "1_A", description: "Copy the file.", public_tests: tests, input_file: "in.txt", solutions: [] };
  const samples = [writeRows([{ task_id: "1_A", code: "x" }])];
  const out = `${tempFolder()}/out.jsonl`;
  const { testsLeftOut } = await label({ problems: [writeRows([row])], samples, out, executor: fakeExecutor() });
  expect(testsLeftOut).toEqual({ "the problem reads or writes named files": 2 });
  expect(readFileSync(out, "utf8")).not.toBe("");
});
