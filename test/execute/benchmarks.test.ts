/** The rules of benchmarks, on rows in their released format: right and wrong programs in every sandbox. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import * as rows from "../problems/benchmarks.ts";
import { oneProblem } from "../problems/helpers.ts";
import { byPython, openShared } from "./open.ts";

const { evalPlus } = rows;
const ends = (body: string): string => `class Solution:\n    def ends(self, xs: List[int], k: int):\n        ${body}\n`;
const halves = (print: string): string => `n = int(input())\nfor _ in range(n):\n    x = int(input())\n    ${print}\n`;
const half = (body: string): string => `def half(x):\n    ${body}\n`;
const similar = (body: string): string => `def similar_elements(a, b):\n    ${body}\n`;

/** Name, row, program, and one outcome per test: `.` passes, `F` fails, `E` is an error. */
const cases: readonly (readonly [string, unknown, string, string])[] = [
  ["LiveCodeBench: a right program", rows.liveCodeBench, halves("print(x / 2)"), "..."],
  ["LiveCodeBench: numbers of another form, blanks", rows.liveCodeBench, halves("print(f'  {x / 2:.3f} ')"), "..."],
  ["LiveCodeBench: a wrong number", rows.liveCodeBench, halves("print(x // 2)"), "F.."],
  ["LiveCodeBench: a method, its imports there", rows.liveCodeBenchCall, ends("return [xs[0], xs[-1]] * k"), ".."],
  ["LiveCodeBench: a tuple counts as a list", rows.liveCodeBenchCall, ends("return (xs[0], xs[-1]) * k"), ".."],
  ["LiveCodeBench: a wrong answer", rows.liveCodeBenchCall, ends("return [xs[0], xs[-1]]"), ".F"],
  ["HumanEvalPack: with its imports", rows.humanEvalPack, half("return math.fsum([x]) / 2"), ".."],
  ["HumanEvalPack: the bug", rows.humanEvalPack, half("return x * 2"), "F."],
  ["EvoEval: a right program", rows.evoEval, half("return x * 0.5"), "..."],
  ["EvoEval: of another type", rows.evoEval, half("return x / 2 if x < 3 else (x + x % 2) // 2"), "F.F"],
  ["ClassEval: the reference", rows.classEval, rows.classEval.solution_code, ".."],
  ["ClassEval: one method wrong", rows.classEval, rows.classEval.solution_code.replace("** 2", "** 3"), "F."],
  ["DS-1000: the reference", rows.ds1000, rows.ds1000.reference_code, ".."],
  ["DS-1000: a loop, which its text shows", rows.ds1000, "result = 0\nfor x in xs:\n    result += x", ".F"],
  ["DS-1000: a wrong answer, with quotes", rows.ds1000, "result = len('''\"\\'''') + 1  # \u00e9\ud83d\ude00", "F."],
  ["DS-1000: no Python", rows.ds1000, "the sum of xs", "E."],
  ["MBPP+ sets: another order, repeats, a list", evalPlus.set, similar("return [x for x in b if x in a] * 2"), ".."],
  ["MBPP+ sets: one missing", evalPlus.set, similar("return [2]"), ".F"],
  ["MBPP+ sets: no set", evalPlus.set, similar("return 2"), "FF"],
  ["MBPP+ sets: members that no set has", evalPlus.set, similar("return [[2]]"), "FF"],
  ["MBPP+ any answer", evalPlus.any, "def are_equivalent(a, b):\n    return 7\n", ".."],
  ["MBPP+ any answer, but an answer", evalPlus.any, "def are_equivalent(a, b):\n    return 1 // (a - b)\n", ".E"],
  [
    "MBPP+ whether there is one: texts",
    evalPlus.isThere,
    "def check_str(s):\n    return 'yes' if s[0] == 'a' else None\n",
    "..",
  ],
  ["MBPP+ whether there is one: truth values", evalPlus.isThere, "def check_str(s):\n    return s[0] == 'a'\n", ".."],
  [
    "MBPP+ whether there is one: the same object",
    evalPlus.isThere,
    "import re\ndef check_str(s):\n    return re.match('a', s)\n",
    "..",
  ],
  ["MBPP+ whether there is one: always one", evalPlus.isThere, "def check_str(s):\n    return 'no'\n", ".F"],
  ["MBPP+ zero counts too", evalPlus.zero, "def sum_div(n):\n    return 0 if n == 4 else n\n", ".F"],
  ["MBPP+ another height", evalPlus.surface, "def surface_Area(b, h):\n    return 35 if b == 3 else 58\n", ".F"],
  ["MBPP+ digits", evalPlus.digits, "def digit_distance_nums(a, b):\n    return 4 if a == 1 else 7\n", ".."],
  ["HumanEval+ another root", evalPlus.root, "def find_zero(xs):\n    return -0.5 if xs[1] else -2.0\n", ".."],
  ["HumanEval+ no root", evalPlus.root, "def find_zero(xs):\n    return -0.5\n", ".F"],
  ["HumanEval+ no number", evalPlus.root, "def find_zero(xs):\n    return float('nan') if xs[1] else 'x'\n", "FE"],
];

describe.each(byPython)("benchmarks in %s", { timeout: 120_000 }, (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openShared(sandbox);
  }, 120_000);

  it.each(cases)("%s", async (_, row, program, expected) => {
    const { verdicts, reason } = await executor.execute(await oneProblem(row), program);
    expect(reason).toBeNull();
    const signs = { pass: ".", fail: "F", error: "E", timeout: "T", memory: "M" };
    expect(verdicts.map(({ outcome }) => signs[outcome]).join("")).toBe(expected);
  });

  it.each(Object.entries({ ...rows, ...evalPlus }).filter(([, row]) => typeof row !== "function" && row !== evalPlus))(
    "the reference of %s passes, where there is one",
    async (_, row) => {
      const problem = await oneProblem(row);
      const [reference] = problem.references;
      if (reference === undefined) return;
      expect((await executor.execute(problem, reference)).passRatio).toBe(1);
    },
  );
});
