import { describe, expect, it } from "vitest";
import { readProblems } from "../../src/problems/index.ts";
import { oneProblem, writeRows } from "./helpers.ts";

describe("collected training rows", () => {
  const row = (more: object) => ({
    task_id: "X/1",
    source: "s",
    nl: "Do it.",
    entry_point: "f",
    signature: "def f(a, b):",
    references: [],
    tests: [],
    ...more,
  });

  it.each([
    ["one argument a line", "def f(a, b):", [["1\n[2]", [3]]], [["1, [2]", "3"]]],
    ["Python literals", "def f(a):", [["['x', (1, 2)]", [true]]], [["['x', (1, 2)]", "True"]]],
    ["text that lost its quotes", "def f(a):", [["abc", [1]]], [["'abc'", "1"]]],
    [
      "a position that holds text in one test holds text in all",
      "def f(a):",
      [
        ["12", [false]],
        ["1a", [false]],
      ],
      [
        ["'12'", "False"],
        ["'1a'", "False"],
      ],
    ],
    ["a text over several lines", "def f(a):", [["x\ny", ["z"]]], [["'x\\ny'", "'z'"]]],
    [
      "lines that do not match the parameters are left out",
      "def f(a, b):",
      [
        ["1\n2\n3", [1]],
        ["1\n2", [1]],
      ],
      [["1, 2", "1"]],
    ],
    ["prose is left out", "def f(a):", [["nums = [1], k = 2", "[1]"]], []],
  ] as [string, string, [string, unknown][], string[][]][])("of kind io: %s", async (_, signature, pairs, expected) => {
    const tests = pairs.map(([input, output]) => ({ input, output }));
    const problem = await oneProblem(row({ signature, tests, tests_kind: "io" }));
    expect(problem.tests.map((test) => test.kind === "call" && [test.args, test.expected])).toEqual(expected);
  });

  const method = (head: string) => `class Solution:\n    def f(${head}:\n        pass\n`;
  const examples = (pairs: [string, string][], head: string, more = {}) => ({
    tests: pairs.map(([input, output]) => ({ input, output })),
    tests_kind: "io",
    entry_point: "Solution().f",
    references: [method(head)],
    ...more,
  });

  it.each([
    ["names in order", "self, a: List[int], k: int) -> int", "a = [1, 2], k = 3", "-1", "[1, 2], 3", "-1"],
    ["names in another order", "self, a: int, k: int) -> int", "k = 3, a = 4", "1", "4, 3", "1"],
    ["other names in order", "self, a: int, k: int) -> int", "x = 3, y = 4", "1", "3, 4", "1"],
    ["commas in texts", "self, s: str, t: str) -> str", 's = "a, b = \\"", t = ""', '"x"', "'a, b = \"', ''", "'x'"],
    ["JSON's words", "self, a: List[Optional[bool]]) -> bool", "a = [true, null]", "false", "[True, None]", "False"],
    [
      "a signature over lines",
      "\n        self,\n        a: int = 1,\n    ) -> List[float]",
      "a = 1",
      "[2.0]",
      "1",
      "[2.0]",
    ],
    ["no names", "self, a: List[int]) -> int", "[2, 7]", "9", "[2, 7]", "9"],
  ])("of kind io as `name = value` text: %s", async (_, head, input, output, args, expected) => {
    const tolerance = head.includes("float") ? 1e-5 : 0;
    const problem = await oneProblem(row(examples([[input, output]], head)));
    expect(problem.tests).toEqual([{ id: "test-0", origin: "given", kind: "call", args, expected, tolerance }]);
    expect(problem.setup).toContain("from typing import *");
  });

  it.each([
    ["prose before the values", "self, a: int) -> int", "is sorted. Input: a = 1", "2", 1],
    ["prose for an answer", "self, a: int) -> int", "a = 1", "2 (see above)", 1],
    ["a judge's own class", "self, a: Optional[ListNode]) -> int", "a = [1]", "2", 2],
    ["a judge's own class as the answer", "self, a: int) -> TreeNode", "a = 1", "[2]", 2],
    ["a method that changes its argument", "self, a: List[int]) -> None", "a = [1]", "[2]", 2],
    ["no annotations", "self, a)", "a = 1", "2", 2],
    ["a value of another type", "self, a: int) -> int", 'a = "1"', "2", 1],
    ["an answer of another type", "self, a: int) -> int", "a = 1", '"2"', 1],
    ["another number of values", "self, a: int) -> int", "a = 1, b = 2", "2", 1],
  ])("of kind io leave out and report %s", async (_, head, input, output, count) => {
    const left: unknown[] = [];
    const pairs: [string, string][] = [
      [input, output],
      ["a = 1", "2"],
    ];
    const path = writeRows([row(examples(pairs, head))]);
    const [problem] = (await readProblems([path], { leaveOut: (one) => left.push(one) })).values();
    expect(problem!.tests).toHaveLength(2 - count);
    const why = "their arguments cannot be read";
    expect(left).toEqual([{ problem: "X/1", where: `${path}:1`, tests: count, why }]);
  });

  it("take the only method of a `Solution` that the row does not name", async () => {
    const two = `${method("self, a: int) -> int")}    def _helper(self): pass\n`;
    const of = (code: string) =>
      oneProblem(row(examples([["a = 1", "2"]], "", { entry_point: null, references: [code] })));
    expect(await of(two)).toMatchObject({ entryPoint: "Solution().f", tests: [{ args: "1" }] });
    expect(await of(`${two}    def g(self): pass\n`)).toMatchObject({ entryPoint: null, tests: [] });
  });

  it("of kind unittest become one assert a method, with the class's helpers and without the solution's import", async () => {
    const file = `import unittest
from leap import (
    leap_year,
    OTHER as other,
)

LIMIT = 3

class LeapTest(unittest.TestCase):
    def setUp(self):
        self.n = '''
class Not(unittest.TestCase):
'''

    # a note
    def test_a(self):
        self.same(leap_year(LIMIT), other)

    @unittest.skip("hard")
    def test_b(self):
        pass

    def same(self, a, b):
        self.assertEqual(a, b)

if __name__ == '__main__':
    unittest.main()
`;
    const signature = "def leap_year(year):\n    pass\n";
    const more = { tests_kind: "unittest", entry_point: null, signature, tests: [file] };
    const problem = await oneProblem(row({ ...more, note: "tests are one unittest file importing module leap" }));
    expect(problem.entryPoint).toBe("leap_year");
    expect(problem.tests).toMatchObject([{ id: "LeapTest.test_a", origin: "given", kind: "assert" }]);
    const lines = (problem.tests[0] as { code: string }).code.split("\n").filter((line) => line !== "");
    expect(lines.join("\n")).toBe(`import unittest
other = OTHER
LIMIT = 3
class LeapTest(unittest.TestCase):
    def setUp(self):
        self.n = '''
class Not(unittest.TestCase):
'''
    def same(self, a, b):
        self.assertEqual(a, b)
    # a note
    def test_a(self):
        self.same(leap_year(LIMIT), other)
assert LeapTest("test_a").debug() is None`);
  });

  it("of kind unittest that import the module whole get a stand-in for it", async () => {
    const tests = ["import leap_b as lb\nclass T(TestCase):\n    def test_a(self): lb.f()\n"];
    const problem = await oneProblem(row({ task_id: "EX/leap-b", tests_kind: "unittest", entry_point: null, tests }));
    expect(problem.tests).toMatchObject([
      { code: expect.stringMatching(/^import types\nlb = types\.SimpleNamespace\(\*\*globals\(\)\)\n/) },
    ]);
  });

  it("of kind stdio join the lines of the answer", async () => {
    const tests = [
      { input: "1\n", output: ["2\n"] },
      { input: "3", output: "4" },
    ];
    const problem = await oneProblem(row({ entry_point: null, tests, tests_kind: "stdio" }));
    expect(problem.tests.map((test) => test.kind === "stdio" && [test.stdin, test.expected])).toEqual([
      ["1\n", "2\n"],
      ["3", "4"],
    ]);
  });

  it("of kind none have no tests", async () => {
    expect((await oneProblem(row({ tests_kind: "none", tests: ["assert f(1)"] }))).tests).toEqual([]);
  });

  it("tell a HumanEval test from a block of statements that happens to define `check`", async () => {
    const tests = [
      "def check(candidate):\n    assert candidate(1)",
      "candidate = f\nassert candidate()\ndef check(x): pass",
    ];
    expect((await oneProblem(row({ tests_kind: "assert", tests }))).tests.map(({ kind }) => kind)).toEqual([
      "check",
      "assert",
    ]);
  });

  it.each([
    ["imports join the prelude", "import re", "from math import *\nimport re", "assert s.f(s.g) == 1"],
    [
      "an instance is written into the calls",
      "s = Solution()",
      "from math import *",
      "assert Solution().f(Solution().g) == 1",
    ],
    ["other lines go before each test", "s = Other(1)", "from math import *", "s = Other(1)\nassert s.f(s.g) == 1"],
  ])("have their prelude before the candidate: %s", async (_, test_setup, setup, code) => {
    const more = { tests_kind: "assert", prelude: "from math import *", test_setup, entry_point: "Solution().f" };
    const problem = await oneProblem(row({ ...more, tests: ["assert s.f(s.g) == 1"] }));
    expect(problem).toMatchObject({ setup, entryPoint: "Solution().f", tests: [{ code }] });
  });

  it("of kind io are read from stdin where a passing program reads it", async () => {
    const llm_passing = "def f(a):\n    return a\nprint(f(eval(input())))";
    const tests = [
      { input: "[1]", output: [[1, "x"]] },
      { input: "2", output: ["two"] },
      { input: "3", output: [true] },
    ];
    const problem = await oneProblem(row({ tests_kind: "io", tests, llm_passing }));
    expect(problem).toMatchObject({ entryPoint: null, references: [llm_passing] });
    expect(problem.tests.map((test) => test.kind === "stdio" && [test.stdin, test.expected])).toEqual([
      ["[1]", "[1, 'x']"],
      ["2", "two"],
      ["3", "True"],
    ]);
  });

  it("take `tests_et` before their own tests", async () => {
    const problem = await oneProblem(
      row({ tests_kind: "assert", tests: ["assert f(1)"], tests_et: ["assert f(2)", "assert f(3)"] }),
    );
    expect(problem.tests).toHaveLength(2);
  });

  it("take a passing program as reference where there is none and it can be called", async () => {
    const passing = (llm_passing: string) =>
      oneProblem(row({ tests_kind: "none", llm_passing })).then((p) => p.references);
    expect(await passing("def f(a): return a")).toEqual(["def f(a): return a"]);
    expect(await passing("def solve(): print(input())")).toEqual([]);
  });

  it("of an unknown kind are an error that names the kinds", async () => {
    await expect(oneProblem(row({ tests_kind: "magic" }))).rejects.toThrow(
      /rows\.jsonl:1: .*assert, io, stdio, unittest or none, got `magic`/,
    );
  });
});
