/** Which programs may share a process (shareable.py). */
import { describe, expect, it } from "vitest";
import { bwrapWorks } from "./open.ts";
import { eachProgram, python } from "./python.ts";

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

const shareableOnStdin = [
  "n = int(input())\nprint(*sorted(map(int, input().split()))[:n], sep=', ')",
  "import sys\ndef main():\n    for line in sys.stdin:\n        sys.stdout.write(line)\nmain()",
  "import sys\ninput = sys.stdin.readline\nif input() == '':\n    sys.exit()\nprint(sys.stdin.read(), flush=True)",
  "from sys import stdin, exit as leave\nprint(stdin.readlines(), file=None)",
];

const unshareableOnStdin = [
  "import sys\nsys.modules",
  "import sys\nsys.setrecursionlimit(10)",
  "import sys\nsys.stdin = []",
  "import sys\nsys.stdin.buffer.read()",
  "import sys\nsys.stdin.close()",
  "import sys\nsys.stdout.detach()",
  "import sys\nsys.stdout.reconfigure(encoding='ascii')",
  "import sys\nsys.__stdout__.write('')",
  "import sys\nsys._getframe()",
  "from sys import modules",
  "from sys import *",
  "import os, sys",
  "open(0).read()",
  "class A: pass\nprint(input())",
];

describe.skipIf(!bwrapWorks)("a shareable program", () => {
  it("is one that uses nothing but what is listed", () => {
    expect(eachProgram<boolean>("shareable(code) is not None", shareable)).toEqual(shareable.map(() => true));
  });

  it("is not one that could reach anything beyond its own values", () => {
    const found = eachProgram<boolean>("shareable(code) is not None", unshareable);
    expect(unshareable.filter((_, i) => found[i])).toEqual([]);
  });

  it("may use its streams on stdin, and nothing else", () => {
    const found = (programs: readonly string[]) =>
      python<boolean[]>(
        "from shareable import shareable_on_stdin\nprint(json.dumps([shareable_on_stdin(code) is not None for code in given]))",
        programs,
      );
    expect(found([...shareable, ...shareableOnStdin])).toEqual([...shareable, ...shareableOnStdin].map(() => true));
    const refused = [
      ...unshareable.filter((code) => code !== "input()" && code !== "import sys, math"),
      ...unshareableOnStdin,
    ];
    const wrong = found(refused);
    expect(refused.filter((_, i) => wrong[i])).toEqual([]);
  });

  it("reaches only the listed attributes of the interpreter and its streams", () => {
    const reached = python<string[][]>(`from shareable import ATTRIBUTES, STREAMS, STREAM_METHODS
allowed = ATTRIBUTES | STREAMS | STREAM_METHODS
print(json.dumps([sorted(allowed & set(dir(of))) for of in (sys, sys.stdin)]))`);
    expect(reached).toEqual([
      ["exit", "maxsize", "stdin", "stdout"],
      ["flush", "mode", "read", "readline", "readlines", "write"], // `mode` is a text here
    ]);
  });
});
