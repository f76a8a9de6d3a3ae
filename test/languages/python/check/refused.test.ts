/** Programs that tree-sitter parses and Python refuses: why, and on which line. The Python of this machine agrees, if there is one. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { isRefused, refusalOf } from "../../../../src/languages/python/check/refused.ts";
import { lineNumber, loadParser } from "../../../../src/languages/python/syntax/parse.ts";

const parse = await loadParser();

const REFUSED: readonly (readonly [code: string, line: number, why: string])[] = [
  ["x = 1\nreturn x", 2, "`return` outside of a function"],
  ["def f():\n    class A:\n        return 1", 3, "`return` outside of a function"],
  ["def f():\n    class A:\n        x = yield", 3, "`yield` outside of a function"],
  ["def f():\n    await x", 2, "`await` outside of an async function"],
  ["async def f():\n    lambda: await x", 2, "`await` outside of an async function"],
  ["def f():\n    async with x:\n        pass", 2, "`async with` outside of an async function"],
  ["def f():\n    async for x in y:\n        pass", 2, "`async for` outside of an async function"],
  ["def f():\n    break", 2, "`break` outside of a loop"],
  ["while x:\n    def f():\n        continue", 3, "`continue` outside of a loop"],
  ["for x in y:\n    pass\nelse:\n    break", 4, "`break` outside of a loop"],
  ["nonlocal x", 1, "`nonlocal` outside of a function"],
  ["def g():\n    def f():\n        nonlocal x\n        x = 1", 3, "no function around it binds `x`"],
  ["x = 1\ndef f():\n    nonlocal x", 3, "no function around it binds `x`"],
  ["def f():\n    x = 1\n    global x", 3, "`x` is used before its `global`"],
  ["def f(x, *, y=1):\n    global y", 2, "`y` is used before its `global`"],
  ["x = 1\nglobal x", 2, "`x` is used before its `global`"],
  ["def f():\n    x = 1\n    def g():\n        print(x)\n        nonlocal x", 5, "`x` is used before its `nonlocal`"],
  ["def f():\n    from math import *", 2, "`import *` is for the top level"],
  ["import os\nfrom __future__ import division", 2, "`from __future__` must be at the beginning"],
  ["from __future__ import braces", 1, "`__future__` has no `braces`"],
  ["def f(a, a):\n    pass", 1, "two parameters are called `a`"],
  ["lambda a, *a: 1", 1, "two parameters are called `a`"],
  ["def f(a=1, b: int = 2, *, c, b):\n    pass", 1, "two parameters are called `b`"],
  ["def f(a=1, b):\n    pass", 1, "a parameter without default follows one with"],
  ["def f(a, (b, c)):\n    pass", 1, "a parameter is in parentheses"],
  ["def f(**k, a):\n    pass", 1, "no parameter may follow `**`"],
  ["def f(*):\n    pass", 1, "a name must follow `*`"],
  ["def f(*a, *b):\n    pass", 1, "`*` is there twice"],
  ["f(a=1,\n  a=2)", 2, "the argument `a` is there twice"],
  ["f(a=1, 2)", 1, "a positional argument follows one by name"],
  ["f(**k, *a)", 1, "a positional argument follows one by name"],
  ["f(,)", 1, "an argument is missing"],
  ["f(x for x in y, 1)", 1, "a tuple or generator needs parentheses"],
  ["x = 1\n(a, b) += 2", 2, "several targets of one operator"],
  ["x = 1\n(a, b): int = 1", 2, "several targets have one annotation"],
  ["a, *b, *c = d", 1, "two targets with `*`"],
  ["*a = b", 1, "`*` outside of a list or tuple"],
  ["x = *y", 1, "`*` outside of a list or tuple"],
  ["*x", 1, "`*` outside of a list or tuple"],
  ["x := 1", 1, "`:=` needs parentheses"],
  ["x = 1\ndel x, f()", 2, "this cannot be deleted"],
  ["with x as (a, 1):\n    pass", 1, "this cannot be assigned to"],
  ["x = 0777", 1, "a number begins with 0"],
  ["x = 10L", 1, "`10L` is not a number"],
  ["x <> y", 1, "Python 3 has no `<>`"],
  ["x = ur'y'", 1, "Python 3 has no such text"],
  ["x = `y`", 1, "Python 3 has no such text"],
  ["async = 1", 1, "`async` is a keyword"],
  ["print 'x'", 1, "`print` is a function"],
  ["raise E, 'x'", 1, "`raise` takes one exception"],
  ["f'{a!x}'", 1, "no conversion `!x`"],
  ["'a' b'b'", 1, "bytes and text stand together"],
  ["b'é'", 1, "bytes have characters beyond ASCII"],
  ["x = 1\ny = 'C:\\Users'", 2, "`\\U` has too few digits"],
  ["b'\\x1'", 1, "`\\x` has too few digits"],
  ["try:\n    x\nexcept:\n    y\nexcept E:\n    z", 3, "`except:` must be the last"],
  ["if x:\n    y\n  else:\n    z", 3, "its indentation differs from that of its statement"],
  ["if x:\n    y\n   z", 3, "its indentation differs from that of its block"],
];

/** Their neighbours, which Python takes. */
const TAKEN: readonly string[] = [
  "f = lambda: (yield)",
  "def f():\n    for x in y:\n        if x: continue\n    else:\n        return",
  "while x:\n    try:\n        pass\n    finally:\n        break",
  "def g(x):\n    def f():\n        nonlocal x\n        x = 1",
  "def g():\n    class A:\n        def f(self):\n            nonlocal x\n    for x in y: pass",
  "def f(a=x):\n    global x",
  "def f():\n    g(x=1).x\n    [x for x in y]\n    (lambda x: x)\n    def h(x): return x\n    global x",
  "def f():\n    global x, x\n    global x",
  "x: int\ndef f():\n    global x\n    x = 1",
  "def f():\n    return (await x for x in y)",
  "async def f():\n    return [await x async for x in y]",
  "'doc'\n# c\nfrom __future__ import annotations\nfrom __future__ import division as d",
  "def f(a, /, b=1, *c, d, e=2, **k):\n    pass",
  "def f(a, b=None, \\\n      c=1): pass",
  "f(a=1, *b, **c, d=2)",
  "f(x, a=1, \\\n  b=2)",
  "(a): int = 1\n(a) += 1\n(a.b): int = 2",
  "[*a, b], *c = d",
  "x = *y, z\nprint(*x)\n(x := 1)\ndel (a, [b.c]), d[0]",
  "with a as (b, [c.d]), e as f[0]: pass",
  "x = 00 + 0_0 + 0.5 + 0123.5 + 0o17",
  "x = 0b1, 1_000, 0x_f, 1j, 012j",
  "f'{a!r:>{b}}' '\\\\x' r'\\x' '\\u00e9\\U0010ffff\\N{EM DASH}'\nb'\\u'",
  "try:\n    x\nexcept (A, B) as e:\n    y\nexcept:\n    z",
  "if x: pass\nelif y: pass\nelse: pass",
  "match x:\n    case [a, *b]: pass\n    case _: pass",
  "async def f():\n    async with x: yield 1",
];

it.each(REFUSED)("%j: line %i, %s", (code, line, why) => {
  const found = refusalOf(parse(code));
  expect([found?.at === undefined ? null : lineNumber(code, found.at!), found?.why]).toEqual([line, why]);
});

it.each(TAKEN)("takes %j", (code) => {
  expect([isRefused(parse(code)), refusalOf(parse(code))]).toEqual([false, null]);
});

it("has no line for what is nested too deeply, and none of its own where the parser refuses", () => {
  expect(refusalOf(parse(`${"(".repeat(201)}1${")".repeat(201)}`))).toEqual({
    at: null,
    why: "it is nested too deeply",
  });
  expect([isRefused(parse("def f(:")), refusalOf(parse("def f(:"))]).toEqual([true, null]);
});

it("takes no longer for many declarations", () => {
  const body = Array.from({ length: 3000 }, (_, i) => `        nonlocal a${i % 50}\n        a${i % 50} = ${i}\n`);
  const code = `def f():\n    def g():\n${body.slice(0, 100).join("")}${"        nonlocal a0\n".repeat(20_000)}    a0 = 1\n`;
  const began = performance.now();
  refusalOf(parse(code));
  expect(performance.now() - began).toBeLessThan(10_000);
});

const ASK = `
import json, sys, warnings
warnings.simplefilter("ignore")
def line(code):
    try:
        compile(code, "c", "exec")
    except (SyntaxError, ValueError) as error:
        return getattr(error, "lineno", 0)
print(json.dumps([line(code) for code in json.load(sys.stdin)]))
`;
const asked = spawnSync("python3", ["-c", ASK], {
  input: JSON.stringify([...REFUSED.map(([code]) => code), ...TAKEN]),
  encoding: "utf8",
});

describe.skipIf(asked.status !== 0)("Python itself", () => {
  it("says the same", () => {
    expect(JSON.parse(asked.stdout)).toEqual([...REFUSED.map(([, line]) => line), ...TAKEN.map(() => null)]);
  });
});
