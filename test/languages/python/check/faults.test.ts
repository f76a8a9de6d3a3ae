import { describe, expect, it } from "vitest";
import { missingModules, staticFaults } from "../../../../src/languages/python/index.ts";
import { loadParser } from "../../../../src/languages/python/syntax/parse.ts";

const parse = await loadParser();
const faults = (code: string) => staticFaults(parse(code));

// Compiled with CPython 3.11 to see which of these it refuses.
it.each([
  ["def f(:", true],
  ["def f():\n    # to be done\n", true],
  ["if x:\n    # nothing\ny = 1", true],
  ["print 'two'", true],
  ["exec 'x = 1'", true],
  ["return 1", true],
  ["x = 1\nif x:\n    return x", true],
  ["class A:\n    return 1", true],
  ["yield 1", true],
  ["f = lambda: (yield)", false],
  ["def f():\n    return 1", false],
  ["def f():\n    ...", false],
  ["class A:\n    pass", false],
  ["print('two')", false],
  ["match x:\n    case 1:\n        pass", false],
  ["", false],
  ["  x = 1\n", true],
  ["x = 1\n  \n# c\n  # d\ny = 2", false],
  ["x = 1; y = 2", false],
  ["def f():\n    if x:\n        return 1\n      return 2\n", true],
  ["def f():\n    return 1\n        return 0\n", true],
  ["x = [\n  1,\n]\nif x: y = 1", false],
])("whether Python refuses %j: %s", (code, broken) => {
  expect(faults(code).broken).toBe(broken);
});

const nested = (depth: number, line: (level: number) => string): string =>
  `${Array.from({ length: depth }, (_, i) => `${" ".repeat(i)}${line(i)}:\n`).join("")}${" ".repeat(depth)}pass\n`;

// The maximum depth that CPython 3.11 compiles, and the first that it does not.
it.each<[string, (depth: number) => string, number, number]>([
  ["parentheses", (n) => `${"(".repeat(n)}1${")".repeat(n)}`, 200, 201],
  ["lists", (n) => `${"[".repeat(n)}1${"]".repeat(n)}`, 200, 201],
  ["loops", (n) => nested(n, () => "for i in x"), 20, 21],
  ["statements of several kinds", (n) => nested(n, (i) => ["while x", "with x"][i % 2]!), 20, 21],
  ["functions and classes", (n) => nested(n, (i) => ["def f()", "class A"][i % 2]!), 21, 100],
  ["conditions", (n) => nested(n, () => "if x"), 99, 100],
  ["terms", (n) => Array.from({ length: n }, () => "x").join(" + "), 2900, 3100],
  ["negations", (n) => `${"-".repeat(n)}x`, 2900, 3100],
])("whether Python refuses so many %s", (_, program, last, first) => {
  expect(faults(program(last)).broken).toBe(false);
  expect(faults(program(first)).broken).toBe(true);
});

it.each([
  ["def f(x):\n    return y", ["y"]],
  ["def f(xs: List[int]) -> Optional[int]:\n    return xs[0]", ["List", "Optional"]],
  ["from typing import List\ndef f(xs: List[int]):\n    return xs", []],
  ["def f():\n    return g()\ndef g():\n    return 1", []],
  ["def f():\n    xs: List[int] = []\n    return xs", []],
  ["def f():\n    xs: List[int] = ys\n    return xs", ["ys"]],
  ["def f():\n    class A:\n        x: List[int] = 1\n    return A", ["List"]],
  ["class A:\n    x: int\n    y: int = 0\n    z = y\n    def f(self):\n        return self.x", []],
  ["class A:\n    LIMIT = 3\n    def f(self):\n        return LIMIT", ["LIMIT"]],
  ["class A:\n    n = 1\n    class B:\n        m = n", ["n"]],
  ["class A:\n    for i in range(3):\n        j = i + k", ["k"]],
  ["class A(B):\n    B = 1", ["B"]],
  ["def f(xs):\n    return any((y := x) for x in xs) and y", []],
  ["def f(p):\n    match p:\n        case P(x=a, y=[b, *c]) as d: return a, b, c, d", ["P"]],
  ["def f[T](x: T) -> T:\n    return x\nclass A[K]:\n    x: K", []],
  ["class A:\n    def f(self):\n        return __class__", []],
  ["class A:\n    x: int\ndef f(x):\n    return [x for _ in x]", []],
  ["class A:\n    x: int\ndef f():\n    return x", ["x"]],
  ["class A:\n    x = 1\n    def f(self):\n        return [x for _ in self]", ["x"]],
  ["def f(p):\n    match p:\n        case {'k': v, **r} | q.W if w: return v, r", ["q", "w"]],
  ["def f(xs):\n    return [y for x in xs]", ["y"]],
  ["def f(n=m, *a: K, **b) -> R:\n    return a, b", ["K", "R", "m"]],
  ["xs: List[int] = []", ["List"]],
  ["def f():\n    return 1\nif __name__ == '__main__':\n    main()", []],
  ["def f():\n    return main()\nif __name__ == '__main__':\n    main()", ["main"]],
  ["def f():\n    return 1\nif __name__ == '__main__':\n    pass\nelse:\n    main()", ["main"]],
  ["def f():\n    return input()\nif __name__ == '__main__':\n    main()", ["main"]],
  ["if __name__ == '__main__':\n    main()", ["main"]],
  ["def f():\n    def g():\n        return 1\n    return g()\nh = g()", ["g"]],
  ["x = [i * i for i in range(3)]\nprint(i)", ["i"]],
  ["a = math.sqrt(2)", ["math"]],
  ["import math as m\na = m.sqrt(2)", []],
  ["import os.path\na = os.path.join('a', 'b')", []],
  ["from m import *\na = b", []],
  ["from typing import *\na: List = b", ["b"]],
  ["from math import *\nfrom typing import *\na = sqrt(inf)\nb: Any = deque()", ["deque"]],
  ["def f():\n    global total\n    total = 1\ndef g():\n    return total", []],
  ["class A:\n    x = 1\n    def f(self):\n        return x", ["x"]],
  ["try:\n    pass\nexcept ValueError as error:\n    print(error)", []],
  ["if (n := 3) > 2:\n    print(n)", []],
  ["def f(*args, key=None, **more):\n    return args, key, more", []],
  ["with open('a') as file:\n    print(file, __name__)", []],
  ["f(value=1)", ["f"]],
  ["x.append(1)", ["x"]],
  ["match p:\n    case P(x=Q(y=a, z=r.s), w=[b]) as c: print(a, b, c)", ["P", "Q", "p", "r"]],
  ["class A:\n    from m import a\n    import b.c, d.e as f\n    x = a, b, f\n    y = c, d", ["c", "d"]],
  ["from .style import Style\nfrom ..a.b import c", []],
  ["try:\n    input = raw_input\nexcept NameError:\n    pass", []],
  ["try:\n    for x in [1]:\n        a(x)\nexcept (KeyError, NameError) as e:\n    b", ["b"]],
  ["try:\n    a\nexcept:\n    pass\na", ["a"]],
  ["try:\n    a\nexcept ValueError:\n    pass", ["a"]],
  ["try:\n    1\nexcept Exception:\n    pass\nelse:\n    a", ["a"]],
  ["from __future__ import annotations\nx: A = b\ndef f(x: C, *y: D) -> E: return x", ["b"]],
  ["from __future__ import division\ndef f(x: C): return x", ["C"]],
])("names that nothing binds in %j: %j", (code, names) => {
  expect(faults(code).undefinedNames).toEqual(names);
});

it.each([
  ["import numpy as np, math", ["numpy"]],
  ["from sklearn.linear_model import Ridge", ["sklearn"]],
  ["import xml.dom.minidom\nfrom collections import deque", []],
  ["from . import sibling\nfrom .near import thing", []],
])("modules that are not in the standard library in %j: %j", (code, modules) => {
  expect(missingModules(faults(code))).toEqual(modules);
});

it("modules that are not among those given", () => {
  const found = faults("import numpy, math\nfrom imp import reload");
  expect(found.imports).toEqual(["imp", "math", "numpy"]);
  expect(missingModules(found, new Set(["math", "numpy"]))).toEqual(["imp"]);
});

it("lists what is defined outside of other definitions", () => {
  const { definitions, bound } = faults("@cache\ndef f():\n    def g(): pass\nclass A:\n    def h(self): pass\nx = 1");
  expect(definitions).toEqual(["f", "A"]);
  expect([...bound].sort()).toEqual(["A", "f", "x"]);
});

it.each([
  ["def f():\n    return int(input())", []],
  ["import sys\ndef f():\n    return sys.stdin.read()", []],
  ["from sys import stdin\ndef f():\n    return 1", []],
  ["def f():\n    return open('/dev/stdin').read()", []],
  ["def f():\n    # does not read stdin\n    return 1", ["f"]],
  ['def f():\n    """Nothing is read from stdin."""\n    return 1', ["f"]],
])("what tests may call of %j: %j", (code, names) => {
  expect(faults(code).callable).toEqual(names);
});

describe("what a judge brings", () => {
  const code = "def run(self, xs: List[int]) -> int:\n        return inf if xs else Counter(xs)\n";
  const undefinedIn = (text: string): readonly string[] => staticFaults(parse(text)).undefinedNames;

  it("is there for a class Solution, and for nobody else", () => {
    expect(undefinedIn(`class Solution:\n    ${code}`)).toEqual([]);
    expect(undefinedIn(`class Answer:\n    ${code}`)).toEqual(["Counter", "List", "inf"]);
  });

  it("is not needed for what the future brings", () => {
    expect(undefinedIn("from __future__ import annotations\n")).toEqual([]);
  });
});
