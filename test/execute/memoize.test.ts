/** Tree recursion with cached answers (memoize.py): which functions qualify, and what a test is charged instead of its calls. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { bwrapWorks, open, problem } from "./open.ts";
import { eachProgram, python } from "./python.ts";

const fib = "def f(n):\n    if n < 2:\n        return n\n    return f(n - 1) + f(n - 2)\n";
const notPure = [
  "def f(n):\n    return n if n < 2 else f(n - 1)\n", // called in only one place
  `seen = []\n${fib.replace("return n\n", "seen + [n]; return n\n")}`, // reads a global list
  `${fib}f = abs\n`,
  `${fib}max = min\n`.replace("return n\n", "return max(n, 0)\n"),
  fib.replace("def f(n)", "def f(n, seen=[])"),
  fib.replace("return n\n", "global g; g = n; return n\n"),
  fib.replace("return n\n", "print(n); return n\n"),
  fib.replace("return n\n", "return n.real\n"),
  `import functools\n@functools.lru_cache\n${fib}`,
  "def f(n):\n    try:\n        return f(n - 1) + f(n - 2)\n    except RecursionError:\n        return 1\n",
  "def f(n):\n    n[0] = 1\n    return f(n[1:]) + f(n[2:])\n",
  fib.replace("f(n - 1) +", "f(n - 1) is"),
  fib.replace("f(n - 1) +", "f(n - 1) / 2 +"),
  fib.replace("f(n - 1) +", "f(n - 1) * 1.5 +"),
  fib.replace("f(n - 1) +", "2 ** n +"),
  fib.replace("f(n - 1) +", "n * n * n * n * n + f(n - 1) +"),
  fib.replace("f(n - 1) +", `1${"0".repeat(30)} % n + f(n - 1) +`),
  fib.replace("f(n - 1) +", "sum([n]) + f(n - 1) +"),
  fib.replace("f(n - 1) +", "(n := n - 1) + f(n - 1) +"),
  fib.replace("f(n - 1) +", "f(n=n - 1) +"),
  fib.replace("f(n - 1) +", "f(*(n - 1,)) +"),
  fib.replace("return n\n", "return str(n)\n"),
  fib.replace("return n\n", "for i in range(n): pass\n"),
  fib.replace("def f(n)", "def f(n: (abs := max))").replace("return n\n", "return abs(n)\n"),
  `if True:\n${fib.replace(/^/gm, "    ")}`,
  `${fib}def g():\n    global f\n    f = abs\n`,
  `from math import *\n${fib}`,
];

/** A Memo of `fib`, the source of a test for it, and a budget in which everything is reported. */
const MEMO = `
from suites import _compile_call
from memoize import Memo
space = {}
exec("""${fib.replaceAll("f(", "fib(")}
def g(n): return fib(n)
""", space)
def memo(budget, provisional=False): return Memo(["fib"], space, [budget], provisional)
def test(args, entry="fib"): return _compile_call(entry, args)
`;

describe.skipIf(!bwrapWorks)("a test", () => {
  it("is remembered when it calls the function with small constants and does nothing else", () => {
    const tests = ["25", "-1", "True", "10 - 3"];
    const others = [
      "fib(5)",
      "x",
      "len([1])",
      "(fib := 3)",
      "n=5",
      "*[5]",
      "(lambda: 5)()",
      "2 ** 70",
      "5.0",
      "'x'",
      "[5]",
      "400",
    ];
    const script = `${MEMO}print(json.dumps([memo(1.0).answer(test(args)) is not None for args in given]))`;
    expect(python(script, [...tests, ...others])).toEqual([...tests.map(() => true), ...others.map(() => false)]);
    expect(python(`${MEMO}print(json.dumps(memo(1.0).answer(test("5", "g"))))`)).toBeNull();
  });

  it("is charged where its time is far from the budget, and runs where it is near", () => {
    const script = `${MEMO}
kept = memo(100.0)
value, call = kept.answer(test("27"))
time = kept.charge(call, 0)
def charge(budget, provisional):
    kept.budgets, kept.provisional = [budget], provisional
    found = kept.charge(call, 0)
    return found and found / budget
print(json.dumps([value, call.total, [[charge(time * k, p) for k in (0.2, 0.4, 0.9, 1.9, 2.5)] for p in (False, True)]]))`;
    const near = expect.closeTo(1.25, 5) as number; // neither clearly in time nor clearly late: it runs again
    expect(python(script)).toEqual([
      196418,
      635621,
      [
        [2, null, null, null, expect.closeTo(0.4, 5)],
        [2, near, near, near, expect.closeTo(0.4, 5)],
      ],
    ]);
  });

  it("has a time that is the sum of its parts", () => {
    const script = `${MEMO}
from time import thread_time
kept = memo(100.0)
_, call = kept.answer(test("24"))
charged = kept.charge(call, 0)
def run():
    began = thread_time()
    space["fib"](24)
    return thread_time() - began
print(json.dumps(charged / sorted([run() for _ in range(5)])[2]))`;
    const ratio = python<number>(script);
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });
});

describe.skipIf(!bwrapWorks)("remembering the answers of a function", () => {
  let executor: Executor;
  let isolated: Executor;
  beforeAll(async () => {
    [executor, isolated] = await Promise.all([open("bwrap"), open("bwrap", { isolate: true })]);
  });
  afterAll(() => Promise.all([executor.close(), isolated.close()]));

  it("is for those that depend on their arguments alone and call themselves twice", () => {
    const recursions = "recursive(tree) if tree else []";
    expect(eachProgram<string[]>(recursions, [fib])).toEqual([["f"]]);
    expect(eachProgram<string[]>(recursions, notPure)).toEqual(notPure.map(() => []));
  });

  it("gives the verdicts that running gives", async () => {
    const tests = ["assert f(24) == 46368", "assert f(3) == 3", "assert f(-1) == -1", "assert f(True) == 1"];
    const task = problem("f", tests, { references: [fib] });
    const slower = fib.replace("return f(n - 1)", "x = sum(range(n))\n    return f(n - 1)");
    for (const code of [fib, slower, fib.replace("n < 2", "n < 1")]) {
      const [a, b] = await Promise.all([executor.execute(task, code), isolated.execute(task, code)]);
      expect(a.verdicts).toEqual(b.verdicts);
      expect(a.verdicts[0]?.outcome).toBe(code.includes("n < 1") ? "fail" : "pass");
    }
  });

  it("charges for the calls that were not made", async () => {
    const fast = "def f(n):\n    a, b = 0, 1\n    for _ in range(n):\n        a, b = b, a + b\n    return a\n";
    const task = problem("f", ["assert f(10) == 55", "assert f(60) == 1548008755920", "assert f(11) == 89"], {
      references: [fast],
    });
    const { verdicts } = await executor.execute(task, fib);
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(["pass", "timeout", "pass"]);
    const patient = problem("f", ["assert f(27) == 196418"], { references: [fib] });
    expect((await executor.execute(patient, fib)).passRatio).toBe(1);
  });

  it("charges as much as it would have taken, however many calls that are", async () => {
    const task = problem("f", [
      ["60", "1"],
      ["1000000000", "1"],
      ["90", "2880067194370816120"],
      ["10", "55"],
    ]);
    const { verdicts } = await executor.execute(task, fib.replace("n < 2:", "n < 2 or n > 1000000:"));
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(["timeout", "fail", "timeout", "pass"]);
  });

  it("leaves large values alone, since calls on them take longer", async () => {
    const grow = "def f(n):\n    if n == 0:\n        return 3\n    return f(n - 1) * f(n - 1)\n";
    const task = problem("f", ["assert f(3) == 3 ** 8", "assert f(9) == 3 ** 512"], { references: [grow] });
    const [a, b] = await Promise.all([executor.execute(task, grow), isolated.execute(task, grow)]);
    expect(a.verdicts).toEqual(b.verdicts);
    expect(a.passRatio).toBe(1);
  });
});
