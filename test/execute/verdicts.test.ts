/** The same table of programs and verdicts in every sandbox. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import type { Problem } from "../../src/types.ts";
import { openShared, problem, sandboxes, stdio } from "./open.ts";

interface Case {
  readonly name: string;
  readonly problem: Problem;
  readonly code: string;
  /** Outcome of each verdict; `error:Type` for errors. */
  readonly expected: readonly string[];
  readonly firstError?: string;
}

const add = problem("add", ["assert add(1, 2) == 3", "assert add(-1, 1) == 0", "assert add('a', 'b') == 'ab'"]);
const tolerant = problem("f", [
  { id: "0", origin: "given", kind: "call", args: "2", expected: "0.6666", tolerance: 1e-3 },
  { id: "1", origin: "given", kind: "call", args: "2", expected: "0.6666", tolerance: 0 },
]);
const humanEval = problem("double", [
  {
    id: "check",
    origin: "given",
    kind: "check",
    code: `
METADATA = {"author": "x"}
def check(candidate):
    import random
    assert candidate(2) == 4, "two"
    assert True, "says nothing"
    factor = 2
    for i in range(5):
        assert candidate(i) == i * factor
    assert abs(candidate(0.5) - 1) < 1e-9
    for _ in range(3):
        n = random.randint(0, 100)
        assert candidate(n) == n + n
`,
  },
]);

/** A HumanEval check with these lines, and a right program. */
const check = (entryPoint: string, reference: string, lines: readonly string[]): Problem =>
  problem(
    entryPoint,
    [
      {
        id: "check",
        origin: "given",
        kind: "check",
        code: `def check(candidate):\n${lines.map((line) => `    ${line}\n`).join("")}`,
      },
    ],
    { references: [reference] },
  );
const COUNTER = "class C:\n  def __init__(self): self.n = 0\n  def hit(self):\n    self.n += 1\n    return self.n";
const hits = (count: number): string[] => Array.from({ length: count }, (_, i) => `assert c.hit() == ${i + 1}`);
const counting = check("C", COUNTER, ["c = candidate()", ...hits(2), "c = candidate()", ...hits(1)]);
const manyHits = check("C", COUNTER, ["c = candidate()", ...hits(102)]);
const SORT = "def f(xs): xs.sort()";
const sorting = check("f", SORT, [
  ...["xs = [3, 1]", "assert candidate(xs) is None", "ys = [2, 1]", "candidate(ys)"],
  ...["assert xs == [1, 3]", "assert ys == [1, 2]"],
]);
const POP = "def f(xs): return xs.pop()";
const popping = check("f", POP, ["xs = [1, 2]", "assert candidate(xs) == 2", "assert candidate(xs) == 1"]);

const cases: readonly Case[] = [
  {
    name: "calls an object as earlier asserts of its check do",
    problem: counting,
    code: COUNTER,
    expected: ["pass opaque", "pass opaque", "pass opaque"],
  },
  {
    name: "and judges only its own assert of each",
    problem: counting,
    code: COUNTER.replace("self.n += 1", "self.n = max(2, self.n + 1)"),
    expected: ["fail opaque", "fail opaque", "fail opaque"],
  },
  {
    name: "passes a program that changes its argument as a check wants",
    problem: sorting,
    code: SORT,
    expected: ["pass", "pass opaque", "pass opaque"],
  },
  {
    name: "fails one that does not",
    problem: sorting,
    code: "def f(xs): xs = sorted(xs)",
    expected: ["pass", "fail opaque", "fail opaque"],
  },
  {
    name: "calls a program again with what it has changed",
    problem: popping,
    code: POP,
    expected: ["pass", "pass opaque"],
  },
  {
    name: "takes a check of more than a hundred steps as one test",
    problem: manyHits,
    code: COUNTER,
    expected: ["pass opaque"],
  },
  {
    name: "passes a right program",
    problem: add,
    code: "def add(a, b): return a + b",
    expected: ["pass", "pass", "pass"],
  },
  {
    name: "passes a program that has broken the built-ins it does not use",
    problem: add,
    code: "import builtins\nfor name in ('eval', 'len', 'range', 'type'): setattr(builtins, name, None)\ndef add(a, b): return a + b",
    expected: ["pass", "pass", "pass"],
  },
  {
    name: "tells wrong answers from errors",
    problem: add,
    code: "def add(a, b):\n  if a < 0: return 1\n  return a + b + 0",
    expected: ["pass", "fail", "error:TypeError"],
    firstError: "TypeError",
  },
  {
    name: "errs on every test when the program does not compile",
    problem: add,
    code: "def add(a, b) return a",
    expected: ["error:SyntaxError", "error:SyntaxError", "error:SyntaxError"],
    firstError: "SyntaxError",
  },
  {
    name: "errs on every test when loading fails, be it by an assert",
    problem: add,
    code: "assert False",
    expected: ["error:AssertionError", "error:AssertionError", "error:AssertionError"],
    firstError: "AssertionError",
  },
  {
    name: "counts an assert of the program in a call as a wrong answer",
    problem: add,
    code: "def add(a, b):\n  assert a == 1\n  return 3",
    expected: ["pass", "fail", "fail"],
  },
  {
    name: "errs where the entry point is missing",
    problem: add,
    code: "def plus(a, b): return a + b",
    expected: ["error:NameError", "error:NameError", "error:NameError"],
    firstError: "NameError",
  },
  {
    name: "interrupts endless loops and goes on with the next input",
    problem: problem("f", [
      ["0", "0"],
      ["1", "1"],
      ["2", "2"],
    ]),
    code: "def f(x):\n  while x == 1: pass\n  return x",
    expected: ["pass", "timeout", "pass"],
    firstError: "Timeout",
  },
  {
    name: "gives up after three timeouts",
    problem: problem("f", [
      ["0", "0"],
      ["1", "1"],
      ["2", "2"],
      ["3", "3"],
      ["-1", "-1"],
    ]),
    code: "def f(x):\n  while x >= 0: pass\n  return x",
    expected: ["timeout", "timeout", "timeout", "timeout", "timeout"],
    firstError: "Timeout",
  },
  {
    name: "compares answers as Python does",
    problem: problem("f", [
      ["'[1, 2]'", "(1, 2)"],
      ["'True'", "1.0"],
      ["'{1: [2]}'", "{True: [2.0]}"],
      ["'{3, 1}'", "{1, 3}"],
      ["'float(\"nan\")'", "float('nan')"],
      ["'None'", "False"],
      ["'2**70'", "1180591620717411303424"],
      ["'range(3)'", "[0, 1, 2]"],
      ["'collections.Counter(\"aab\")'", "{'a': 2, 'b': 1}"],
      ["'(x for x in [1])'", "[1]"],
    ]),
    code: "import collections\ndef f(x): return eval(x)",
    expected: ["fail", "pass", "pass", "pass", "pass", "fail", "pass", "fail", "pass", "fail"],
  },
  {
    name: "keeps to the tolerance of a test",
    problem: tolerant,
    code: "def f(x): return x / 3",
    expected: ["pass", "fail"],
  },
  {
    name: "judges asserts of every form outside the program",
    problem: problem("f", [
      "assert f(2) is True",
      "assert not f(3)",
      "assert abs(f(0.5) - 0.7) < 0.3",
      "assert set(f([1, 2])) == {1, 2}",
      "assert f(2) == f(4)",
      "assert len(f([1, 2])) == 2 and f(2)",
      "assert f(1) == 1, 'message'",
      "x = [3, 4]\nassert f(x) == [3, 4]",
      "assert all(f([i]) == [i] for i in range(4))",
    ]),
    code: "def f(x):\n  if x == 2 or x == 4: return True\n  if x == 3: return 0\n  return x",
    expected: ["pass", "pass", "pass", "pass", "pass", "pass", "pass", "pass", "pass"],
  },
  {
    name: "splits a HumanEval test into its asserts, loops included",
    problem: humanEval,
    code: "def double(x): return 2 * x if x != 3 else 7",
    expected: ["pass", "fail", "pass", "pass"],
  },
  {
    name: "runs asserts that need the program's own objects beside it, marked",
    problem: problem("Box", ["assert Box(3).value == 3", "assert Box(3).value == 4"]),
    code: "class Box:\n  def __init__(self, value): self.value = value",
    expected: ["pass opaque", "fail opaque"],
  },
  {
    name: "runs entry points that are methods",
    problem: problem("Solution().twice", ["assert Solution().twice(4) == 8", "assert s.twice(1) == 2"], {
      setup: "s = Solution()",
    }),
    code: "class Solution:\n  def twice(self, x): return 2 * x",
    expected: ["pass", "pass"],
  },
  {
    name: "compares what programs print, but for spaces at line ends",
    problem: problem(null, [
      stdio("0", "2 3\n", "5\n"),
      stdio("1", "4 5", "9"),
      stdio("2", "1 1\n", "3"),
      stdio("3", "x", ""),
    ]),
    code: "a, b = map(int, input().split())\nif __name__ == '__main__':\n  print(a + b, ' ')\nexit(0)",
    expected: ["pass", "pass", "fail", "error:ValueError"],
    firstError: "ValueError",
  },
  {
    name: "starts every program of a judge afresh",
    problem: problem(null, [stdio("0", "1", "1"), stdio("1", "2", "1")]),
    code: "import sys, math\nmath.n = getattr(math, 'n', 0) + 1\nprint(math.n)",
    expected: ["pass", "pass"],
  },
  {
    name: "takes the reference's answers where a test has none",
    problem: problem(
      "f",
      [
        ["3", null],
        ["4", null],
      ],
      { references: ["def f(x): return {x: (x, x * 1.5)}"] },
    ),
    code: "def f(x): return {x: (x, 4.5)}",
    expected: ["pass", "fail"],
  },
];

describe.each(sandboxes)("verdicts in %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openShared(sandbox);
  });

  it.each(cases)("$name", async ({ problem: task, code, expected, firstError = null }) => {
    const execution = await executor.execute(task, code);
    const shown = execution.verdicts.map(
      ({ outcome, errorType, opaque }) => `${outcome}${errorType ? `:${errorType}` : ""}${opaque ? " opaque" : ""}`,
    );
    expect(execution.reason).toBeNull();
    expect(shown).toEqual(expected);
    expect(execution.passRatio).toBeCloseTo(expected.filter((o) => o.startsWith("pass")).length / expected.length, 12);
    expect(execution.executable).toBe(firstError === null ? 1 : 0);
    expect(execution.firstError).toBe(firstError);
  });

  // WebAssembly has no threads.
  it.skipIf(sandbox === "wasm")("waits for the threads that a program for stdin answers from", async () => {
    const code = [
      "import threading, time",
      "def main():",
      "    time.sleep(0.05)",
      "    print(int(input()) + 1)",
      "threading.stack_size(2 ** 20)",
      "threading.Thread(target=main).start()",
    ].join("\n");
    const { verdicts } = await executor.execute(problem(null, [stdio("0", "4\n", "5")]), code);
    expect(verdicts[0]!.outcome).toBe("pass");
  });

  it("returns answers and what programs print, and finds the inputs of tests", async () => {
    const answers = await executor.answers({ code: "def f(x): return [x, 10 // x]", entryPoint: "f", setup: "" }, [
      { args: "5" },
      { args: "x=0" },
    ]);
    expect(answers[0]).toMatchObject({
      outcome: "ok",
      value: {
        t: "list",
        v: [
          { t: "int", v: 5n },
          { t: "int", v: 2n },
        ],
      },
    });
    expect(answers[1]).toMatchObject({ outcome: "error", errorType: "ZeroDivisionError" });
    const printed = await executor.answers({ code: "print(input() * 2)", entryPoint: null, setup: "" }, [
      { stdin: "é" },
    ]);
    expect(printed[0]).toMatchObject({ outcome: "ok", value: { t: "str", v: "éé\n" } });
    expect(await executor.inputs(add)).toEqual([{ args: "1, 2" }, { args: "-1, 1" }, { args: "'a', 'b'" }]);
    expect(await executor.inputs(problem(null, [stdio("0", "a", "b")]))).toEqual([{ stdin: "a" }]);
  });

  it("lists the modules that a program can import, and no other", async () => {
    const modules = await executor.modules();
    const names = [...new Set([...modules, "msilib", "nowhere", "canon", "guard", "judge", "split"])].sort();
    const code = "from importlib.util import find_spec\ndef f(names): return [n for n in names if find_spec(n)]";
    const [answer] = await executor.answers(
      { code, entryPoint: "f", setup: "" },
      [{ args: JSON.stringify(names) }],
      60,
    );
    expect(answer).toMatchObject({ outcome: "ok", value: { v: modules.map((v) => ({ t: "str", v })) } });
    expect(modules).toEqual(expect.arrayContaining(["collections", "itertools", "math", "re", "sys"]));
  });

  it("gives no label where nothing can be judged, and says why", async () => {
    const none = await executor.execute(problem("f", []), "def f(): pass");
    expect(none).toMatchObject({
      status: "no_label",
      passRatio: null,
      executable: null,
      reason: expect.stringContaining("no test cases"),
    });
    const open_ = await executor.execute(problem("f", [["1", null]]), "def f(x): pass");
    expect(open_).toMatchObject({ status: "no_label", reason: expect.stringContaining("no reference") });
    const broken = await executor.execute(problem("f", ["assert f(1 == 2"]), "def f(x): pass");
    expect(broken).toMatchObject({ status: "no_label", reason: expect.stringContaining("SyntaxError") });
  });
});
