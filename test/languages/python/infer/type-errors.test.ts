/** Predicted failures of functions, compared with Python: predicted failures happen, and other functions do not fail. */
import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { loadForms, type ReadForms, typeErrorsOf, wantedBy } from "../../../../src/languages/python/index.ts";
import { loadParser, type Parse } from "../../../../src/languages/python/syntax/parse.ts";
import { python } from "../../../util/python.ts";

let [forms, parse]: [ReadForms, Parse] = [] as never;
beforeAll(async () => {
  [forms, parse] = await Promise.all([loadForms(), loadParser()]);
});

/** The most severe failure found; null if none. */
function found(candidate: string, reference: string): string | null {
  const levels = typeErrorsOf(forms(candidate).plain.terms, wantedBy(parse(reference), forms)).map(
    ({ level }) => level,
  );
  return ["always", "loop", "branch"].find((level) => levels.includes(level as never)) ?? null;
}

/** Runs each program of a list in Python: the class of the exception that a call raises; null for none. */
function raised(programs: readonly (readonly [code: string, call: string])[]): (string | null)[] {
  const script = `
import contextlib, json, os, sys
out = []
for code, call in json.load(sys.stdin):
    names = {"__name__": "candidate"}
    try:
        with contextlib.redirect_stdout(open(os.devnull, "w")):
            exec(code, names)
            eval(call, names)
        out.append(None)
    except Exception as error:
        out.append(type(error).__name__)
print(json.dumps(out))`;
  return JSON.parse(execFileSync("python3", ["-c", script], { input: JSON.stringify(programs), encoding: "utf8" }));
}

const function_ = (body: string): string => `def f(n, s, xs):\n${body.replace(/^/gm, "    ")}\n`;
const REFERENCE = "def f(n: int, s: str, xs: List[int]):\n    return n\n";
const CALL = "f(3, 'ab', [2, 1])";

const FAILING: [body: string, level: string, error: string][] = [
  ["return n + s", "always", "TypeError"],
  ["return s + len(s)", "always", "TypeError"],
  ["return xs + n", "always", "TypeError"],
  ["return xs - xs", "always", "TypeError"],
  ["return s / 2", "always", "TypeError"],
  ["return xs * 1.5", "always", "TypeError"],
  ["return [] < 1", "always", "TypeError"],
  ["return n in 5", "always", "TypeError"],
  ["return n in s", "always", "TypeError"],
  ["return -s", "always", "TypeError"],
  ["for x in n:\n    pass", "always", "TypeError"],
  ["for i in len(xs):\n    pass", "always", "TypeError"],
  ["for x in xs:\n    x.append(1)", "loop", "AttributeError"],
  ["for x in xs:\n    for y in x:\n        pass", "loop", "TypeError"],
  ["for x in xs:\n    s += x", "loop", "TypeError"],
  ["for i, x in xs:\n    pass", "loop", "TypeError"],
  ["for a, b, c in enumerate(xs):\n    pass", "loop", "ValueError"],
  ["a, b, c = n, s\nreturn a", "always", "ValueError"],
  ["return [x for x in n]", "always", "TypeError"],
  ["return [y for x in xs for y in x]", "loop", "TypeError"],
  ["return [x.upper() for x in xs]", "loop", "AttributeError"],
  ["return {x: xs[x] for x in [xs]}", "loop", "TypeError"],
  ["return set([xs])", "always", "TypeError"],
  ["return {xs: 1}", "always", "TypeError"],
  ["d = {}\nd[xs] = 1", "always", "TypeError"],
  ["t = set()\nt.add(xs)", "always", "TypeError"],
  ["return ' '.join(xs)", "always", "TypeError"],
  ["return ''.join([len(x) for x in s])", "always", "TypeError"],
  ["return len(n)", "always", "TypeError"],
  ["return len(map(str, xs))", "always", "TypeError"],
  ["return len(xs, s)", "always", "TypeError"],
  ["return sum(s)", "always", "TypeError"],
  ["return max(n)", "always", "TypeError"],
  ["return max(n, s)", "always", "TypeError"],
  ["return sorted(xs, cmp=len)", "always", "TypeError"],
  ["return sorted(xs, key=lambda x: x[1])", "loop", "TypeError"],
  ["return list(map(lambda x: x.lower(), xs))", "loop", "AttributeError"],
  ["return reversed(set(xs))", "always", "TypeError"],
  ["return next(xs)", "always", "TypeError"],
  ["return ord(n)", "always", "TypeError"],
  ["return chr(s)", "always", "TypeError"],
  ["return int(xs)", "always", "TypeError"],
  ["return range(n / 2)", "always", "TypeError"],
  ["import math\nreturn range(math.sqrt(n))", "always", "TypeError"],
  ["import math\nreturn math.sqrt(s)", "always", "TypeError"],
  ["import math\nreturn math.power(n, 2)", "always", "AttributeError"],
  ["from itertools import izip", "always", "ImportError"],
  ["return xs[len(xs) / 2]", "always", "TypeError"],
  ["return xs[s]", "always", "TypeError"],
  ["return xs['a':]", "always", "TypeError"],
  ["return n[0]", "always", "TypeError"],
  ["return set(xs)[0]", "always", "TypeError"],
  ["return xs.keys()", "always", "AttributeError"],
  ["return s.append('a')", "always", "AttributeError"],
  ["return {}.has_key(n)", "always", "AttributeError"],
  ["d = g()\nreturn d.iteritems()\ndef g():\n    return 1", "always", "UnboundLocalError"],
  ["return n.length", "always", "AttributeError"],
  ["s[0] = 'a'", "always", "TypeError"],
  ["t = (1, 2)\nt[0] = 3", "always", "TypeError"],
  ["xs.append(1, 2)", "always", "TypeError"],
  ["xs.extend(n)", "always", "TypeError"],
  ["xs.insert(n)", "always", "TypeError"],
  ["return s.replace(n, '')", "always", "TypeError"],
  ["return s.split(n)", "always", "TypeError"],
  ["return s.count(n)", "always", "TypeError"],
  ["return s.startswith(['a'])", "always", "TypeError"],
  ["xs = xs.sort()\nreturn xs[0]", "always", "TypeError"],
  ["ys = xs.append(1)\nreturn len(ys)", "always", "TypeError"],
  ["y = print(n)\nreturn y + 1", "always", "TypeError"],
  ["return n()", "always", "TypeError"],
  ["sum = 0\nreturn sum(xs)", "always", "TypeError"],
  ["sum = sum(xs)\nreturn sum", "always", "UnboundLocalError"],
  ["y += 1", "always", "UnboundLocalError"],
  ["ys = xs\nreturn ys + n", "always", "TypeError"],
  ["y = n\nif n > 1:\n    return y + s\nreturn y", "branch", "TypeError"],
  ["if n > 100:\n    y = 1\nelif n > 1:\n    return y", "branch", "UnboundLocalError"],
  ["def g(a):\n    return a + 1\nreturn g('x')", "none", "TypeError"],
  ["c = 0\ndef g(x):\n    c += x\nreturn g(n)", "branch", "UnboundLocalError"],
  ["k, v = 0, ''\nwhile n:\n    k += v\n    n -= 1", "loop", "TypeError"],
  ["return '%d' % n + n", "always", "TypeError"],
  ["import re\nreturn re.sub('a', '', xs)", "always", "TypeError"],
  ["from collections import Counter\nreturn Counter(xs).most_common(1)[0].upper()", "always", "AttributeError"],
  ["for k, v in {1: 2}.items():\n    k.append(v)", "loop", "AttributeError"],
  ["for k, v in {1: 2}:\n    pass", "loop", "TypeError"],
];

const FINE: string[] = [
  "return n + len(s)",
  "return s * n + 'a'",
  "return xs * 2 + [n]",
  "return [n] * len(xs) + list(s)",
  "return xs and n or s",
  "y = None\nfor x in xs:\n    if y is None or x > y:\n        y = x\nreturn y + 1",
  "y = None\nfor x in xs:\n    y = x if y is None else y + x\nreturn y",
  "y = n\ny = str(y)\nreturn [int(c) for c in y]",
  "if isinstance(n, str):\n    return n.upper()\nreturn n",
  "if type(xs) == int:\n    return xs + 1\nreturn xs",
  "try:\n    return s + n\nexcept TypeError:\n    return s",
  "try:\n    y = int(s)\nexcept ValueError:\n    y = s\nreturn y",
  "if n > 5:\n    y = 1\nelse:\n    y = ''\nreturn y",
  "if n > 100:\n    y = 1\nreturn n",
  "for i in range(n):\n    y = i\nreturn y + 1",
  "while True:\n    y = 1\n    break\nreturn y",
  "xs.append('a')\nreturn ''.join(str(x) for x in xs)",
  "ys = []\nfor x in xs:\n    ys.append(str(x))\nreturn ''.join(ys)",
  "ys = [[] for x in xs]\nys[0].append(1)\nreturn ys[0][0] + 1",
  "ys = xs\nys.append('a')\nreturn xs[-1].upper()",
  "ys = [[1]]\nfor y in ys:\n    y[0] = 'a'\nreturn ys[0][0].upper()",
  "y = [1]\nys = {n: y}\ny.insert(0, 'a')\nreturn ys[n][0].upper()",
  "ys = [1]\ndef g(zs):\n    zs[0] = 'a'\ng(zs=ys)\nreturn ys[0].upper()",
  "ys = [0] * 3\nys[1] = 'a'\nreturn ys[1] + 'b'",
  "ys = [None, None]\ndef g():\n    ys[0] = (1, 2)\ng()\nreturn ys[0][1]",
  "y = None\ndef g():\n    nonlocal y\n    y = 3\ng()\nreturn y + 1",
  "d = {}\nfor c in s:\n    d[c] = d.get(c, 0) + 1\nreturn sorted(d.items(), key=lambda p: (-p[1], p[0]))[0][0].upper()",
  "from collections import defaultdict\nd = defaultdict(list)\nd[n].append(s)\nreturn d[n][0].upper()",
  "from collections import Counter\nreturn (Counter(s) - Counter('a')) + Counter('b')",
  "from collections import Counter\nc = Counter(s)\nc['a'] += 1\nreturn max(c, key=c.get).upper()",
  "from collections import deque\nq = deque([(n, s)])\nwhile q:\n    a, b = q.popleft()\nreturn a + 1",
  "a, *b = xs\nreturn a + len(b)",
  "a, b = b, a = xs\nreturn a + b",
  "(a, b), c = (n, s), xs\nreturn a + len(b) + c[0]",
  "return max(xs, key=lambda x: -x) + max(n, 2.5)",
  "return sum([[1], [2]], [])[0] + 1",
  "return sum(len(str(x)) for x in xs) / 2",
  "return list(zip(s, xs))[0][0].upper()",
  "return dict(zip(s, xs))['a'] + 1",
  "return [x for x, c in zip(xs, s) if c.isalpha()][0] + 1",
  "return s[n // 2:][::-1] if n % 2 else xs[int(n / 2)]",
  "return s[True]",
  "return {1, 2} - set(xs) | {3}",
  "return {1: 2}.keys() & {1}",
  "return (1,) + tuple(xs) < (2, 3)",
  "return round(n / 2) * s + s[:round(1.5)]",
  "return '%s %s' % (n, s) + '{}'.format(n)",
  "return int('1') + float('2.5') + int(2.5)",
  "return pow(n, 2) + divmod(n, 2)[0] + abs(-n)",
  "import math\nreturn range(math.floor(n / 2))[0] + math.pi + math.inf",
  "return bin(n)[2:].zfill(8).count('1') + 1",
  "return next(iter(xs)) + next((x for x in xs if x > 100), 0)",
  "return list(map(int, str(n)))[0] + 1",
  "return list(filter(None, xs))[0] + 1",
  "return list(map(lambda a, b: a + len(b), xs, s))",
  "f2 = lambda a, b=1: a + b\nreturn f2(n) + f2(n, 2)",
  "def g(a, *more, b=2):\n    return a + b\nreturn g(n, 1, 2, b=3)",
  "if (y := n + 1) > 2 and (z := y + 1):\n    return z\nreturn y",
  "del xs[0]\nreturn xs[0]",
  "xs += (5, 6)\nreturn xs[-1] + 1",
  "xs[1:] = 'ab'\nreturn xs[-1].upper()",
  "y = 1\ny, z = str(y), y\nreturn y.upper()",
  "with open('/dev/null') as y:\n    return y.read()",
  "import datetime\nreturn datetime.date(2020, 1, n).year + 1",
  "import datetime as d\ny = sum([d.timedelta(n)], d.timedelta(1))\nreturn (-y / 2).days + abs(y).days",
  "import datetime as math\nreturn math.date(2020, 1, n).year + 1",
  "from datetime import date as range\nreturn range(2020, 1, n).year + 1",
  "return xs.__len__() + n.bit_length() + n.real",
  "return not xs or xs[0] in s.split() or 'a' in s",
  "return sorted(xs, key=str, reverse=True)[0] + sorted(s)[0].count('a')",
  "return [[0] * n for _ in range(n)][0][0] + 1",
  "return n < 2.5 <= 3 and s < 'b' and xs <= [3]",
  "y = [1, 'a']\nreturn y[1] + 'b' if n else y[0] + 1",
];

describe("what must fail", () => {
  it.each(FAILING)("%s", (body, level) => {
    expect(found(function_(body), REFERENCE) ?? "none").toBe(level);
  });

  it.skipIf(!python)("does in Python", () => {
    expect(raised(FAILING.map(([body]) => [function_(body), CALL]))).toEqual(FAILING.map(([, , error]) => error));
  });

  it.each(FINE)("is nothing of: %s", (body) => {
    expect(found(function_(body), REFERENCE)).toBeNull();
    expect(found(function_(body), function_(body))).toBeNull();
  });

  it.skipIf(!python)("raises nothing there in Python", () => {
    const errors = raised(FINE.map((body) => [function_(body), CALL]));
    expect(FINE.filter((_, i) => errors[i] !== null)).toEqual([]);
  });
});

describe("what a reference says of its arguments", () => {
  const failing = "def f(x):\n    return x + 1\n";
  it.each([
    ["annotations", "def f(x: List[int]):\n    return x\n", "always"],
    ["annotations of several", "def f(x: Union[str, Dict[str, int]]):\n    return x\n", "always"],
    ["annotations that may be None", "def f(x: Optional[str] = None):\n    return x\n", "always"],
    ["annotations of numbers", "def f(x: float):\n    return x\n", null],
    ["annotations of what is not known", "def f(x: Tree):\n    return x\n", null],
    ["calls in its docstring", "def f(x):\n    '''>>> f([1, (2, 3)])\n    2'''\n    return g(x)\n", "always"],
    ["calls in comments", "def f(x):\n    # f('a)') is 1\n    return g(x)\n", "always"],
    ["calls of different sorts", "def f(x):\n    '''f('a') or f(1)'''\n    return g(x)\n", null],
    ["another function's calls", "def f(x):\n    '''gf('a') or o.f('a')'''\n    return g(x)\n", null],
    ["a call that is cut off", "def f(x):\n    '''f(['a'''\n    return g(x)\n", null],
    ["its methods", "def f(x):\n    return x.upper()\n", "always"],
    ["a walk over it", "def f(x):\n    for y in x:\n        print(y)\n", "always"],
    ["what no built-in value can do", "def f(x):\n    x.append(x.popleft())\n", null],
    ["nothing", "def f(x):\n    return x\n", null],
    ["a check of its type", "def f(x):\n    if isinstance(x, list):\n        return x[0]\n    return x\n", null],
  ])("by %s", (_, reference, level) => {
    expect(found(failing, reference)).toBe(level);
  });

  it("by calls in a docstring of which most are not closed, in little time", () => {
    const reference = `def f(x):\n    '''f('a') ${"f(".repeat(100_000)}'''\n    return g(x)\n`;
    expect(found(failing, reference)).toBe("always");
  }, 5000);

  it("of what they hold", () => {
    const reference = "def f(xs):\n    return [x.upper() for x in xs]\n";
    expect(found("def f(xs):\n    return sum(xs)\n", reference)).toBe("always");
    expect(found("def f(xs):\n    return ''.join(xs)\n", reference)).toBeNull();
    expect(found("def f(xs: int):\n    return [x % 2 == 0 and x - 1 for x in xs]\n", reference)).toBe("branch");
  });

  it.each([
    "def f(*xs, n=1):\n    '''f('a', 'b')'''\n    return [1] * n\n",
    "def f(x: str, /, n: int, s: str):\n    return s.upper() * n\n",
    "def f(x: str, *, n: int, s: str):\n    return s.upper() * n\n",
    "def f(x: str, *xs: int, s: str):\n    return s.upper()\n",
  ])("by position, so not of %s", (code) => {
    expect(found(code, code)).toBeNull();
  });

  it("of the function that tests call, not of others it has", () => {
    const reference = "def g(x):\n    return x.upper()\ndef f(x):\n    return g(x)\n";
    const [bad, good] = ["def g(x):\n    return x + 1\n", "def f(x):\n    return x.lower()\n"];
    expect(found(bad + good, reference)).toBe("branch");
    expect(found("def f(x):\n    return x + 1\n", reference)).toBe("always");
    expect(found(`${bad}def f(x):\n    return g(x)\n`, "def f(x: str):\n    return x\n")).toBe("always");
    const several = "def f(x: str):\n    return x\ndef g(x: str):\n    return x\n";
    expect(found(failing, several)).toBe("branch");
  });

  it("and a judge's methods", () => {
    const solution = (body: string): string =>
      `class Solution:\n    def f(self, x: List[int]) -> int:\n        ${body}\n`;
    expect(found(solution("return x + 1"), solution("return len(x)"))).toBe("always");
    expect(found(solution("return x[0] + 1"), solution("return len(x)"))).toBeNull();
  });
});

describe("programs of which nothing is known", () => {
  const reference = "def f(x: str):\n    return x\n";
  it.each([
    "class A:\n    def __add__(self, o):\n        return 1\ndef f(x):\n    return A() + 1 + (x + 1)\n",
    "x = input()\ndef f(x):\n    return x + 1\n",
    "def f(x):\n    exec('x = 1')\n    return x + 1\n",
    "import numpy as np\ndef f(x):\n    return -x + 'a' + (x + 1)\n",
    "from .a import b\ndef f(x):\n    return x + 1\n",
    "@wraps\ndef f(x):\n    return x + 1\n",
    "if __name__ == '__main__':\n    print(1 + 'a')\n",
    "def f(x:\n",
  ])("%s", (candidate) => {
    expect(found(candidate, reference)).toBeNull();
  });

  it("but what runs when they are loaded", () => {
    expect(found(`${reference}print(f(1) + 1)\nprint('a' + 1)\n`, reference)).toBe("always");
  });

  it("are read in no time, however deep", () => {
    const loops = Array.from({ length: 18 }, (_, i) => `${" ".repeat(i + 1)}for a${i} in x:`).join("\n");
    const calls = Array.from({ length: 40 }, (_, i) => `def g${i}(x):\n    return g${i + 1}(x) + g${i + 1}(x)\n`).join(
      "",
    );
    const before = performance.now();
    expect(found(`def f(x):\n${loops}\n${" ".repeat(20)}x = x + '1'\n`, reference)).toBeNull();
    expect(found(`${calls}def f(x):\n    return g0(x)\n`, reference)).toBeNull();
    expect(found(`def f(x):\n    return ${"[".repeat(200)}x + 1${"]".repeat(200)}\n`, reference)).toBe("always");
    expect(performance.now() - before).toBeLessThan(5000);
  });
});
