/** The inferred answers of a program, compared with Python's behaviour: kinds, ends without an answer, arguments. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  loadForms,
  type ReadForms,
  type Returns,
  returnsOf,
  type Term,
} from "../../../../src/languages/python/index.ts";
import { replaceIn } from "../../../../src/languages/python/normalize/canonical/terms.ts";
import { python } from "../../../util/python.ts";

let forms: ReadForms;
beforeAll(async () => {
  forms = await loadForms();
});

const answersIn = (code: string, name = "f"): Returns => returnsOf(forms(code).plain.terms).get(name)!;
const kindsOf = (code: string): string | null => {
  const { families } = answersIn(code);
  return families && [...families].sort().join(" ");
};

/** Expressions and the kind of their value for x = 3, s = "ab", xs = [2, 1]. */
const EXPRESSIONS: [expression: string, kinds: string | null][] = [
  ["1", "number"],
  ["not x", "number"],
  ["x < 2", "number"],
  ["-x", "number"],
  ["x / 2", "number"],
  ["x % 2", null],
  ["len(s) % 2", "number"],
  ["'%d' % x", "text"],
  ["'a' + s", "text"],
  ["x * 2", null],
  ["len(xs) * 2", "number"],
  ["'a' * x", "text"],
  ["[0] * x", "list"],
  ["xs + [1]", "list"],
  ["x", null],
  ["xs[0]", null],
  ["str(x)[0]", "text"],
  ["sorted(xs)[1:]", "list"],
  ["sorted(xs)[0]", null],
  ["f'{x}'", "text"],
  ["b'a'", null],
  ["(x, s)", "tuple"],
  ["{x: s}", "dict"],
  ["{x, 1}", "set"],
  ["[y for y in xs]", "list"],
  ["{y for y in xs}", "set"],
  ["{y: 1 for y in xs}", "dict"],
  ["(y for y in xs)", "iterator"],
  ["zip(xs, xs)", "iterator"],
  ["x and 'a'", null],
  ["'' or 1", "number text"],
  ["'a' if x else None", "None text"],
  ["max(len(s), 1)", "number"],
  ["max(xs)", null],
  ["max(xs, key=len)", null],
  ["sum(xs)", null],
  ["abs(len(s))", "number"],
  ["''.join(xs)", "text"],
  ["s.split()", "list"],
  ["s.partition('b')", "tuple"],
  ["s.count('a')", "number"],
  ["xs.sort()", "None"],
  ["xs.pop()", null],
  ["print(x)", "None"],
  ["s.find", null],
  ["lambda: 1", null],
  ["g(x)", "text"],
  ["h(x)", null],
];

describe("the kinds of answers", () => {
  it.each(EXPRESSIONS)("of %s", (expression, kinds) => {
    const program = `def g(x):\n    return str(x)\ndef f(x, s, xs):\n    return ${expression}\n`;
    expect(kindsOf(program)).toBe(kinds);
  });

  it.skipIf(!python)("hold for what Python gives", () => {
    const known = EXPRESSIONS.filter(([expression, kinds]) => kinds !== null && expression !== "g(x)");
    const script = `
import json, sys
kinds = {int: "number", bool: "number", float: "number", type(None): "None", str: "text"}
out = []
for expression in json.load(sys.stdin):
    value = eval(expression, {"x": 3, "s": "ab", "xs": ["b", "a"] if "join" in expression else [2, 1]})
    out.append(kinds.get(type(value), type(value).__name__))
print(json.dumps(out), file=sys.stderr)`;
    const shell = `python3 -c "$0" 2>&1 >/dev/null`;
    const input = JSON.stringify(known.map(([expression]) => expression));
    const given = JSON.parse(execFileSync("sh", ["-c", shell, script], { input, encoding: "utf8" })) as string[];
    for (const [i, [expression, kinds]] of known.entries()) {
      const kind = /^(?:generator|zip)$/.test(given[i]!) ? "iterator" : given[i]!;
      expect(kinds!.split(" "), expression).toContain(kind);
    }
  });

  it("are those of every value that a variable gets", () => {
    expect(kindsOf("def f(x):\n    y = 0\n    while x:\n        y += 1\n    return y\n")).toBe("number");
    expect(kindsOf("def f(x):\n    y = ''\n    if x:\n        y = 0\n    return y\n")).toBe("number text");
    expect(kindsOf("def f(x):\n    y = x\n    return y\n")).toBeNull();
    expect(kindsOf("def f(xs):\n    for i, x in enumerate(xs):\n        pass\n    return i\n")).toBe("number");
    expect(kindsOf("def f(xs):\n    for x in xs:\n        y = x\n    return y\n")).toBeNull();
    expect(kindsOf("def f(x):\n    a, b = [], {}\n    return b\n")).toBe("dict");
    expect(kindsOf("def f(x):\n    a, b = x\n    return b\n")).toBeNull();
    expect(kindsOf("def f(x):\n    y = y + 1\n    return y\n")).toBe("number");
    expect(kindsOf("def f(x):\n    if (y := len(x)):\n        return y\n    return y\n")).toBe("number");
  });

  it("are nothing that a program may have changed", () => {
    expect(kindsOf("def len(x):\n    return 'a'\ndef f(x):\n    return len(x)\n")).toBe("text");
    expect(kindsOf("def f(x, len):\n    return len(x)\n")).toBeNull();
    expect(kindsOf("import numpy as np\ndef f(x):\n    return np.sort(x)\n")).toBeNull();
    expect(kindsOf("import itertools\ndef f(x):\n    return itertools.count(x)\n")).toBeNull();
    expect(kindsOf("import math\ndef f(x):\n    return math.floor(x)\n")).toBe("number");
    expect(kindsOf("class A:\n    pass\ndef f(x):\n    return x < A()\n")).toBeNull();
    expect(kindsOf("@wraps\ndef f(x):\n    return 1\n")).toBeNull();
    expect(kindsOf("async def f(x):\n    return 1\n")).toBeNull();
  });

  it("come from functions that call each other and themselves", () => {
    expect(kindsOf("def f(n):\n    return 1 if n < 2 else 2 * f(n - 1)\n")).toBe("number");
    expect(kindsOf("def f(n):\n    return 1 if n < 2 else n * f(n - 1)\n")).toBeNull(); // n may be a text
    expect(kindsOf("def g(n):\n    return f(n)\ndef f(n):\n    return [] if n else g(n)\n")).toBe("list");
    expect(kindsOf("def f(n):\n    return f(n - 1)\n")).toBe("");
    expect(kindsOf("def f(x):\n    yield 1\n")).toBe("iterator");
    expect(kindsOf("class Solution:\n    def f(self, x):\n        return self.count(x)\n")).toBeNull();
  });
});

describe("the kinds of what answers hold", () => {
  const membersOf = (body: string): string | null => {
    const { members } = answersIn(`def f(x, s, xs):\n    ${body}\n`);
    return members && [...members].sort().join(" ");
  };
  it.each([
    ["return [1, 'a']", "number text"],
    ["return []", ""],
    ["return [y for y in xs]", null],
    ["return [len(y) for y in xs]", "number"],
    ["return s.split()", "text"],
    ["return sorted(str(x))", "text"],
    ["return list(xs)", null],
    ["return (1, [])", "list number"],
    ["return [*xs]", null],
    ["return [0] * x + ['a']", "number text"],
    ["return [0] if x else None", null], // None is not a list
    ["return {}", null],
    ["y = []\n    for z in xs:\n        y.append(str(z))\n    return y", "text"],
    ["y = []\n    for z in xs:\n        y.append(z)\n    return y", null],
    ["y = []\n    y.extend(xs)\n    return y", null],
    ["y = [0] * x\n    y[0] = 'a'\n    return y", "number text"],
    ["y = [0] * x\n    y[1:] = xs\n    return y", null],
    ["y = set()\n    y.add(1)\n    return y", "number"],
    ["y = []\n    y += xs\n    return y", null],
    ["y = [1]\n    g(y)\n    return y", null],
    ["y = [1]\n    print(len(y))\n    return y", "number"],
    ["return 1", null],
  ])("%s", (body, members) => {
    expect(membersOf(body)).toBe(members);
  });
});

describe("the end of a function", () => {
  const ends: [body: string, boolean][] = [
    ["return 1", false],
    ["x = 1", true],
    ["if x:\n        return 1", true],
    ["if x:\n        return 1\n    else:\n        raise ValueError", false],
    ["for y in x:\n        return y", true],
    ["while True:\n        x -= 1", false],
    ["while 1:\n        break", true],
    ["while True:\n        for y in x:\n            break", false],
    ["while True:\n        while x:\n            break\n        else:\n            break", true],
    ["for y in x:\n        pass\n    else:\n        return 1", false],
    ["while x:\n        return x", true],
    ["try:\n        return x\n    except ValueError:\n        pass", true],
    ["try:\n        return x\n    except ValueError:\n        return 1", false],
    ["try:\n        x = 1\n    finally:\n        return x", false],
    ["with x:\n        return 1", false],
    ["assert False", false],
    ["def g():\n        return 1", true],
    ["yield x", false],
  ];
  it.each(ends)("after %s", (body, end) => {
    expect(answersIn(`def f(x):\n    ${body}\n`).ends).toBe(end);
  });

  it("is without an answer where nothing is returned", () => {
    expect(answersIn("def f(x):\n    print(x)\n").answers).toBe(false);
    expect(answersIn("def f(x):\n    return\n").answers).toBe(false);
    expect(answersIn("def f(x):\n    return None\n").answers).toBe(true);
    expect(answersIn("def f(x):\n    def g():\n        return 1\n").answers).toBe(false);
  });
});

describe("the arguments of a function", () => {
  it("are those that it needs, takes and reads", () => {
    const { least, most, reads } = answersIn("def f(a, b, c=1, *, d):\n    return [a for e in b]\n");
    expect([least, most, reads]).toEqual([2, 3, [true, true, false]]);
    expect(answersIn("def f(a, *b):\n    return a\n").most).toBe(Number.POSITIVE_INFINITY);
    expect(answersIn("class Solution:\n    @classmethod\n    def f(cls, a):\n        return a\n").most).toBe(1);
    const method = answersIn("class Solution:\n    def f(self, a):\n        return 1\n");
    expect([method.least, method.most, method.reads]).toEqual([1, 1, [false]]);
  });
});

describe("programs that are hard to read", () => {
  const chain = (n: number, line: (i: number) => string): string =>
    `def f(x):\n${Array.from({ length: n }, (_, i) => `    ${line(i)}\n`).join("")}    return y${n}\n`;

  it("take no longer for variables that are made of each other", () => {
    const doubling = chain(200, (i) => `y${i + 1} = y${i} + y${i}`).replace("y1 =", "y0 = []\n    y1 =");
    expect(kindsOf(doubling)).toBe("list");
    const backwards = chain(300, (i) => `y${300 - i} = y${299 - i}`).replace("    return", "    y0 = ''\n    return");
    expect(kindsOf(backwards)).toBeNull(); // inference gives up
    const one: Term = { kind: "literal", text: "1", items: [] };
    let sum: Term = one;
    for (let i = 0; i < 100_000; i++) sum = { kind: "operation", text: "+", items: [sum, one] };
    const program = forms("def f(x):\n    return 1\n").plain.terms!;
    expect(returnsOf(replaceIn(program, (part) => (part.kind === "literal" ? sum : null))).size).toBe(0);
  });

  it("get all that functions and variables give each other", () => {
    const functions =
      "def g(x):\n    return h(x) or 0\ndef h(x):\n    return g(x) if x else ''\ndef f(x):\n    return h(x)\n";
    expect(kindsOf(functions)).toBe("number text");
    const variables = "def f(x):\n    a = 0\n    while x:\n        b = a\n        a = b or ''\n    return b\n";
    expect(kindsOf(variables)).toBe("number text");
    expect(
      kindsOf("def g(x):\n    return 1\ndef f(x):\n    def g(y):\n        return y\n    return g(x)\n"),
    ).toBeNull();
    expect(kindsOf("def g(x):\n    return 1\ndef f(g):\n    return g(1)\n")).toBeNull();
  });
});

describe("programs of every sort", () => {
  it("are read", () => {
    const code = readFileSync(join(import.meta.dirname, "../../../../src/execute/python/shareable.py"), "utf8");
    expect(returnsOf(forms(code).plain.terms).size).toBeGreaterThan(0);
    expect(returnsOf(null).size).toBe(0);
    for (const reads of ["print(f(input()))", "import sys\nprint(f(sys.stdin.read()))"]) {
      expect(returnsOf(forms(`def f(x):\n    return 1\n${reads}\n`).plain.terms).size).toBe(0);
    }
  });
});
