import { expect, it } from "vitest";
import { MARKS, staticMarks } from "../../../../src/languages/python/index.ts";
import { loadParser } from "../../../../src/languages/python/syntax/parse.ts";

const parse = await loadParser();

/** The marked pieces of the source, with white space at line breaks as one blank. */
const marked = (code: string, mark: number): string[] =>
  staticMarks(parse(code))
    .filter((place) => place.mark === mark)
    .map(({ start, end }) => code.slice(start, end).replace(/\s+/g, " "));

it.each([
  ["def f(x):\n    return x\n    x += 1\n    print(x)\n", ["x += 1 print(x)"]],
  ["def f(x):\n    raise ValueError\n    return x\n", ["return x"]],
  ["for x in 'ab':\n    continue\n    print(x)\nprint()\n", ["print(x)"]],
  ["for x in 'ab':\n    if x:\n        break\n        print(x)\n    print()\n", ["print(x)"]],
  ["def f(x):\n    if x:\n        return 1\n    else:\n        return 2\n    return 3\n", ["return 3"]],
  ["def f(x):\n    if x:\n        return 1\n    elif x is None:\n        return 2\n    return 3\n", []],
  ["if False:\n    print(1)\nelse:\n    print(2)\n", ["print(1)"]],
  ["if True:\n    print(1)\nelse:\n    print(2)\n", ["else: print(2)"]],
  ["def f():\n    while True:\n        pass\n    return 1\n", ["return 1"]],
  ["def f(x):\n    while True:\n        if x:\n            break\n    return 1\n", []],
  ["def f(x):\n    while 1:\n        for y in x:\n            break\n    return 1\n", ["return 1"]],
  [
    "def f(x):\n    while 1:\n        for y in x:\n            pass\n        else:\n            break\n    return 1\n",
    [],
  ],
  ["def f(x):\n    return x\n    # a remark\n", []],
  ["def f(x):\n    try:\n        return 1\n    except ValueError:\n        pass\n    return x\n", []],
  ["def f(x:\n    return x\n    print(x)\n", []],
])("what is never reached in %j: %j", (code, pieces) => {
  expect(marked(code, MARKS.unreachable)).toEqual(pieces);
});

it.each([
  ["def f(x, y):\n    z = x\n    return x\n", ["y", "z"]],
  ["def f(x):\n    x = 1\n", ["x", "x"]],
  ["def f(n):\n    for i in range(n):\n        pass\n    a, b = n\n", []],
  ["def f(x):\n    def g():\n        return x\n    return g\n", []],
  ["def f(x):\n    return f'{x}'\n", []],
  ["def f(self, _x, *args, k=1, **more):\n    pass\n", ["args", "k", "more"]],
  ["f = lambda x, y: x\n", ["f", "y"]],
  ["def f(x):\n    x.append(1)\n    x[0] = 2\ndef g(x):\n    pass\n", ["x"]],
  ["total = 0\ndef f():\n    global total\n    total = 1\n", []],
  ["class A:\n    size = 1\n    def f(self):\n        self.n = 1\n", []],
  ["def f(x):\n    return locals()\n", []],
  ["def f(x):\n    return 1\n    y = 2\n", ["x"]],
  ["g(x=1)\nx = 1\n", ["x"]],
  ["if (n := 2):\n    pass\n", ["n"]],
])("what is never read in %j: %j", (code, pieces) => {
  expect(marked(code, MARKS.unused)).toEqual(pieces);
});

it("keeps marks apart: names that nothing binds show within code that is never reached", () => {
  const code = "def f():\n    return 1\n    return a + b\n";
  const marks = staticMarks(parse(code)).map(({ start, end, mark }) => [code.slice(start, end), mark]);
  expect(marks).toEqual([
    ["return ", MARKS.unreachable],
    ["a", MARKS.undefinedName],
    [" + ", MARKS.unreachable],
    ["b", MARKS.undefinedName],
  ]);
});
