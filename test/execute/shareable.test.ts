/** Which programs may share a process (shareable.py), and which functions' answers may be remembered (memoize.py). */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/execute/index.ts";
import { bwrapWorks, open, problem } from "./open.ts";

/** What a Python expression over `code` is, for every program, in the modules of execute/. */
function ask<T>(expression: string, programs: readonly string[]): T[] {
  const script = `
import json, sys
sys.path.insert(0, sys.argv[1])
from shareable import shareable
from memoize import recursions
print(json.dumps([${expression} for code in json.load(sys.stdin)]))`;
  const folder = join(import.meta.dirname, "../../src/execute/python");
  const options = { input: JSON.stringify(programs), encoding: "utf8" } as const;
  return JSON.parse(execFileSync("python3", ["-I", "-c", script, folder], options)) as T[];
}

const shareable = [
  "def f(x):\n    return x + 1",
  "from typing import List\nimport math, re\ndef f(x: List[int]):\n    return math.gcd(*x) + len(re.sub('a', 'b', 'c'))",
  "from collections import Counter, deque as d\ndef f(x):\n    return Counter(x).most_common(1)[0][0]",
  "import itertools as it\nf = lambda x: [*it.chain(x, x)]",
  "def f(x):\n    try:\n        return x[0]\n    except IndexError as error:\n        return error.args",
  "def f(x):\n    return type(x) == int and isinstance(x, int)",
  "if __name__ == '__main__':\n    print(f'{1:>3}')",
  "def f(x):\n    def g():\n        nonlocal x\n        x += 1\n    g()\n    yield x",
];

const unshareable = [
  "import os",
  "import sys, math",
  "from math import sin as __import__",
  "import math as __builtins__",
  "from collections import namedtuple",
  "from typing import *",
  "from functools import *",
  "from . import math",
  "import collections.abc",
  "import math\nmath.pi = 3",
  "import math\ndel math.pi",
  "import math\nfor math.pi in [1]: pass",
  "import math\n[0 for math.pi in [1]]",
  "import math\nwith f() as math.pi: pass",
  "(x.y, z) = 1, 2",
  "class A: pass",
  "async def f(): pass",
  "f().__class__",
  "(lambda: 0).__globals__",
  "[].append.__self__",
  "def f(g): return g.gi_frame.f_back",
  "'{0.__class__}'.format_map({})",
  "import re\nre.enum.sys",
  "import string\nstring.Formatter().get_field('0.x', [1], {})",
  "import operator\noperator.attrgetter('__class__')(1)",
  "getattr(1, 'x')",
  "x = getattr",
  "eval('1')",
  "exec('1')",
  "open('/etc/passwd')",
  "globals()",
  "vars()",
  "__builtins__",
  "__import__('os')",
  "type('A', (), {})",
  "type(*x)",
  "t = type\nt('A', (), {})",
  "compile('1', '', 'eval')",
  "def open(x): pass",
  "def f(eval): pass",
  "f = lambda __class__: 0",
  "try:\n    pass\nexcept ValueError as exec:\n    pass",
  "raise SystemExit",
  "id(1)",
  "hash('a')",
  "input()",
  "match x:\n    case int(real=y): pass",
  "def f(:",
  `x = 1 # ${"long ".repeat(10_000)}`,
];

describe.skipIf(!bwrapWorks)("a shareable program", () => {
  it("is one that uses nothing but what is listed", () => {
    expect(ask<boolean>("shareable(code) is not None", shareable)).toEqual(shareable.map(() => true));
  });

  it("is not one that could reach anything beyond its own values", () => {
    const found = ask<boolean>("shareable(code) is not None", unshareable);
    expect(unshareable.filter((_, i) => found[i])).toEqual([]);
  });
});

const fib = "def f(n):\n    if n < 2:\n        return n\n    return f(n - 1) + f(n - 2)\n";
const notPure = [
  "def f(n):\n    return n if n < 2 else f(n - 1)\n", // called in one place
  `seen = []\n${fib.replace("return n\n", "seen + [n]; return n\n")}`, // reads what it does not own
  `${fib}f = abs\n`,
  `${fib}max = min\n`.replace("return n\n", "return max(n, 0)\n"),
  fib.replace("def f(n)", "def f(n, seen=[])"),
  fib.replace("return n\n", "global g; g = n; return n\n"),
  fib.replace("return n\n", "print(n); return n\n"),
  fib.replace("return n\n", "return n.real\n"),
  `import functools\n@functools.lru_cache\n${fib}`,
  "def f(n):\n    try:\n        return f(n - 1) + f(n - 2)\n    except RecursionError:\n        return 1\n",
  "def f(n):\n    n[0] = 1\n    return f(n[1:]) + f(n[2:])\n",
];

describe.skipIf(!bwrapWorks)("remembering the answers of a function", () => {
  let executor: Executor;
  let isolated: Executor;
  beforeAll(async () => {
    [executor, isolated] = await Promise.all([open("bwrap"), open("bwrap", { isolate: true })]);
  });
  afterAll(() => Promise.all([executor.close(), isolated.close()]));

  it("is for those that depend on their arguments alone and call themselves twice", () => {
    const recursions = "recursions(shareable(code)) if shareable(code) else []";
    expect(ask<string[]>(recursions, [fib])).toEqual([["f"]]);
    expect(ask<string[]>(recursions, notPure)).toEqual(notPure.map(() => []));
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

  it("leaves large values alone, since calls on them take longer", async () => {
    const grow = "def f(n):\n    if n == 0:\n        return 3\n    return f(n - 1) * f(n - 1)\n";
    const task = problem("f", ["assert f(3) == 3 ** 8", "assert f(9) == 3 ** 512"], { references: [grow] });
    const [a, b] = await Promise.all([executor.execute(task, grow), isolated.execute(task, grow)]);
    expect(a.verdicts).toEqual(b.verdicts);
    expect(a.passRatio).toBe(1);
  });
});
