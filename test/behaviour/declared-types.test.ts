import { describe, expect, it } from "vitest";
import { classesOf } from "../../src/behaviour/classes.ts";
import { type Constraints, readConstraints } from "../../src/behaviour/constraints/index.ts";
import { constraintsOnCalls } from "../../src/behaviour/sequences.ts";
import { testedBy } from "../../src/behaviour/unusual.ts";

const read = (description: string, names: string, sample: string, reference = ""): Constraints =>
  readConstraints(description, names.split(", "), { args: sample }, [], reference);

const held = (constraints: Constraints, inputs: readonly string[]): string[] =>
  inputs.filter((args) => constraints.hold({ args }));

const SHIP = 'def ship(name, qty):\n    return f"{name} x {qty}" if qty else ""\n';

describe("a positive quantity, although the sample has a text there", () => {
  it.each([
    "qty is a positive int.",
    "name is a string, qty is a positive integer.",
    "qty >= 1\nReturn the label.",
    "qty is at least 1.",
    "qty is an integer and at least 1.",
    "name (str) and qty (int, 1 or more).",
    "qty is always positive.",
    "qty must be positive",
    "Takes a name (str) and a qty (int >= 1).",
    "Args:\n    name (str): who\n    qty (int): at least 1\n\nReturns:\n    str: the label",
    ":param str name: who\n:param int qty: number of pieces\n:param qty: at least 1",
    "- name: a non-empty string\n- qty: integer, 1 or more",
    "Given a string name and a positive integer qty, join them.",
    "qty is an int between 1 and 9.",
    "qty (an integer from 1 to 9)",
    "qty, a positive integer, comes last.",
    "qty is an int >= 1.",
    "qty is an int of at least 1.",
  ])("is read from %j", (description) => {
    const constraints = read(description, "name, qty", "'', ''", SHIP);
    expect(held(constraints, ["'a', 1", "'a', 0", "'a', -1", "'a', ''"])).toEqual(["'a', 1"]);
    expect(constraints.hold(constraints.fitted({ args: "'a', ''" }))).toBe(true);
  });
});

it.each<[string, string, string, string, string[]]>([
  ["names is a list of str, never empty.", "names", "3", "['a']", ["[]", "[1]", "'a'"]],
  ["flags are booleans.", "flags", "[1]", "[True]", ["[1]", "['a']"]],
  ["rate is a float between 0 and 1.", "rate", "'a'", "0.5", ["1.5", "'a'"]],
  [
    "Given a list xs, an integer k and a string s.",
    "xs, k, s",
    "1, 1, 1",
    "[1], 2, 'a'",
    ["[1], '2', 'a'", "1, 2, 'a'"],
  ],
  ["2 <= base < 10 and x >= 1", "x, base", "3, 3", "1, 2", ["0, 2", "1, 1", "1, 10"]],
  ["base numbers are less than 10.", "x, base", "3, 3", "1, 9", ["1, 10"]],
  ['mode is one of "fast", "slow".', "mode", "3", "'slow'", ["'x'", "3"]],
  ['sep is one of "," ";" and "|". A field', "sep", "'a'", "';'", ["'a'"]],
  ["Args:\n    n (int): how many of them pass, 1 or more.\n\nThe rest", "n", "'a'", "1", ["0", "'a'"]],
  ["All amounts are ints greater than 0.", "amount", "'a'", "1", ["0", "'a'"]],
  ["Plates are non-empty strings, in upper case", "plate", "3", "'a'", ["''", "3"]],
  ["width, the number of characters, is an int >= 1.", "width", "'a'", "1", ["0", "'a'"]],
  ["total is the bill in cents (int, 0 or more).", "total", "'a'", "0", ["-1", "'a'"]],
  ["weights is a non-empty list of ints, each at least 0.", "weights", "[1]", "[0]", ["[]", "[-1]", "['a']"]],
  ["rows a list of lists of the same length.", "rows", "'a'", "[[1]]", ["'n'", "['n']"]],
  ["f(n)\n  n: the loan in cents, int, 1 to 10_000", "n", "'a'", "10000", ["0", "10001"]],
  ["who(minute), for a minute from 0 to 1439, returns it.", "minute", "1", "1439", ["-1", "1440"]],
  ["Write Meter(rate, most), both positive integers.", "rate, most", "1, 1", "1, 1", ["0, 1", "1, 0"]],
  ["submit(pages, urgent=False) takes a page count (int, at least one).", "pages", "'a'", "1", ["0", "'a'"]],
  [
    "split(total, sizes) takes the total (int >= 0) and room sizes (positive ints).",
    "total, sizes",
    "1, [1]",
    "0, [1]",
    ["-1, [1]", "1, [0]"],
  ],
  ["Items and tags are non-empty strings.", "item, tag", "1, 1", "'a', 'b'", ["'', 'b'", "'a', ''", "1, 'b'"]],
  ["names is a list of different names.", "names", "['a']", "['a', 'b']", ["['a', 'a']"]],
  ["visible is an int, zero or more.", "visible", "1", "0", ["-1"]],
  [
    "rules is a list of (folder, allowed) pairs with allowed a bool.",
    "rules",
    "[('a', 1)]",
    "[('a', True)]",
    ["[('a', 1)]"],
  ],
  ['Each version has the form "MAJOR.MINOR", such that "1.10" is above "1.9".', "v", "'a'", "'2.0'", ["'2'", "'a'"]],
  ["Cuts to the end, 0 <= start < end <= current length.", "start, end", "1, 2", "0, 3", ["-1, 2", "2, 2"]],
])("%j", (description, names, sample, good, bad) => {
  const constraints = read(description, names, sample, "def f(x, base):\n    while x > 0:\n        x //= base\n");
  expect(held(constraints, [good, ...bad])).toEqual([good]);
});

it("reads the fields of records", () => {
  const constraints = read(
    'Each order has "name" (a string), "price" (a positive number) and "status", which is one of "paid" or "open".',
    "orders",
    "[{'name': 'a', 'price': 2, 'status': 'x'}]",
  );
  const order = (name: string, price: string, status: string): string =>
    `[{'name': ${name}, 'price': ${price}, 'status': ${status}}]`;
  const good = order("'b'", "2.5", "'paid'");
  expect(
    held(constraints, [good, order("1", "2", "'paid'"), order("'b'", "0", "'open'"), order("'b'", "2", "3")]),
  ).toEqual([good]);
  expect(constraints.fitted({ args: order("1", "'b'", "3") })).not.toEqual({ args: order("1", "'b'", "3") });
  expect(constraints.hold(constraints.fitted({ args: order("1", "'b'", "3") }))).toBe(true);
});

it.each<[string, string, string, string, string[]]>([
  ['Shortens a path like "/home/ann/a.txt".', "path, n", "'a', 1", "'/b/c.d', 1", ["'a', 1", "'', 1"]],
  ['Gets a duration such as "1h30m" or "45s".', "text", "'a'", "'2d'", ["'m'", "'5'"]],
  ['The coupon is "" for none, or a text (like "P15").', "coupon", "'a'", "''", ["'5'", "'P'"]],
  ['A version is e.g. "2.10" or "2.0-rc3".', "versions", "['a']", "['1.0']", ["['2']", "['']"]],
  [
    "rows is a list of (lo, hi) tuples, sorted by rising lo.",
    "rows",
    "[(1, 2)]",
    "[(1, 2), (3, 1)]",
    ["[(3, 1), (1, 2)]"],
  ],
  ["rows is a list of (lo, hi) tuples of positive ints.", "rows", "[(1, 2)]", "[(1, 2)]", ["[(1, 0)]", "[(1, 2, 3)]"]],
])("reads the form of values from %j", (description, names, sample, good, bad) => {
  const constraints = read(description, names, sample);
  expect(held(constraints, [good, ...bad])).toEqual([good]);
  for (const args of bad) expect(constraints.hold(constraints.fitted({ args }))).toBe(true);
});

it.each([
  ['Returns a text like "[###]".', "text"],
  ["s contains only '(' and ')' (or '[').", "s"],
  ['For example, "ab" is valid.', "s"],
])("reads no form of an argument from %j", (description, names) => {
  expect(read(description, names, "'a'").all.filter(({ kind }) => kind === "form")).toEqual([]);
});

it("reads the kinds of fields together, and ranges that end at another field", () => {
  const constraints = read(
    'A list of dicts, each with the string fields "name" and "email", and "due" (int, 1 or more), "paid" (int, from 0 to due).',
    "rows",
    "[{'name': 1, 'email': 2, 'due': 3, 'paid': 1}]",
  );
  const row = (name: string, due: number, paid: number): string =>
    `[{'name': ${name}, 'email': 'e', 'due': ${due}, 'paid': ${paid}}]`;
  expect(held(constraints, [row("'a'", 2, 2), row("1", 2, 2), row("'a'", 2, 3), row("'a'", 0, 0)])).toEqual([
    row("'a'", 2, 2),
  ]);
});

it.each([
  ["A perfect number is a positive integer.", "n", "'a'"],
  ["If qty is an int, return it.", "qty", "'a'"],
  ["Return the string word.", "word", "1"],
  ["words: each has a name (a string)", "words", "1"],
  ["Given a list xs, a string s is returned.", "xs", "'a'"],
  ["Given an integer n represented as a string.", "n", "'13'"],
  ["The string words[i] comes first.", "words", "['a']"],
  ["Raises: ValueError if it is negative (n is an int).", "x", "'a'"],
  ["rates: dict from worker to the hourly rate (int)", "rates", "{}"],
])("reads no type of an argument from %j", (description, names, sample) => {
  const { all } = read(description, names, sample);
  const direct = all.filter((one) => one.kind === "types" && one.part.path.length === 0);
  expect(direct.filter((one) => one.kind === "types" && !one.types.includes("list"))).toEqual([]);
});

it("believes an annotation before words", () => {
  const reference = "def f(num1: str, num2: str) -> str:\n    return num1\n";
  expect(read("num1 and num2 are integers.", "num1, num2", "'2', '3'", reference).all).toEqual([]);
});

it("keeps what the reference decides by, and not the condition of a loop", () => {
  const decided = "def f(age):\n    return age >= 18\n";
  expect(read("age is at least 18.", "age", "20", decided).all).toEqual([]);
  const base = "def f(age):\n    return 1 if age <= 18 else age\n"; // 18 itself is a case
  expect(read("age is at least 18.", "age", "20", base).all).toHaveLength(1);
  expect(testedBy("def f(x):\n    while x > 0:\n        x -= 1\n")).toEqual([]);
  expect(testedBy("def f(x):\n    if x > 0:\n        x -= 1\n")).toContain("zero");
});

describe("the methods of a class", () => {
  const body = `class Inventory:
    def __init__(self, limit):
        self.stock = {}
    def add(self, name, qty):
        self.stock[name] = self.stock.get(name, 0) + qty
    def between(self, low, high):
        return [n for n, q in self.stock.items() if low <= q <= high]
`;
  const description =
    "Inventory(limit) has a positive limit (int). add(name, qty): name is a str, qty is a positive int. between(low, high) with low <= high.";
  const constraints = constraintsOnCalls({ reference: body, description, candidates: [] }, classesOf(body)[0]!);

  it("have constraints on their arguments", () => {
    const good = "[('Inventory', 3), ('add', 'a', 1), ('between', 1, 2)]";
    const bad = [
      "[('Inventory', 3), ('add', 'a', 0)]",
      "[('Inventory', 3), ('add', (0,), 1)]",
      "[('Inventory', 'x'), ('add', 'a', 1)]",
    ];
    expect(held(constraints, [good, ...bad])).toEqual([good]);
    expect(constraints.fitted({ args: bad[0]! })).toEqual({ args: "[('Inventory', 3), ('add', 'a', 2)]" });
    expect(constraints.typesOf("qty")).toEqual(["int"]);
    expect(constraints.typesOf("low")).toBe(null);
  });
});
