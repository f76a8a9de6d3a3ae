/** Each operator on a small program gives exactly the expected texts. */
import { beforeAll, describe, expect, it } from "vitest";
import { loadParser, type Parse } from "../../src/languages/python/syntax/walk.ts";
import { applyChange } from "../../src/mutate/edits.ts";
import { damageOperators, mutantOperators, rewriteOperators } from "../../src/mutate/make.ts";
import { Random } from "../../src/util/random.ts";

let parse: Parse;
beforeAll(async () => {
  parse = await loadParser();
});

const operators = new Map(
  [...mutantOperators, ...damageOperators, ...rewriteOperators].map((operator) => [operator.name, operator]),
);

/** All results of an operator on a program, over several seeds. */
function made(name: string, code: string, keep: readonly string[] = []): string[] {
  const operator = operators.get(name);
  if (!operator) throw new Error(`no operator ${name}`);
  const out = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    for (const change of operator.find(parse(code), new Random(seed), new Set(keep)))
      out.add(applyChange(code, change));
  }
  return [...out].sort();
}

const body = (...lines: string[]): string => `def f(x, y):\n${lines.map((line) => `    ${line}\n`).join("")}`;

describe("mutation operators", () => {
  it.each<[string, string, string[]]>([
    ["arithmetic-operator", body("return x + y"), [body("return x * y"), body("return x - y")]],
    ["arithmetic-operator", body("x //= 2"), [body("x %= 2"), body("x /= 2")]],
    ["comparison-operator", body("return x < y"), [body("return x <= y"), body("return x > y")]],
    ["comparison-operator", body("return x  not  in y"), [body("return x  in y")]],
    ["boolean-operator", body("return x and y"), [body("return x or y")]],
    ["off-by-one", body("return 5"), [body("return 4"), body("return 6")]],
    ["off-by-one", body("return 0"), [body("return 1")]],
    ["off-by-one", body("return range(x)"), [body("return range(x + 1)"), body("return range(x - 1)")]],
    ["off-by-one", body("return x[:y]"), [body("return x[:y + 1]"), body("return x[:y - 1]")]],
    ["negated-condition", body("if x:", "    return y"), [body("if not (x):", "    return y")]],
    ["negated-condition", body("while not x:", "    y()"), [body("while x:", "    y()")]],
    ["negated-condition", body("return [a for a in x if a]"), [body("return [a for a in x if not (a)]")]],
    ["dropped-condition", body("return x and y"), [body("return x"), body("return y")]],
    ["index-shift", body("return x[y]"), [body("return x[y + 1]"), body("return x[y - 1]")]],
    [
      "wrong-constant",
      body("return True, None, -x, 1.5, 42"),
      [
        body("return False, None, -x, 1.5, 42"),
        body("return True, 0, -x, 1.5, 42"),
        body("return True, None, -x, 1.5, 4"),
        body("return True, None, -x, 15, 42"),
        body("return True, None, x, 1.5, 42"),
      ],
    ],
    ["swapped-arguments", body("return g(x, y, k=1)"), [body("return g(y, x, k=1)")]],
    ["swapped-arguments", body("return x - y"), [body("return y - x")]],
    ["wrong-variable", body("return x"), [body("return y")]],
    ["wrong-variable", body("x.x(y=x)"), [body("x.x(y=y)"), body("y.x(y=x)")]],
    ["wrong-function", body("return min(x)"), [body("return max(x)")]],
    ["wrong-function", body("x.append(y)"), [body("x.extend(y)"), body("x.insert(y)")]],
    ["wrong-function", "def f(min):\n    return min(1)\n", []],
    ["forgotten-call", body("return sorted(x)"), [body("return x")]],
    [
      "changed-string",
      body("return 'ab'"),
      ["'AB'", "'a'", "'ab '", "'aba'", "'b'"].map((text) => body(`return ${text}`)),
    ],
    ["changed-string", body('"""Docs."""', "return x"), []],
    [
      "undefined-name",
      "def f(ab):\n    return ab\n",
      ["a", "aab", "ab_", "abb", "abs", "b"].filter((n) => n !== "abs").map((n) => `def f(ab):\n    return ${n}\n`),
    ],
    [
      "missing-import",
      `import math\nimport re\n${body("return x")}`,
      [`import math\n${body("return x")}`, `import re\n${body("return x")}`],
    ],
    ["wrong-recursion", "def f(n):\n    return f(n - 1)\n", ["def f(n):\n    return f(n)\n"]],
    ["dropped-statement", body("x.sort()", "return x"), [body("return x"), body("x.sort()")]],
    [
      "dropped-statement",
      body("if x:", "    return y", "return x"),
      [body("if x:", "    pass", "return x"), body("if x:", "    return y"), body("return x")],
    ],
    [
      "swapped-statements",
      body("x = 1", "y = 2", "return x"),
      [body("x = 1", "return x", "y = 2"), body("y = 2", "x = 1", "return x")],
    ],
    ["duplicated-statement", body("x += 1", "return x"), [body("x += 1", "x += 1", "return x")]],
    ["missing-edge-case", body("if not x:", "    return 0", "return y"), [body("return y")]],
    ["missing-edge-case", body("if not x:", "    return 0", "else:", "    y()"), []],
    [
      "dropped-branch",
      body("if x:", "    return 1", "elif y:", "    return 2", "else:", "    return 3"),
      [
        body("if x:", "    return 1", "elif y:", "    return 2"),
        body("if x:", "    return 1", "else:", "    return 3"),
      ],
    ],
    [
      "early-return",
      body("for a in x:", "    y += a", "return y"),
      [body("for a in x:", "    y += a", "    return y")],
    ],
    ["left-loop", body("for a in x:", "    y += a", "    y *= 2"), [body("for a in x:", "    y += a", "y *= 2")]],
    ["wrong-accumulator", body("for a in x:", "    y += a"), [body("for a in x:", "    y = a")]],
    ["wrong-accumulator", body("y += 1"), []],
    ["wrong-start", body("t = 0", "return t"), [body("t = -1", "return t"), body("t = 1", "return t")]],
    ["wrong-return", body("return x"), [body("return None"), body("return y")]],
    ["wrong-jump", body("for a in x:", "    continue"), [body("for a in x:", "    break")]],
    [
      "split-branch",
      body("if x:", "    pass", "elif y:", "    pass"),
      [body("if x:", "    pass", "if y:", "    pass")],
    ],
    ["stub-body", body("x = 1", "return x"), [body("x = 1", "return None")]],
    ["broken-syntax", "f(1)\n", ["f(1\n", "f1)\n"]],
  ])("%s of %j", (name, code, expected) => {
    expect(made(name, code)).toEqual([...expected].sort());
  });
});

describe("truncated-body", () => {
  it("cuts a program off behind its first third, mostly at the end of a line", () => {
    const code = "a = 1\nb = 2\nc = 3\nd = 4\n";
    const cut = made("truncated-body", code);
    expect(cut.length).toBeGreaterThan(3);
    for (const text of cut) {
      expect(code.startsWith(text.slice(0, -1))).toBe(true);
      expect(text.length).toBeGreaterThan(code.length / 3);
      expect(text.length).toBeLessThan(code.length);
    }
  });
});

describe("rewrites", () => {
  it.each<[string, string, string[]]>([
    ["no-annotations", "def f(x: int, y: str = 'a') -> int:\n    return x\n", ["def f(x, y = 'a'):\n    return x\n"]],
    ["no-docstring", body('"""Docs."""', "return x"), [body("return x")]],
    ["no-docstring", body('"""Docs."""'), [body("pass")]],
    ["no-comments", body("# one", "return x  # two"), [body("return x")]],
    ["quotes", body("return 'a' + \"b\" + 'it\\'s' + f'{x}'"), [body("return \"a\" + 'b' + 'it\\'s' + f'{x}'")]],
    ["indent", body("if x:", "    return y"), ["def f(x, y):\n  if x:\n    return y\n"]],
    ["indent", body('x = """', "  a", '"""'), []],
    [
      "reorder-functions",
      "def a(x):\n    return x\n\n\ndef b():\n    return 1\n",
      ["def b():\n    return 1\n\n\ndef a(x):\n    return x\n"],
    ],
    ["reorder-functions", "def a(x):\n    return x\n\n\ndef b(x=a(1)):\n    return 1\n", []],
    [
      "invert-if",
      body("if x == 1:", "    return 1", "else:", "    return 2"),
      [body("if x != 1:", "    return 2", "else:", "    return 1")],
    ],
    [
      "invert-if",
      body("if x < 1:", "    return 1", "else:", "    return 2"),
      [body("if not (x < 1):", "    return 2", "else:", "    return 1")],
    ],
    [
      "no-else",
      body("if x:", "    return 1", "else:", "    y()", "    return 2"),
      [body("if x:", "    return 1", "y()", "return 2")],
    ],
    ["no-else", body("if x:", "    y()", "else:", "    return 2"), []],
    [
      "no-else",
      body("if x:", "    return 1", "elif y:", "    return 2"),
      [body("if x:", "    return 1", "if y:", "    return 2")],
    ],
    [
      "else",
      body("if x:", "    return 1", "y()", "return 2"),
      [body("if x:", "    return 1", "else:", "    y()", "    return 2")],
    ],
    ["reorder", body("a = x", "b = len(y)", "return a"), [body("b = len(y)", "a = x", "return a")]],
    ["reorder", body("a = x", "b = a"), []],
    ["reorder", body("a = x", "x = 1"), []],
    ["reorder", body("a = x.pop()", "b = x"), []],
    ["inline", body("t = x + y", "return t"), [body("return x + y")]],
    ["inline-use", body("n = len(x)", "return n * 2"), [body("return len(x) * 2")]],
    ["inline-use", body("n = x + y", "for i in range(n):", "    pass"), [body("for i in range((x + y)):", "    pass")]],
    ["inline-use", body("n = len(x)", "return n * n"), []],
    ["inline-use", body("n = len(x)", "return x.pop() + n"), []],
    ["inline-use", body("n = len(x)", "return [n for _ in y]"), []],
    [
      "loop-to-comprehension",
      body("r = []", "for a in x:", "    if a:", "        r.append(a + 1)", "return r"),
      [body("r = [a + 1 for a in x if a]", "return r")],
    ],
    ["loop-to-comprehension", body("r = []", "for a in x:", "    r.append(a)", "return r, a"), []],
    ["loop-to-comprehension", body("r = []", "for a in x:", "    r.append(len(r))", "return r"), []],
    [
      "comprehension-to-loop",
      body("r = [a + 1 for a in x if a]", "return r"),
      [body("r = []", "for a in x:", "    if a:", "        r.append(a + 1)", "return r")],
    ],
    ["comprehension-to-loop", body("a = 1", "r = [a for a in x]", "return r, a"), []],
    ["comprehension-to-loop", body("x = [a for a in x]", "return x"), []],
    ["long-assignment", body("x += 1", "y *= 'a'"), [body("x += 1", "y = y * 'a'"), body("x = x + 1", "y *= 'a'")]],
    ["long-assignment", body("x += y"), []],
    ["long-assignment", body("t = 0", "t -= x - y"), [body("t = 0", "t = t - (x - y)")]],
    ["short-assignment", body("x = x + 1"), [body("x += 1")]],
    ["short-assignment", body("x = x + y"), []],
    ["push-not", body("return not x == y"), [body("return x != y")]],
    ["push-not", body("return not (x in y)"), [body("return x not in y")]],
    ["push-not", body("return not x < y"), []],
    ["pull-not", body("return x != y"), [body("return (not x == y)")]],
    ["turn-comparison", body("return x < len(y)"), [body("return len(y) > x")]],
    ["turn-comparison", body("return x.pop() < len(x)"), []],
    ["turn-comparison", body("return 0 < x < y"), []],
    ["spell-boolean", body("return x == y"), [body("if x == y:", "    return True", "return False")]],
    ["spell-boolean", body("return x and y"), []],
    ["spell-conditional", body("return x if y else 1"), [body("if y:", "    return x", "else:", "    return 1")]],
    ["spell-conditional", body("t = x if y else 1"), [body("if y:", "    t = x", "else:", "    t = 1")]],
    ["join-conditional", body("if y:", "    return x", "else:", "    return 1"), [body("return x if y else 1")]],
    ["empty-literal", body("t = []", "u = dict()"), [body("t = []", "u = {}"), body("t = list()", "u = dict()")]],
  ])("%s of %j", (name, code, expected) => {
    expect(made(name, code)).toEqual([...expected].sort());
  });

  it("rename gives variables other names everywhere, and nothing else", () => {
    const code = "def f(xs, k):\n    y = [x.k for x in xs if x != k]\n    return g(y, kk=k)\n";
    for (const text of made("rename", code)) {
      const shape =
        /^def f\((\w+), (\w+)\):\n {4}(\w+) = \[(\w+)\.k for \4 in \1 if \4 != \2\]\n {4}return g\(\3, kk=\2\)\n$/;
      expect(text).toMatch(shape);
      expect(new Set(shape.exec(text)?.slice(1)).size).toBe(4);
    }
    expect(made("rename", code).length).toBeGreaterThan(5);
  });

  it.each([
    ["keyword arguments", "def f(a):\n    return a\n\nprint(f(a=1))\n", []],
    ["names that tests use", "def f(a):\n    return a\n", ["a"]],
    ["names read as text", "def f(a):\n    return locals()\n", []],
    ["names printed by an f-string", "def f(a):\n    return f'{a=}'\n", []],
    ["globals", "n = 0\ndef f():\n    global n\n    n += 1\n", []],
    ["imports", "def f():\n    import re\n    return re.escape('a')\n", []],
    ["names in annotations and defaults", "def f(a, b=len):\n    return 1\n", ["a", "b"]],
  ])("rename leaves %s alone", (_, code, keep) => {
    expect(made("rename", code, keep)).toEqual([]);
  });

  it("while-loop is exact about continue, the bound and the variable after the loop", () => {
    for (const text of made("while-loop", body("for i in range(1, len(x), 2):", "    y += i", "return i"))) {
      expect(text).toMatch(
        /^def f\(x, y\):\n {4}(\w+) = 1\n {4}(\w+) = len\(x\)\n {4}while \1 < \2:\n {8}i = \1\n {8}\1 \+= 2\n {8}y \+= i\n {4}return i\n$/,
      );
    }
    expect(made("while-loop", body("for i in x:", "    y += i"))).toEqual([]);
    expect(made("while-loop", body("for i in range(0, 9, y):", "    y += i"))).toEqual([]);
  });

  it("temporary names what is returned, or a condition", () => {
    for (const text of made("temporary", body("return(x + y)"))) {
      expect(text).toMatch(/^def f\(x, y\):\n {4}(\w+) = \(x \+ y\)\n {4}return \1\n$/);
    }
    expect(made("temporary", body("return x"))).toEqual([]);
    for (const text of made("temporary", body("if x > y:", "    return 1"))) {
      expect(text).toMatch(/^def f\(x, y\):\n {4}(\w+) = x > y\n {4}if \1:\n {8}return 1\n$/);
    }
  });
});
