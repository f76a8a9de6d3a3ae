/**
 * Wrong programs that try to choose how a test judges them: with answers or exceptions of their own classes, with
 * answers that mislead the test, or with answers that exceed the judge's limits.
 */
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { openShared, problem, sandboxes } from "./open.ts";

const LIAR = `class A:
  def __init__(self, *a): pass
  def __sub__(self, o): return 0
  __rsub__ = __add__ = __radd__ = __abs__ = __sub__
  def _yes(self, *a): return True
  __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = _yes
  def __hash__(self): return 0
  def __float__(self): return 3.0
  def __len__(self): return 2
  def __getitem__(self, i): return 1
  def __iter__(self): return iter([1, 2])
  __class__ = int
`;
const INT = `class I(int):
  def __eq__(self, o): return True
  def __ne__(self, o): return False
  def __lt__(self, o): return True
  def __hash__(self): return hash(9)
`;
const right = {
  half: "def f(x): return x - int(x)",
  next: "def f(x): return x + 1",
  sorted: "def f(x): return sorted(x)",
};

type Cheat = readonly [name: string, reference: string, test: string, program: string, outcome?: RegExp];

/** Name, reference, test, wrong program, and the outcome if it is not \`fail\`. */
const cheats: readonly Cheat[] = [
  ["subtracts to 0", right.half, "assert abs(f(3.5) - 0.5) < 1e-6", `${LIAR}def f(x): return A()`],
  ["is near everything", right.next, "import math\nassert math.isclose(f(2), 3)", `${LIAR}def f(x): return A()`],
  ["lies of its class", right.next, "assert isinstance(f(8), int) and f(8) == 9", `${LIAR}def f(x): return A()`],
  ["is an int that equals all", right.next, "assert isinstance(f(8), int) and f(8) == 9", `${INT}def f(x): return I(1)`],
  ["sorts as it likes", right.sorted, "assert sorted(f([2, 1])) == [1, 2]", `${INT}def f(x): return [I(5), I(7)]`],
  ["has two methods", right.sorted, "assert len(f([2, 1])) == 2 and f([2, 1])[0] == 1", `${LIAR}def f(x): return A()`],
  ["is in everything", right.next, "assert f(1) in (2, 3)", `${LIAR}def f(x): return A()`],
  ["is a key", right.next, "assert {2: 'x'}[f(1)] == 'x'", `${LIAR}def f(x): return A()`, /^(fail|error:KeyError)/],
  ["is a key that none is like", right.next, "assert {2: 'x'}[f(1)] == 'x'", "class A: pass\ndef f(x): return A()", /^error:KeyError$/],
  ["formats itself", right.next, "assert str(f(1)) == '2'", `${LIAR}  def __str__(self): return '2'\ndef f(x): return A()`],
  ["spoils the test that expects an exception", "def f(x): raise ValueError(x)", "try:\n  f(1)\n  assert False\nexcept ValueError: pass", `${LIAR}def f(x): return A()`],
  ["raises a class of its own", "def f(x): raise ValueError(x)", "try:\n  f(1)\n  assert False\nexcept ValueError: pass", "class E(Exception): pass\ndef f(x): raise E()", /^error:E$/],
  ["leads the test past its assert", right.next, "if f(1) != None:\n  assert f(2) == 3 and f(1) == 2", `${LIAR}def f(x): return A() if x == 1 else 0`],
  ["makes text of the judge's memory", right.next, "assert len('a' * f(3)) == 4", "def f(x): return 1 << 40", /^(memory|error:(OverflowError|MemoryError))/],
  ["makes a list of the judge's memory", right.next, "assert sum([0] * f(3)) == 0 and f(3) == 4", "def f(x): return 1 << 31", /^(memory|error:OverflowError)/],
  ["makes the judge count", right.next, "assert sum(range(f(3))) == 6", "def f(x): return 1 << 60", /^timeout/],
  ["makes the judge loop", right.next, "assert len([i for i in range(f(3)) if i < 0]) == 0 and f(3) == 4", "def f(x): return 1 << 60", /^timeout/],
  ["forges a Fraction", right.next, "assert f(3) > 0 and f(3) == 4", "class F: pass\nF.__name__, F.__module__ = 'Fraction', 'fractions'\ndef f(x):\n  o = F()\n  o.x = '1e999999999'\n  return o"],
]; // biome-ignore format: one attack a line

describe.each(sandboxes)("how a test judges, in %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openShared(sandbox);
  });

  // In WebAssembly one cheat that makes the judge wait is enough, because each costs the start of an interpreter.
  const fitting = cheats.filter(([name]) => sandbox !== "wasm" || name !== "makes the judge loop");
  it.each(fitting.map(([name, ...rest]) => ({ name, rest })))(
    "a wrong answer that $name",
    { timeout: 120_000 },
    async ({ rest: [reference, test, program, outcome = /^fail/] }) => {
      const task = problem("f", [test], { references: [reference] });
      const { verdicts } = await executor.execute(task, program);
      expect(verdicts).toHaveLength(1);
      for (const verdict of verdicts) {
        const shown = `${verdict.outcome}${verdict.errorType ? `:${verdict.errorType}` : ""}`;
        expect(shown, JSON.stringify(verdict)).toMatch(outcome);
        expect(verdict.opaque).toBeUndefined();
      }
      const still = await executor.execute(task, reference);
      expect(still.verdicts).toMatchObject([{ outcome: "pass" }]);
    },
  );

  it.each([
    [
      "an exception that extends the expected one",
      "def f(x): raise ValueError(x)",
      "try:\n  f(1)\n  assert False\nexcept ValueError as e: assert str(e) == 'no'",
      "class E(ValueError): pass\ndef f(x): raise E('no')",
      "pass",
    ],
    [
      "an exception that is not made of a message alone",
      "def f(x): return b'\\xff'.decode()",
      "try:\n  f(1)\n  assert False\nexcept UnicodeDecodeError as e: assert 'invalid start byte' in str(e)",
      "def f(x): return b'\\xff'.decode()",
      "pass",
    ],
    [
      "an exception that is not made of a message alone, where another one is expected",
      "def f(x): raise TypeError(x)",
      "try:\n  f(1)\n  ok = False\nexcept TypeError: ok = True\nassert ok",
      "def f(x): return b'\\xff'.decode()",
      "error",
    ],
    [
      "an object, where a test needs no more than that there is one",
      right.next,
      "assert f(3)",
      "import re\ndef f(x): return re.match('a', 'a')",
      "pass",
    ],
    [
      "calls that hang on the answers, as the reference's do",
      "def f(x): return x > 2",
      "assert any(f(i) for i in range(5)) and not f(1)",
      "def f(x): return x == 4",
      "pass",
    ],
  ])("judges %s", async (_name, reference, test, program, outcome) => {
    const { verdicts } = await executor.execute(problem("f", [test], { references: [reference] }), program);
    expect(verdicts, JSON.stringify(verdicts)).toMatchObject([{ outcome }]);
  });

  it.each([
    ["the reference's answer is no plain value", "def f(x): return iter([x])", "assert list(f(3)) == [3]"],
    ["the reference's answers lead to other calls", "def f(x): return x > 2", "assert any(f(i) for i in range(5))"],
    ["the answer is called", "def f(x): return lambda y: x + y", "assert f(3)(4) == 7"],
  ])("knows before a candidate runs that a test is opaque: %s", async (_name, reference, test) => {
    const task = problem("f", [test], { references: [reference] });
    for (const program of [reference, "def f(x): return 0"]) {
      expect((await executor.execute(task, program)).verdicts).toMatchObject([{ opaque: true }]);
    }
    expect((await executor.execute(task, reference)).passRatio).toBe(1);
  });
});
