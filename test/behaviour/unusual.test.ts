import { expect, it } from "vitest";
import { handledBy, madeUsual, unusual } from "../../src/behaviour/unusual.ts";

it.each([
  ["-3", true],
  ["0", true],
  ["0.0", true],
  ["[]", true],
  ["[1, ['']]", true],
  ["{'a': -1}", true],
  ["xs=[1, 2], k=()", true],
  ["3", false],
  ["[1, 20, 0.5]", false],
  ["'-3 0'", false],
])("%s is unusual beside examples without signs, zeros and empty lists: %s", (args, expected) => {
  expect(unusual([{ args }], [{ args: "[1, 2], 'ab'" }])).toEqual([expected]);
});

it("takes for usual what an example has", () => {
  expect(unusual([{ args: "-3" }, { args: "0" }, { args: "[]" }], [{ args: "[-1, 0]" }])).toEqual([false, false, true]);
});

it("reads numbers of a text for standard input", () => {
  const inputs = ["3\n1 2 3\n", "3\n1 -2 3\n", "0\n", "10 x-1 1.0\n"].map((stdin) => ({ stdin }));
  expect(unusual(inputs, [])).toEqual([false, true, true, false]);
});

it.each([
  ["def f(a, b):\n    return None if b == 0 else a / b", "", ["zero"]],
  ["def f(n):\n    return n % 2 == 0 or n % (n - 1) != 0", "", []],
  ["def f(n):\n    '''n > 0'''\n    return n * 10 >= 0.5  # n == 0", "", []],
  ["def f(xs):\n    if not xs: return 0\n    return xs[0]", "", ["empty"]],
  ["def f(xs):\n    return len(xs) <= 1 or xs == ''", "", ["empty"]],
  ["def f(xs):\n    return sum(xs) / len(xs) if xs else 0", "", ["empty"]],
  ["def f(xs):\n    return max(xs, default=0)", "0 for an empty list.", ["empty"]],
  ["def f(xs):\n    return max(xs)", "The largest item of a non-empty list.", []],
  ["def f(n):\n    return -n if n < 0 else n", "The distance of negative numbers.", ["zero", "negative"]],
  ["def f(n):\n    return -n if n < 0 else n", "For a non-negative number.", ["zero"]],
  ["def f(n):\n    return -n if n < 0 else n", "", ["zero"]],
])("%j handles, described by %j: %j", (reference, description, traits) => {
  const task = { reference, description, candidates: [] };
  const entry = { kind: "call", name: "f" } as const;
  expect(handledBy(task, entry)).toEqual(traits);
  expect(handledBy({ ...task, reference: null }, entry)).toEqual([]);
  expect(unusual([{ args: "0" }, { args: "-1" }], [], handledBy(task, entry))).toEqual(
    ["zero", "negative"].map((trait) => !traits.includes(trait)),
  );
});

it.each([
  ["-3, 0, -0.5, k=-1", [], "3, 1, 0.5, k=1"],
  ["-3, 0", ["negative"], "-3, 1"],
  ["[-7, -4, 2, 9]", [], "[2, 4, 7, 9]"],
  ["[-4, 4, 3]", [], "[4, 5, 3]"],
  ["[[1, 2], [], (0,)]", [], "[[1, 2], [1, 2], (1,)]"],
  ["[('', 3), ('ab', 0)]", [], "[('', 3), ('ab', 1)]"],
  ["['', 'ab', 3]", [], "['ab', 'ab', 3]"],
  ["{-1: 0, 1: 'a'}", [], "{1: 'a'}"],
  ["{-1, 1}", [], "{1}"],
  ["[], ''", [], "[], ''"],
  ["[3, 1]", [], "[3, 1]"],
] as const)("makes %s usual, where %j is: %s", (args, usual, expected) => {
  expect(madeUsual({ args }, (trait) => usual.some((one) => one === trait))).toEqual({ args: expected });
});
