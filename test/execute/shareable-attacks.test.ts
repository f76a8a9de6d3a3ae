/** Programs that try to reach the next one in a shared process (shareable.py), or to detect that their calls are cached (memoize.py). */
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import type { Problem } from "../../src/types.ts";
import { every } from "../every.ts";
import { byPython, openShared, problem } from "./open.ts";

/** What each does, its programs in the order in which they share a process, and the outcome of the last one alone if it does not pass. */
const shared: readonly (readonly [string, Problem, readonly string[], "fail"?])[] = [
  [
    "patches a module by a class made of type(int)",
    problem("f", [["4", "2"]]),
    [
      `import copy, math
X = type(int)("X", (), {"__reduce_ex__": lambda self, *a: (lambda: math, (), {"sqrt": lambda x: 42})})
copy.copy(X())
def f(x): return 2`,
      "import math\ndef f(x): return int(math.sqrt(x))",
    ],
  ],
  [
    "poisons the cache of re",
    problem("f", [["'abc'", "1"]]),
    [
      `import re
kind = type(int)
place = int(str(str.maketrans).split("0x")[1].strip(">"), 16)
M = kind("M", (kind,), {"__eq__": lambda a, b: True, "__hash__": lambda s: (place >> 4) | ((place & 15) << 60)})
S = M("S", (str,), {"__getitem__": lambda s, i: "xyz"[i]})
re.compile(S("abc"))
def f(x): return 1`,
      "import re\ndef f(x): return 1 if re.match('abc', x) else 0",
    ],
  ],
  [
    "reads what others answered with str.format",
    problem("f", [["1", "7654321"]]),
    [
      "def f(x): return 7654321",
      `def peek(path):
    def g():
        yield path.format(me[0])
    me[:] = []
    h = g()
    me.append(h)
    return next(h)
me = []
def f(x):
    for n in range(1, 12):
        for c in range(8):
            cell = "{0.gi_frame" + ".f_back" * n + ".f_locals[emit].__closure__[%d].cell_contents" % c
            text = ""
            try:
                for i in range(400):
                    text += peek(cell + "[%d]}" % (8 + i))[2:-1]
            except Exception:
                continue
            for word in text.replace("\\\\n", " ").split():
                if word.isdigit() and len(word) == 7:
                    return int(word)
    return 0`,
    ],
    "fail",
  ],
  [
    "keeps its memory in the cache of typing",
    problem("f", [["1", "1"]]),
    [
      `from typing import List
table = bytearray(600000000)
def h(a=table): return 0
List[h]
def f(x): return 1`,
      "def f(x): return 1",
      `def f(x):
    try:
        b = bytearray(500000000)
    except MemoryError:
        return 0
    return 1`,
    ],
  ],
  [
    "leaves its memory behind",
    problem("f", [["1", "1"]]),
    [
      "table = bytearray(700000000)\ndef f(x): return 1",
      "def f(x):\n    try:\n        b = bytearray(500000000)\n    except MemoryError:\n        return 0\n    return 1",
    ],
  ],
  [
    "leaves a generator whose `finally` runs late",
    problem("f", [["1", "1"]], { references: ["def f(x): return 1"] }),
    [
      `def gen():
    try:
        yield 1
    finally:
        for i in range(20000000):
            pass
g = gen()
next(g)
def f(x): return 1`,
      "def f(x):\n    a = [[i] for i in range(200000)]\n    return len(a) - 199999",
    ],
  ],
  [
    "orders a union that typing remembers",
    problem("f", [["1", "True"]]),
    [
      "from typing import List, Union\nx = List[Union[int, str]]\ndef f(x): return ''",
      "from typing import List, Union\ndef f(x):\n    text = str(List[Union[str, int]])\n    return text.index('str') < text.index('int')",
    ],
  ],
  [
    "nests deeper than a tree may",
    problem("f", [["' a '", "'a'"]]),
    ["def f(s): return s", `def f(s):\n    return s${".strip()".repeat(700)}`],
  ],
];

const fib = "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\n";
/** What each does, an argument, and the program, which answers 0 if every call is made. */
const remembered: readonly [string, string, string][] = [
  ["counts its calls", "3", `n = 0\n${fib}def f(x):\n    global n\n    n += 1\n    fib(x)\n    return n - 1`],
  ["grows a global list", "3", `seen = []\n${fib}def f(x):\n    seen.append(fib(x))\n    return len(seen) - 1`],
  ["grows a default", "3", `${fib}def f(x, seen=[]):\n    seen.append(fib(x))\n    return len(seen) - 1`],
  [
    "counts with an iterator",
    "3",
    `import itertools\n${fib}ids = itertools.count()\ndef f(x):\n    fib(x)\n    return next(ids)`,
  ],
  [
    "catches what remembering raises",
    "3",
    `${fib}def big(n):
    if n == 0:
        return 2 ** 70
    return big(n - 1) + big(n - 1)
def f(x):
    fib(22)
    try:
        big(x)
        return 0
    except:
        return -1`,
  ],
  [
    "calls by keyword",
    "3",
    `${fib}def f(x):\n    fib(22)\n    try:\n        return fib(n=0)\n    except TypeError:\n        return -1`,
  ],
  ["looks at the function", "3", `${fib}def f(x):\n    fib(22)\n    return 1 if "call" in str(fib) else 0`],
  [
    "hides a global behind the name of a comprehension",
    "25",
    `x = 0
def g(n):
    if n < 2:
        return n
    if n > 24:
        return x + g(n - 1) + g(n - 2) + sum([x for x in range(0)])
    return g(n - 1) + g(n - 2)
def f(n):
    global x
    x = 1
    a = g(n)
    x = 2
    b = g(n)
    x = 1
    return b - a - 1`,
  ],
  [
    "counts by a decorator within `if`",
    "3",
    `${fib}def counted(g):
    seen = []
    def h(x):
        seen.append(fib(x))
        return len(seen) - 1
    return h
if True:
    @counted
    def f(x): return 0`,
  ],
  [
    "keeps a list that an annotation made",
    "3",
    `${fib}def f(x: (seen := [])):\n    seen.append(fib(x))\n    return len(seen) - 1`,
  ],
  ["asks whether two answers are one", "20", `${fib}def f(x): return int(fib(x) is fib(x))`],
  [
    "is a name for something else by then",
    "3",
    `${fib}def f(x):\n    global fib\n    fib = abs\n    return fib(-3) - 3`,
  ],
  [
    "tells -0.0 from 0.0",
    "3",
    `${fib}def s(x):
    if x > 1:
        return s(x - 1) + s(x - 2)
    return str(x)
def f(n):
    fib(22)
    s(0.0)
    return 0 if s(-0.0) == "-0.0" else 1`,
  ],
  [
    "gets near the limit of recursion",
    "700",
    `${fib}def deep(n):
    if n <= 0:
        return 0
    if n % 100 == 0:
        return deep(n - 1) + deep(-1)
    return 1 + deep(n - 1)
def f(n):
    fib(22)
    try:
        deep(n)
        return 0
    except RecursionError:
        return -1`,
  ],
];

/** Likewise, but the program takes far too long, or recurses too deeply, if every call is made. */
const spent: readonly [string, string, string, string][] = [
  [
    "costs most in the few large calls",
    "28",
    "timeout",
    "def g(n):\n    if n < 2:\n        return 0\n    if n > 19:\n        s = sum(range(300000))\n    return g(n - 1) + g(n - 2)\ndef f(n):\n    return g(n)",
  ],
  [
    "has a dear function beside a cheap one",
    "24",
    "timeout",
    `${fib}def slow(n):\n    if n < 2:\n        return 0\n    s = sum(range(3000))\n    return slow(n - 1) + slow(n - 2)\ndef f(n):\n    fib(20)\n    return slow(n)`,
  ],
  [
    "comes too deep where nothing is remembered",
    "1500",
    "error",
    `${fib}def h(n):\n    if n == 0:\n        return 0\n    if n % 2 == 0:\n        return h(n - 1) + 1\n    return h(n - 1)\ndef f(n):\n    fib(22)\n    for i in range(0, n, 100):\n        h(i)\n    return 0`,
  ],
];

describe.each(byPython)("beside others in %s, a program that", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await openShared(sandbox);
  });

  // WebAssembly starts slowly: a sixth of them there. CODESCORE_EVERY=1 uses all.
  const step = sandbox === "wasm" ? every(6) : 1;
  const some = <T>(programs: readonly T[]): T[] => programs.filter((_, i) => i % step === 0);
  const known = some(shared).map(([name, task, programs, outcome = "pass"]) => ({ name, task, programs, outcome }));
  it.each(known)("$name changes no verdict", async ({ task, programs, outcome }) => {
    // While the first sleeps, the others queue up and so share a process. Those at the end make the pool send many at once.
    const filler = "def f(*a): return 0";
    const wait = `import time\ntime.sleep(0.3)\n${filler}`;
    await executor.execute(task, filler);
    const crowd = [wait, filler, filler, ...programs, ...Array<string>(40).fill(filler)];
    const together = await Promise.all(crowd.map((code) => executor.execute(task, code)));
    expect(together[2 + programs.length]?.verdicts).toEqual([{ testId: "0", outcome }]);
  });

  // Python 3.14, which WebAssembly has, does not allow a named expression in an annotation.
  const allowed = remembered.filter(([name]) => sandbox !== "wasm" || !name.includes("annotation"));
  it.each(some(allowed))("%s answers as if every call were made", async (_, args, code) => {
    const task = problem("f", [[args, "0"]], { references: ["def f(n): return 0"] });
    expect((await executor.execute(task, code)).verdicts).toEqual([{ testId: "0", outcome: "pass" }]);
  });

  it.each(some(spent))("%s is charged for every call", async (_, args, outcome, code) => {
    const task = problem("f", [[args, "0"]], { references: ["def f(n): return 0"] });
    expect((await executor.execute(task, code)).verdicts[0]?.outcome).toBe(outcome);
  });

  it("is quick is not charged for the time that others took to load", async () => {
    const task = problem("f", [["1", "1"]], { references: ["def f(x): return 1"] });
    const long = `def f(x): return 1\nA = 1\n${`0 if A else [${"A,".repeat(25)}]\n`.repeat(600)}`;
    const turns = sandbox === "wasm" ? 200_000 : 900_000; // a large part of a test's time
    const quick = `def f(x):\n    s = 0\n    for i in range(${turns}):\n        s += i\n    return 1`;
    const wait = "import time\ntime.sleep(0.3)\ndef f(x): return 0";
    const crowd = [wait, ...Array<string>(14).fill(long), quick, ...Array<string>(50).fill("def f(x): return 1")];
    const done = await Promise.all(crowd.map((code) => executor.execute(task, code)));
    expect(done[15]?.passRatio).toBe(1);
  });
});
