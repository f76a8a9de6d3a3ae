/**
 * Infinite loops are detected (endless.py) long before a test's time limit, which is half a minute here. Loops that end after a
 * while, and only look infinite, are left to run.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import type { Verdict } from "../../src/types.ts";
import { bwrapWorks, open, problem } from "./open.ts";
import { eachProgram, python } from "./python.ts";

const endless: readonly (readonly [string, string])[] = [
  ["a value that stays as it is", "def f(n):\n    while n != 0:\n        n = n // 10\n    return n"],
  ["in one line", "def f(n):\n    while n: n //= 10\n    return n"],
  ["without a condition", "def f(n):\n    while True:\n        if n > 0:\n            return n\n        n = n // 2"],
  ["nothing but pass", "def f(n):\n    while n < 0:\n        pass"],
  [
    "counted",
    "def f(n):\n    even = odd = 0\n    while n != 0:\n        if n % 2 == 0:\n            even += 1\n        else:\n            odd += 1\n        n = n // 10\n    return even, odd",
  ],
  [
    "written down",
    "def f(n):\n    found = []\n    while n:\n        found.append(n)\n        n = n // 10\n    return found",
  ],
  [
    "counted, and the count returned",
    "def f(n):\n    count = 0\n    while n:\n        if n > 0:\n            return count + 1\n        count += 1\n        n = n // 10\n    return count",
  ],
  [
    "written down in other words",
    "def f(n):\n    found = []\n    while n < 1:\n        found.append(n % 10)\n        n = n // 1\n    return found",
  ],
  [
    "a text that gets longer at its end",
    "def f(n):\n    text = ''\n    while n < 1:\n        text += str(n % 3) + ','\n        n //= 1\n    return text",
  ],
  [
    "a text that gets longer at its front",
    "def f(n):\n    text = ''\n    while n < 1:\n        text = str(n % 3) + ',' + text\n        n //= 1\n    return text",
  ],
  [
    "a sum of what stays as it is",
    "def f(n):\n    total = 0\n    while n < 1:\n        total = total + n * 2\n    return total",
  ],
  ["round and round", "def f(n):\n    x = [0, 1, 1]\n    while n < 0:\n        x = x[1:] + x[:1]\n    return x"],
  [
    "after another loop, a list changed in place",
    "def f(n):\n    xs, swaps = [1, 2, 3, 1, 2], 0\n    while True:\n        for i in range(len(xs) - 1):\n            if xs[i] != xs[i + 1]:\n                xs[i], xs[i + 1] = xs[i + 1], xs[i]\n                swaps += 1\n                break\n        if xs[0] == n:\n            break\n        else:\n            xs[0], xs[-1] = xs[-1], xs[0]\n    return swaps",
  ],
  [
    "of text",
    "def f(n):\n    text = fixed = 'a  b'\n    while text.count('  ') != 0:\n        fixed = fixed.replace('  ', '-')\n    return fixed",
  ],
  [
    "in a loop in a loop",
    "def f(n):\n    for i in range(3):\n        while i < 2:\n            while n < 0:\n                n = -n * -1\n            i += 1\n    return n",
  ],
  [
    "of a function that it calls",
    "def digits(n):\n    count = 0\n    while n:\n        n //= 10\n        count += 1\n    return count\ndef f(n):\n    return max(digits(i) for i in [1, 2, n])",
  ],
  [
    "of a function within, called for ever",
    "def g(x):\n    while x > 0:\n        x -= 1\n    return x\ndef f(n):\n    while n < 0:\n        g(1000)\n    return n",
  ],
];

/** Each with its result for -7. */
const ending: readonly (readonly [string, string, string])[] = [
  [
    "a small loop, entered again and again",
    "def f(n):\n    for _ in [0] * 300000:\n        i = 0\n        while i < 2:\n            i += 1\n    return i",
    "2",
  ],
  [
    "the same within a loop without end",
    "def f(n):\n    total = 0\n    while True:\n        i = 0\n        while i < 2:\n            i += 1\n        total += 1\n        if total == 200000:\n            return total",
    "200000",
  ],
  [
    "a long loop within",
    "def f(n):\n    done = False\n    while not done:\n        for x in [1] * 2000000:\n            y = 1\n        done = True\n    return y",
    "1",
  ],
  [
    "a long comprehension within",
    "def f(n):\n    done = False\n    while not done:\n        k = sum([1 for _ in [0] * 2000000])\n        if k: done = bool([1 for _ in [0] * 2000000])\n    return k",
    "2000000",
  ],
  [
    "a counter that is read",
    "def f(n):\n    i = 0\n    while i * 0 == 0:\n        i += 1\n        if i == 2000000: break\n    return i",
    "2000000",
  ],
  [
    "a list that is read",
    "def f(n):\n    xs = []\n    while len(xs) < 2000000:\n        xs.append(n)\n    return len(xs)",
    "2000000",
  ],
  [
    "a list that is read by another name",
    "def f(n):\n    xs = []\n    ys = xs\n    while len(ys) < 2000000:\n        xs.append(n)\n    return len(xs)",
    "2000000",
  ],
  [
    "a text that is read",
    "def f(n):\n    text = ''\n    while len(text) < 100000:\n        text = 'a' + text\n    return len(text)",
    "100000",
  ],
  [
    "a text that is read by another name",
    "def f(n):\n    text = last = ''\n    while len(last) < 100000:\n        text += 'a'\n        last = text\n    return len(text)",
    "100000",
  ],
  [
    "a text added to itself",
    "def f(n):\n    text, i = 'a', 0\n    while i < 1:\n        text = text + text\n        i = 0 if len(text) < 100000000 else 1\n    return len(text)",
    "134217728",
  ],
  [
    "a sum that is read",
    "def f(n):\n    total = 0\n    while True:\n        total = total + 2\n        if total > 3000000: return total",
    "3000002",
  ],
  [
    "a list that is added to, read by another name",
    "def f(n):\n    xs = ys = []\n    while len(ys) < 1000000:\n        xs += [n]\n    return len(xs)",
    "1000000",
  ],
  [
    "an iterator's own place",
    "def f(n):\n    it = iter([1] * 1000000 + [2])\n    while next(it) == 1:\n        pass\n    return 1",
    "1",
  ],
  [
    "a variable of a function around",
    "def f(n):\n    c = 0\n    def step():\n        nonlocal c\n        c += 1\n        return c < 1000000\n    while step():\n        pass\n    return c",
    "1000000",
  ],
  ["a global", "c = 0\ndef f(n):\n    global c\n    while c < 1000000:\n        c += 1\n    return c", "1000000"],
  [
    "a default",
    "def f(n, seen=[]):\n    while seen.append(1) or len(seen) < 1000000:\n        pass\n    return len(seen)",
    "1000000",
  ],
  ["a set", "def f(n):\n    s = set(range(1000000))\n    while s:\n        s.pop()\n    return len(s)", "0"],
  [
    "0.0 and -0.0",
    "def f(n):\n    x, i = 0.0, [0]\n    while str(x) == '0.0' or i[0] < 1000000:\n        x, i[0] = -x, i[0] + 1\n    return i[0] > 9",
    "True",
  ],
  [
    "True and 1",
    "def f(n):\n    i = 0\n    while i < 2000000:\n        i = i + (True if i % 2 else 1)\n    return i",
    "2000000",
  ],
  [
    "an exception that is caught",
    "def f(n):\n    i = 0\n    try:\n        while True:\n            i += 1\n            1 / (1000000 - i)\n    except ZeroDivisionError:\n        return i",
    "1000000",
  ],
  [
    "who is who",
    "def f(n):\n    a, i = [1], 0\n    b = a\n    while a is b or i < 500000:\n        i = i + 1\n        b = [1] if i > 400000 else a\n    return i",
    "500000",
  ],
];

const digits = "def f(n):\n    while n:\n        n = n // 10\n    return n\n";
const watched = [
  digits,
  `import math\nZERO = 0\n"""Text."""\n${digits}`,
  `${digits}def g(x: int, y: "int" = 3) -> list[int]: return sorted(x, key=lambda v: -v)\n`,
];
const unwatched = [
  `seen = []\n${digits}`,
  `global seen\n${digits}`,
  `if True:\n${digits.replace(/^/gm, "    ")}`,
  `for _ in [1]:\n${digits.replace(/^/gm, "    ")}`,
  `f = 3\nprint(f)\n${digits}`,
  `@print\n${digits}`,
  digits.replace("(n)", "(n, seen=[])"),
  digits.replace("(n)", "(n, seen: (kept := []) = 0)"),
  digits.replace("(n):", "(n) -> [kept := []]:"),
  digits.replace("(n)", "(n: print())"),
  digits.replace("return n", "return (yield n)"),
  digits.replace("return n", "return n is 1000"),
  digits.replace("return n", "return f(n)"),
  `${digits}def g(x): return h(x)\ndef h(x): return g(x)\ndef h(x): return x\n`,
  `${digits}def g(x): return x(x)\nh = lambda x: g(g)\n`,
  `${digits}def g(x): return map(lambda y: y, x)\n`,
];

describe.skipIf(!bwrapWorks)("loops", () => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await open("bwrap", { limits: { testCpuS: 30, testFactor: 1, memoryMb: 65_536 } });
  });
  afterAll(() => executor?.close());

  async function verdicts(code: string, expected: string): Promise<[string[], number]> {
    const began = performance.now();
    const tests = [["-7", expected] as const, ["0", "0"] as const];
    const found = (await executor.execute(problem("f", tests), `${code}\n`)).verdicts;
    const outcomes = found.map(({ outcome, errorType }: Verdict) => (errorType ? `${outcome}:${errorType}` : outcome));
    return [outcomes, performance.now() - began];
  }

  it.each(endless)("that never end, %s, are timeouts in no time", async (_, code) => {
    const [[outcome], milliseconds] = await verdicts(code, "0");
    expect(outcome).toBe("timeout");
    expect(milliseconds).toBeLessThan(5000);
  });

  it("are watched in programs without state alone", () => {
    const found = eachProgram<boolean>("bool(tree and may_be_watched(tree, code))", [...watched, ...unwatched]);
    expect(found).toEqual([...watched.map(() => true), ...unwatched.map(() => false)]);
  });

  it("are compared at lines on which one statement begins and nothing else goes on", () => {
    const code = `def f(n):
    while n:
        a = 1; b = [0 for _ in range(n)]
        c = (g(n) +
             n); d = 2
        n = n - 1`;
    expect(eachProgram("[sorted(l.places) for ls in loops_of(tree).values() for l in ls]", [code])).toEqual([[[2, 6]]]);
  });

  it("are looked at for no longer than a few thousand values take", () => {
    const script = `
import endless
from shareable import shareable
watch, code, seen = endless.Watch(), given, []
assert watch.takes(shareable(code), code, [9.0])
count = endless._state
def counted(variables, grown, most):
    values, left = count(variables, grown, most)
    seen.append(most - left)
    return values, left
endless._state = counted
space = {}
exec(code, space)
watch.begin(space)
space["f"](390)
watch.end()
print(json.dumps(sum(seen)))`;
    const code = `def f(n):
    xs = list(range(n))
    i = 0
    while i < 30000:
        i = i + 1
        y = sum(xs)
        xs[0] = i
    return y`;
    const values = python<number>(script, code);
    expect(values).toBeGreaterThan(390);
    expect(values).toBeLessThan(3 * 2400);
  });

  it("are not watched where a program runs alone and its time is brief", () => {
    const script = `
from endless import Watch
from run import Run
from shareable import shareable
def watched(alone, seconds):
    job = {"id": 1, "code": given, "budgets": [seconds], "provisional": False, "final": True, "alone": alone}
    limits = {"maxTimeouts": 3, "candidateCpuS": 30.0}
    run = Run({"key": "", "mode": "call", "inputs": ["3"]}, {**job, "from": {"input": 0, "timeouts": 0}, "limits": limits}, False)
    return Watch().takes(shareable(given), given, run.program(0)[4])
print(json.dumps([watched(False, 0.1), watched(True, 0.1), watched(True, 1.0)]))`;
    expect(python(script, digits)).toEqual([true, false, true]);
  });

  it("that never end take as much of a program's time as they would", async () => {
    const limits = { testCpuS: 0.05, candidateCpuS: 1, maxTimeouts: 9 };
    const brief = await open("bwrap", { limits });
    const task = problem("f", [
      ["-1", "0"],
      ["-2", "0"],
      ["10", "0"],
    ]); // each with .75 CPU seconds
    const { verdicts } = await brief.execute(task, digits);
    await brief.close();
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(["timeout", "timeout", "timeout"]);
  });

  it.each([
    ["small numbers", "def f(n):\n    xs = []\n    while n:\n        xs.append(n)\n    return 0", 96],
    [
      "large objects",
      "def f(n):\n    xs = []\n    while n:\n        y = bytes(4000)\n        xs.append(y)\n    return 0",
      300,
    ],
    ["a text", "def f(n):\n    text = ''\n    while n:\n        text += 'a' * 1000000\n    return 0", 96],
  ])("that fill the memory with %s do so", async (_, code, memoryMb) => {
    const small = await open("bwrap", { limits: { testCpuS: 3, memoryMb } });
    const { verdicts } = await small.execute(
      problem("f", [
        ["-1", "0"],
        ["0", "0"],
      ]),
      code,
    );
    await small.close();
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(["memory", "pass"]);
  });

  it.each(ending)("that end, %s, are let be", async (_, code, expected) => {
    const [[outcome]] = await verdicts(code, expected);
    expect(outcome).toBe("pass");
  });
});
