/** The canonical form: each rewrite, what it must not change, and that it is a fixed point on programs of all kinds. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadCanonical } from "../../../../src/languages/python/index.ts";
import { makeCandidates } from "../../../../src/mutate/index.ts";
import { python } from "../../../util/python.ts";

const canonical = await loadCanonical();

/** The canonical body of a function, from source lines that are the body of `def f(xs, n):`. */
const body = (lines: string): string => {
  const text = canonical(`def f(xs, n):\n${lines.replace(/^/gm, "    ")}\n`);
  expect(text).toMatch(/^def f\(va, vb\):\n/);
  return text
    .replace(/^def f.*\n/, "")
    .replace(/^ {4}/gm, "")
    .trimEnd();
};

describe("text", () => {
  it.each([
    [
      "comments, docstrings, annotations",
      'def f(x: int = 1) -> str:\n    """Doc."""\n    y: int = x  # why\n    return g(y, y)\n',
      "def f(va=1):\n    vb = va\n    return g(vb, vb)\n",
    ],
    ["a body of nothing else", 'def f():\n    """Doc."""\n', "def f():\n    pass\n"],
    [
      "quotes and escapes",
      'print("a", \'b\', """c\nd""", r"\\d", "e" "f", b"g", "it\'s")\n',
      "print('a', 'b', 'c\\nd', '\\\\d', 'ef', b'g', \"it's\")\n",
    ],
    ["f-strings", 'def f(x, y):\n    return f"{x:>{y}} {x!r}"\n', "def f(va, vb):\n    return f'{va:>{vb}} {va!r}'\n"],
    [
      "f-strings within f-strings",
      "def f(x):\n    return f\"{x['a']} b\"\n",
      "def f(va):\n    return f\"{va['a']} b\"\n",
    ],
    ["numbers", "print(1_000, .5, 2., 0XFF, 1E3)\n", "print(1000, 0.5, 2.0, 0xff, 1e3)\n"],
    [
      "brackets",
      "print(((1 + (2 * 3))), (1 + 2) * 3, (-1) ** 2, -(1 ** 2), (a if b else c) + 1)\n",
      "print(1 + 2 * 3, (1 + 2) * 3, (-1) ** 2, -1 ** 2, (a if b else c) + 1)\n",
    ],
    [
      "bits, which the grammar binds otherwise",
      "print(a ^ b & c, (a ^ b) & c, a & b ^ c | d)\n",
      "print(a ^ b & c, (a ^ b) & c, a & b ^ c | d)\n",
    ],
    [
      "imports",
      "import sys, math\nfrom b import d, c\nimport os.path as p\nfrom typing import List\nprint(sys, math, c, d, p)\n",
      "import math\nimport os.path as p\nimport sys\nfrom b import c, d\nprint(sys, math, c, d, p)\n",
    ],
    [
      "layout",
      "if (a and\n    b): c = 1; d = 2\nelif e: pass\nelse:\n\tc = 3\n",
      "if a and b:\n    va = 1\n    vb = 2\nelif not e:\n    va = 3\n",
    ],
    [
      "names that others know",
      "import math as m\nclass A(B):\n    size = 1\n    def g(self, key, x):\n        self.key = m.sqrt(x) + self.size\ndef h(a, total=0):\n    list = [a]\n    return sorted(list, key=h)\n",
      "import math as m\nclass A(B):\n    size = 1\n    def g(self, key, va):\n        self.key = m.sqrt(va) + self.size\ndef h(vb, vc=0):\n    return sorted([vb], key=h)\n",
    ],
    [
      "a builtin's name elsewhere",
      "def f(a):\n    max = a\n    return max + max\ndef g(a):\n    return max(a)\n",
      "def f(va):\n    max = va\n    return max + max\ndef g(va):\n    return max(va)\n",
    ],
    [
      "dataclasses",
      "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom typing import List\n@dataclass\nclass A:\n    xs: List[A]\n    n: int = 0\n",
      "from __future__ import annotations\nfrom dataclasses import dataclass\nfrom typing import List\n@dataclass\nclass A:\n    xs: List[A]\n    n: int = 0\n",
    ],
    [
      "names looked up as text",
      "def f(x):\n    y = x\n    return eval('x + y')\n",
      "def f(x):\n    y = x\n    return eval('x + y')\n",
    ],
  ])("of %s", (_, source, text) => {
    expect(canonical(source)).toBe(text);
  });
});

describe("branches", () => {
  it.each([
    ["if xs:\n    return 1\nelse:\n    return 2", "if va:\n    return 1\nreturn 2"],
    ["if xs:\n    print(n)\nelse:\n    return 2", "if not va:\n    return 2\nprint(vb)"],
    ["if xs == n:\n    return True\nelse:\n    return False", "return va == vb"],
    ["if xs:\n    return True\nreturn False", "return bool(va)"],
    ["if xs:\n    return False\nreturn True", "return not va"],
    [
      "if n < 2:\n    return False\nif n == 2:\n    return True\nreturn n % 2 == 1",
      "return not vb < 2 and (vb == 2 or vb % 2 == 1)",
    ],
    ["return 1 if xs else 2", "if va:\n    return 1\nreturn 2"],
    ["if not xs:\n    return []\nreturn [n]", "if va:\n    return [vb]\nreturn []"],
    ["if xs != n:\n    print(1)\nelse:\n    print(2)", "if va == vb:\n    print(2)\nelse:\n    print(1)"],
    ["if xs:\n    if n:\n        print(1)", "if va and vb:\n    print(1)"],
    ["if xs:\n    pass\nelse:\n    print(1)", "if not va:\n    print(1)"],
    ["if xs:\n    y = 1\nelse:\n    y = 2\nreturn y + y", "vc = 1 if va else 2\nreturn vc + vc"],
    ["for x in xs:\n    if x:\n        continue\n    print(x)", "for vc in va:\n    if not vc:\n        print(vc)"],
    ["while True:\n    if n:\n        break\n    n -= 1", "while not vb:\n    vb -= 1"],
    ["for x in xs:\n    print(x)\nelse:\n    print(n)", "for vc in va:\n    print(vc)\nprint(vb)"],
    ["return xs\nprint(n)", "return va"],
    ["print(xs)\nreturn None", "print(va)"],
  ])("%j", (lines, canonicalLines) => {
    expect(body(lines)).toBe(canonicalLines);
  });
});

describe("expressions", () => {
  it.each([
    ["xs > n", "vb < va"],
    ["5 >= xs > n", "vb < va <= 5"],
    ["0 == xs", "va == 0"],
    ["f(1) > g(2)", "f(1) > g(2)"], // the order of calls is observable
    ["not xs == n", "va != vb"],
    ["not xs in n", "va not in vb"],
    ["not (xs and not n)", "not va or bool(vb)"],
    ["not xs < n", "not va < vb"], // both are false for nan
    ["not len(xs) < 3", "3 <= len(va)"],
    ["not any(x == n for x in xs)", "all(vc != vb for vc in va)"],
    ["True if xs == n else False", "va == vb"],
    ["list(map(int, xs))", "[int(vc) for vc in va]"],
    ["list(map(lambda x: x + 1, xs))", "[vc + 1 for vc in va]"],
    ["sum(filter(lambda x: x > n, xs))", "sum(vc for vc in va if vb < vc)"],
    ["map(int, xs)", "map(int, va)"], // a generator is not the same object
    ["sum([x * x for x in xs])", "sum(vc * vc for vc in va)"],
    ["any([1 / x for x in xs])", "any([1 / vc for vc in va])"], // stops before it raises
    ["set([x for x in xs])", "set(va)"],
    ["dict((x, 1) for x in xs)", "{vc: 1 for vc in va}"],
    ["list(), dict(), set([1])", "[], {}, {1}"],
    ["list(range(0, n, 1))", "list(range(vb))"],
    ["[xs[i] * 2 for i in range(len(xs))]", "[vc * 2 for vc in va]"],
    ["xs[0:n]", "va[:vb]"],
    ["[x for x in xs if x if n]", "[vc for vc in va if vc and vb]"],
  ])("%s", (expression, text) => {
    expect(body(`return ${expression}`)).toBe(`return ${text}`);
  });
});

describe("loops and variables", () => {
  it.each([
    ["r = []\nfor x in xs:\n    if x > n:\n        r.append(x)\nreturn r", "return [vc for vc in va if vb < vc]"],
    [
      "r = []\nm = n + 1\nfor a in xs:\n    for b in a:\n        r.append(b * m * m)\nreturn r",
      "vc = vb + 1\nreturn [vd * vc * vc for ve in va for vd in ve]",
    ],
    ["r = set()\nfor x in xs:\n    r.add(x)\nreturn r", "return set(va)"],
    ["d = {}\nfor x in xs:\n    d[x] = n\nreturn d", "return {vc: vb for vc in va}"],
    ["t = 0\nfor x in xs:\n    t = t + x\nreturn t", "return sum(va)"],
    ["t = 0\nfor x in xs:\n    if x == n:\n        t += 1\nreturn t", "return sum(1 for vc in va if vc == vb)"],
    ["s = ''\nfor x in xs:\n    s += x.upper()\nreturn s", "return ''.join(vc.upper() for vc in va)"],
    ["for x in xs:\n    if x == n:\n        return True\nreturn False", "return any(vc == vb for vc in va)"],
    ["for x in xs:\n    if x == n:\n        return False\nreturn True", "return all(vc != vb for vc in va)"],
    [
      "ok = True\nfor x in xs:\n    if x == n:\n        ok = False\n        break\nreturn ok",
      "return all(vc != vb for vc in va)",
    ],
    ["for i in range(len(xs)):\n    print(xs[i])", "for vc in va:\n    print(vc)"],
    ["x = n + 1\nreturn x * 2", "return (vb + 1) * 2"],
    ["k = 'aeiou'\nprint(xs)\nreturn n in k", "print(va)\nreturn vb in 'aeiou'"],
    ["a, b = 0, xs\nreturn a + a, b, b", "vc = 0\nvd = va\nreturn vc + vc, vd, vd"],
    ["i = 0\nwhile i < n:\n    i = i + 1", "vc = 0\nwhile vc < vb:\n    vc += 1"],
  ])("%j", (lines, canonicalLines) => {
    expect(body(lines)).toBe(canonicalLines);
  });

  it.each([
    ["a variable that is read behind its loop", "r = []\nfor x in xs:\n    r.append(x)\nreturn r, x"],
    ["a list that is read in its loop", "r = []\nfor x in xs:\n    r.append(len(r))\nreturn r"],
    ["a list that a function sees", "r = []\ndef g():\n    return r\nfor x in xs:\n    r.append(g())\nreturn r"],
    [
      "a list that may be looked at after an error",
      "try:\n    r = []\n    for x in xs:\n        r.append(1 / x)\nexcept ValueError:\n    pass\nreturn r",
    ],
    ["recursion, which has a stack to think of", "t = 0\nfor x in xs:\n    t += f(x, n)\nreturn t"],
    ["a search that goes on", "ok = True\nfor x in xs:\n    if 1 / x:\n        ok = False\nreturn ok"],
    ["a list that is changed in place", "xs = xs + n\nreturn xs, xs"],
    ["an index that is used", "for i in range(len(xs)):\n    print(i, xs[i])"],
    ["elements that are replaced", "for i in range(len(xs)):\n    xs[i] = xs[i] + n"],
    ["a dict", "d = dict(xs)\nfor i in range(len(d)):\n    print(d[i])\nprint(d)"],
    ["a value that a call might change", "x = len(xs)\nreturn n.pop() + x"],
    ["a value that might not be needed", "x = 1 / n\nreturn xs and x"],
    ["what two would use up in another order", "a = frozenset(xs)\nreturn list(xs), a"],
  ])("leave alone %s", (_, lines) => {
    const names = new Map([
      ["xs", "va"],
      ["n", "vb"],
    ]);
    const rename = (name: string): string => {
      if (!names.has(name)) names.set(name, `v${String.fromCharCode(97 + names.size)}`);
      return names.get(name)!;
    };
    expect(body(lines)).toBe(lines.replace(/\b(?:xs|ok|[a-eh-z])\b/g, rename));
  });
});

/** The programs of the corpus (`# ===` starts one, `#:` lines are calls), and programs made from them. */
const corpus = readFileSync(new URL("../../../fixtures/mutate/corpus.py", import.meta.url), "utf8")
  .split(/^# === /m)
  .slice(1)
  .map((text) => {
    const lines = text.split("\n").slice(1);
    const calls = lines.filter((line) => line.startsWith("#:")).map((line) => line.slice(2).trim());
    return {
      code: `${lines
        .filter((line) => !line.startsWith("#:"))
        .join("\n")
        .trimEnd()}\n`,
      calls,
    };
  });

const made = (
  await Promise.all(
    corpus.map(async ({ code, calls }) => {
      const candidates = await makeCandidates(code, { count: 6, seed: 5 });
      return [{ code, calls, kind: "program" }, ...candidates.map((candidate) => ({ ...candidate, calls }))];
    }),
  )
).flat();

it("holds still: the canonical form of a canonical form is itself", () => {
  expect(made.length).toBeGreaterThan(150);
  const moving = made.filter(({ code }) => {
    const form = canonical(code);
    return canonical(form) !== form;
  });
  expect(moving).toEqual([]);
});

it("is total: text of any kind has one, and it holds still", () => {
  const pieces = [
    "def f(x:\n",
    "  return x\n",
    "'",
    '"""',
    "(",
    "]",
    "\t",
    "x = 1\n",
    "if a:\n",
    "# c\n",
    "\\",
    "é\n",
    "\ud800",
    "lambda",
    "@",
    "f'{",
    "for i in",
    "\0",
    "match x:\n  case [a, *b]:\n    pass\n",
  ];
  for (let seed = 0; seed < 400; seed++) {
    const text = Array.from(
      { length: 6 },
      (_, i) => pieces[(seed * 7919 + i * 104729 + seed ** i) % pieces.length],
    ).join("");
    const once = canonical(text);
    expect(canonical(once)).toBe(once);
  }
  expect(canonical("def f(items):\n    total = 0 # of all\n    return total +\n")).toMatch(
    /^def f\(va\):\n {4}vb = 0\n/,
  );
  expect(canonical("  def f(x):\n    return x\n")).toBe("  def f(va):\n    return va\n");
  const nested = (depth: number) => `x = ${"(".repeat(depth)}1${")".repeat(depth)}\n`;
  expect(canonical(nested(200))).toMatch(/^va = /);
  expect(canonical(nested(3000))).toBe(nested(3000));
});

const run = `
import json, re, signal, sys, typing
def late(*_): raise TimeoutError()
signal.signal(signal.SIGALRM, late)
def run(code, calls):
    env = {**vars(typing), '__name__': 'candidate'} # annotations are not evaluated in the canonical form
    try: exec(compile(code, 'candidate', 'exec'), env)
    except BaseException as error: return type(error).__name__
    out = []
    for call in calls:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try: out.append(re.sub(' at 0x[0-9a-f]+', '', repr(eval(call, env))))
        except BaseException as error: out.append('error')
        finally: signal.setitimer(signal.ITIMER_REAL, 0)
    return out
json.dump([[run(a, calls), run(b, calls)] for a, b, calls in json.load(sys.stdin)], sys.stdout)
`;

it.skipIf(!python)("behaves as the program does, errors' kinds aside", () => {
  const named = (calls: readonly string[]): boolean => calls.some((call) => /\w=[^=]/.test(call)); // parameters are renamed
  const positional = made.filter(({ kind, calls }) => kind !== "mutant" && !named(calls));
  const input = JSON.stringify(positional.map(({ code, calls }) => [code, canonical(code), calls]));
  const { stdout } = spawnSync("python3", ["-W", "ignore", "-c", run], { input, encoding: "utf8", maxBuffer: 1 << 28 });
  const answers = JSON.parse(stdout) as [unknown, unknown][];
  expect(answers).toHaveLength(positional.length);
  const differ = positional.filter((_, i) => JSON.stringify(answers[i]![0]) !== JSON.stringify(answers[i]![1]));
  expect(differ.map(({ code }) => `${code}\n-----\n${canonical(code)}`)).toEqual([]);
});
