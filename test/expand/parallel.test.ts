import { expect, it } from "vitest";
import { readCall } from "../../src/expand/call.ts";
import { lettersOf } from "../../src/expand/ingredients.ts";
import { aligned, parallelParameters } from "../../src/expand/parallel.ts";

it.each<[string, string, (readonly [number, number])[]]>([
  ["zipped", "return [x + y for x, y in zip(a, b)]", [[0, 1]]],
  ["mapped", "return list(map(lambda x, y: x * y, a, b))", [[0, 1]]],
  [
    "three zipped",
    "for x, y, z in zip(a, b, c): pass",
    [
      [0, 1],
      [0, 2],
      [1, 2],
    ],
  ],
  ["indexed", "for i in range(len(a)):\n        s += a[i] * c[i]", [[0, 2]]],
  ["zipped after a check", "if len(a) != len(b):\n        raise ValueError\n    return zip(a, b)", [[0, 1]]],
  ["compared", "if len(a) != len(b): return False\n    return all(x == y for x, y in zip(a, b))", []],
  ["indexed by something else", "for i in range(len(a)):\n        s += a[i] * b[0]", []],
  ["zipped with another", "return zip(a, a[1:])", []],
])("finds parameters that are %s", (_, body, expected) => {
  expect(parallelParameters(`def f(a, b, c):\n    ${body}\n`, ["a", "b", "c"])).toEqual(expected);
});

it("brings them to one length", () => {
  const code = "def f(a, n, b):\n    return sum(x * y for x, y in zip(a, b)) + n";
  const lists = aligned(["[1, 2, 3], 5, [4]", "'ab', 0, 'wxyz'", "[], 1, []"], code, ["a", "n", "b"], 0);
  expect(lists).toHaveLength(3);
  for (const args of lists) {
    const [a, , b] = readCall(args).map(({ value }) => (value as { v: string | unknown[] }).v.length);
    expect(a).toBe(b);
  }
});

it("reads the letters that a program looks for", () => {
  expect(lettersOf(['m = {"A": "TCG", "C": "x y"}\nif c in "([{": pass'])).toEqual(["A", "C", "(", "[", "{"]);
  expect(lettersOf(['s.split(" ")', 's.replace("-", "")'])).toEqual([]);
});
