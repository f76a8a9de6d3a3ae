import { expect, it } from "vitest";
import { Domain } from "../../src/behaviour/index.ts";

const inputs = (...list: string[]) => list.map((args) => ({ args }));
const domain = (description: string, reference: string, given: readonly string[], entryPoint = "f") =>
  new Domain({ description, references: [reference], entryPoint }, inputs(...given), { args: given[0]! });

it.each([
  ["n, and no given number is negative or zero", "", "def f(n): return n * n", ["3", "8"], "-4", "4"],
  ["n at zero", "", "def f(n): return n * n", ["3", "8"], "0", "1"],
  [
    "a place: items may be negative, k is not",
    "",
    "def f(xs, k): ...",
    ["[-1, 2], 1", "[0, 4], 3"],
    "[-5, 0], -2",
    "[-5, 0], 2",
  ],
  ["rows that are empty", "", "def f(xs): ...", ["[[1], [2, 3]]"], "[[5], []]", "[[5], [5]]"],
  ["a range", "1 <= n <= 9", "def f(n): ...", ["3", "8"], "14", "5"],
  ["an order", "The list xs is sorted.", "def f(xs): ...", ["[1, 2, 3]", "[2, 5]"], "[4, 1]", "[1, 4]"],
  [
    "lists read in parallel",
    "",
    "def f(a, b): return sum(x * y for x, y in zip(a, b))",
    ["[1], [2]", "[1, 2], [3, 4]"],
    "[1, 2, 3], [4]",
    "[1, 2, 3], [4, 4, 4]",
  ],
  [
    "arguments by keyword",
    "1 <= k <= 9",
    "class S:\n    def f(self, xs, k): ...",
    ["xs=[1], k=3"],
    "xs=[-2], k=20",
    "xs=[2], k=2",
  ],
  ["one argument by keyword", "0 <= k <= 9", "def f(xs, k=1): ...", ["[1], k=3"], "[-2], k=0", "[2], k=0"],
])("changes an input that the task excludes by %s", (_, description, reference, given, args, expected) => {
  const own = domain(description, reference, given);
  expect(own.has({ args })).toBe(false);
  expect(own.fitted({ args })).toEqual({ args: expected });
  expect(own.has({ args: expected })).toBe(true);
});

it.each([
  ["a given input has it", "", "def f(n): ...", ["3", "-8"], "-4"],
  ["a long given input has it", "", "def f(xs): ...", ["[1]", `[-8${", 8".repeat(2000)}]`], "[-4]"],
  ["the reference tests for it", "", "def f(n): return 1 if n == 0 else n", ["3", "8"], "0"],
  [
    "the reference and the description name it",
    "The absolute value.",
    "def f(n): return -n if n < 0 else n",
    ["3"],
    "-4",
  ],
  ["a constraint bounds it", "-9 <= n <= 9", "def f(n): ...", ["3", "8"], "-4"],
  ["a given input contradicts the constraint", "1 <= n <= 5", "def f(n): ...", ["3", "8"], "9"],
  [
    "given lists have other lengths",
    "",
    "def f(a, b): return list(zip(a, b))",
    ["[1], [2]", "[1, 2], [3]"],
    "[1], [2, 3]",
  ],
  ["one given input shows too little", "", "def f(a, b): return list(zip(a, b))", ["[1], [2]"], "[1], [2, 3]"],
  ["it is an expression", "1 <= n <= 5", "def f(n): ...", ["3", "5"], "2 ** 40"],
  ["it names an unknown argument", "1 <= n <= 5", "def f(n): ...", ["3", "5"], "m=40"],
  ["there are no arguments", "", "def f(): ...", [""], ""],
])("keeps an input if %s", (_, description, reference, given, args) => {
  const own = domain(description, reference, given);
  expect(own.has({ args })).toBe(true);
});

it("gives an input up that it cannot change", () => {
  const own = domain("", "def f(xs): ...", ["[1, 2]", "[3]"]);
  expect(own.has({ args: "[]" })).toBe(false);
  expect(own.fitted({ args: "[]" })).toBeNull();
});

it("changes no text for standard input", () => {
  const own = domain("1 <= n <= 5", "def f(n): ...", ["3"]);
  expect(own.has({ stdin: "-1\n" })).toBe(true);
});
