import { describe, expect, it } from "vitest";
import { type Constraints, readConstraints } from "../../src/behaviour/constraints/index.ts";
import { multiplesNear } from "../../src/behaviour/constraints/repair.ts";
import { unusual } from "../../src/behaviour/unusual.ts";
import { cpuS } from "../cpu.ts";

const read = (description: string, names: string, sample: string, shown: readonly string[] = []): Constraints =>
  readConstraints(
    description,
    names.split(", "),
    { args: sample },
    shown.map((args) => ({ args })),
  );

const holding = (constraints: Constraints, inputs: readonly string[]): string[] =>
  inputs.filter((args) => constraints.hold({ args }));

const changed = (constraints: Constraints, args: string): string => {
  const fitted = constraints.fitted({ args });
  return "args" in fitted ? fitted.args : "";
};

/** Description, a sample, a list that must not be empty, with what it is filled. */
it.each<[string, string, string, string]>([
  ["1 <= len(xs) <= 5", "['ab', 'c']", "[]", "['ab']"],
  ["2 <= len(xs) <= 5; all elements of xs are distinct", "['ab', 'c']", "[]", "['ab', 'c']"],
  ["xs is a non-empty list of str", "[]", "[]", "['abc']"],
  ["xs is a non-empty list of str", "[7]", "[]", "['abc']"],
  ["1 <= xs[i].length <= 5", "[['a'], ['b', 'c']]", "[[], ['x']]", "[['a'], ['x']]"],
  ["xs is not empty", "[(1, 'a')]", "[]", "[(1, 'a')]"],
  ["xs is not empty", "[]", "[]", "[1]"],
])("'%s' with the sample %s makes %s %s", (rule, sample, given, expected) => {
  expect(changed(read(`Constraints:\n- ${rule.replace("; ", "\n- ")}`, "xs", sample), given)).toBe(expected);
});

/** Description, parameters, an input that satisfies it (also the sample), inputs that break it. */
it.each<[string, string, string, string[]]>([
  ["Constraints:\n- 1 <= n <= 10^4", "n", "10000", ["0", "10001", "-5"]],
  ["Constraints:\n1 ≤ n ≤ 2 * 10^5", "n", "200000", ["0", "200001"]],
  [
    "The length of ops list is equal to the length of nums list minus one.",
    "ops, nums",
    "['+'], [1, 2]",
    ["['+'], [1]"],
  ],
  ["Ops has exactly one fewer item than nums.", "ops, nums", "['+'], [1, 2]", ["['+', '-'], [1, 2]"]],
  ["nums has at least two numbers and at most 5 in total.", "nums", "[1, 2]", ["[1]"]],
  ["Operand list has at least two operands.", "operand", "[1, 2]", ["[1]"]],
  ["lo is less than or equal to hi.", "lo, hi", "1, 2", ["2, 1"]],
  ["It is assumed that lo is less or equal its hi.", "lo, hi", "1, 1", ["2, 1"]],
  ["Given a balanced parentheses string s, return its score.", "s", "'(()())'", ["'(()'", "')('"]],
  ["Input to this function is a string containing multiple groups of nested parentheses.", "s", "'(()) ()'", ["'(('"]],
  ["You may assume that square brackets are well-formed.", "s", "'3[a2[c]]'", ["'3[a'", "'a]'", "'(]'"]],
  ["Constraints:\n$1 \\le n \\le 10^{5}$", "n", "100000", ["0", "100001"]],
  ["Constraints:\n- 0 &lt;= n &lt;= 10**9", "n", "1000000000", ["1000000001", "-1"]],
  ["Constraints:\n- 0 < n < 10⁵", "n", "99999", ["0", "100000"]],
  ["Constraints:\n- n >= 1 and at most what fits\n- n ≤ 1,000", "n", "1000", ["1001", "0"]],
  ["Constraints:\n- -2^31 <= n <= 2^31 - 1", "n", "2147483647", ["2147483648", "-2147483649"]],
  ["Constraints:\n- 1 <= n <= 105", "n", "100000", ["100001"]],
  [
    "Constraints:\n- `1 <= nums.length <= 3`\n- `-5 <= nums[i] <= 5`",
    "nums",
    "[5, -5, 0]",
    ["[]", "[1, 2, 3, 4]", "[6]"],
  ],
  ["Constraints:\n* 1 <= len(xs) <= 3", "xs", "[1]", ["[]", "[1, 2, 3, 4]"]],
  ["Constraints:\n* 1 <= |s| <= 3", "s", "'abc'", ["''", "'abcd'"]],
  ["Constraints:\n- 0 ≤ a_i ≤ 10^9", "a", "[0, 3]", ["[-1]"]],
  ["Constraints:\n- 1 <= k <= nums.length", "nums, k", "[1, 2], 2", ["[1, 2], 3", "[1, 2], 0"]],
  [
    "Constraints:\n- 0 <= left <= right < nums.length",
    "nums, left, right",
    "[1, 2], 0, 1",
    ["[1, 2], 1, 0", "[1], 0, 1"],
  ],
  [
    "Constraints:\n- m == grid.length\n- n == grid[i].length\n- 1 <= m, n <= 2",
    "grid",
    "[[1, 2], [3, 4]]",
    ["[[1], [2, 3]]", "[[1, 2, 3]]", "[]"],
  ],
  [
    "You get edges where edges[i] = [a_i, b_i].\nConstraints:\n- 0 <= a_i < b_i < n",
    "n, edges",
    "3, [[0, 2], [1, 2]]",
    ["3, [[2, 0]]", "2, [[0, 2]]"],
  ],
  ["Constraints:\n- 2n == row.length\n- 2 <= n <= 3", "row", "[1, 2, 3, 4]", ["[1, 2]", "[1, 2, 3, 4, 5]"]],
  ["Constraints:\n- nums1.length == nums2.length", "nums1, nums2", "[1], [2]", ["[1], [2, 3]"]],
  ["Constraints:\n- nums[i] != 0", "nums", "[1, -1]", ["[1, 0]"]],
  ["Constraints:\n- n is in the range [1, 10^3]", "n", "1000", ["0", "1001"]],
  ["Given an integer n (1 <= n <= 100), add its digits.", "n", "100", ["0", "101"]],
  ["Given a list of numbers between 1 and 9, return the sum.", "xs", "[1, 9]", ["[0]", "[10, 1]"]],
  ["lo is at most hi.", "x, lo, hi", "5, 1, 3", ["5, 3, 1"]],
  ["lo is never greater than hi.", "x, lo, hi", "5, 3, 3", ["5, 3, 1"]],
  ["n is never negative.", "n", "0", ["-1"]],
  ["k is at least 1 and `low` is less than `high`.", "k, low, high", "1, 2, 3", ["0, 2, 3", "1, 3, 3"]],
  ["Takes limit and window, both positive integers.", "limit, window", "1, 2", ["0, 2", "1, 0"]],
  ["Return the lcm of two positive integers a and b.", "a, b", "2, 1", ["0, 1", "1, -2"]],
  ["a and b are positive.", "a, b", "2, 1", ["0, 1", "1, 0"]],
  ["header is a non-empty list of strings.", "header, rows", "['a'], []", ["[], []"]],
  ["The list xs is sorted in non-decreasing order.", "xs", "[1, 1, 2]", ["[2, 1]"]],
  ["You are given an array xs. xs is sorted in strictly increasing order.", "xs", "[1, 2]", ["[1, 1]", "[2, 1]"]],
  ["The list xs is sorted in descending order.", "xs", "[2, 1]", ["[1, 2]"]],
  ["Given a sorted array of integers, find the first even one.", "xs", "[1, 2]", ["[2, 1]"]],
  ["Given two sorted arrays xs and ys, merge them.", "xs, ys", "[1, 2], [3]", ["[2, 1], [3]", "[1], [3, 2]"]],
  ["Constraints:\n- s consists of lowercase English letters.", "s", "'abz'", ["'aB'", "'a b'", "'1'"]],
  [
    "Constraints:\n- s and t consist of only lowercase letters, digits, and spaces",
    "s, t",
    "'a 1', 'b'",
    ["'A', 'b'", "'a', 'B'"],
  ],
  ["Constraints:\n- words[i] consists of uppercase letters", "words", "['AB']", ["['AB', 'c']"]],
  ["Constraints:\n- s[i] is either '(' or ')'", "s", "'(()'", ["'(a)'"]],
  ["Constraints:\n- strs[i] consists only of digits '0' and '1'.", "strs", "['01']", ["['2']"]],
  ["The string consists of only 0s and 1s.", "s", "'0110'", ["'012'"]],
  ["Given a binary string s, count the runs.", "s", "'0110'", ["'ab'"]],
  ["Constraints:\n- All strings consist of lowercase letters.", "xs, s", "['a'], 'b'", ["['A'], 'b'", "['a'], 'B'"]],
  ["Constraints:\n- nums[i] is either 0 or 1", "nums", "[0, 1]", ["[2]"]],
  ['Constraints:\n- key is equal to either "type" or "name".', "key", "'type'", ["'color'"]],
  ["Constraints:\n- All the values of nums are unique.", "nums", "[1, 2]", ["[1, 1]"]],
  ["You are given an array nums of distinct integers.", "nums", "[1, 2]", ["[1, 1]"]],
  ["Given a list of positive integers, return the largest.", "xs", "[1, 2]", ["[0]", "[1, -1]"]],
  ["Given a non-negative integer n, return its root.", "n", "0", ["-1"]],
  ["Given two positive integers a and b, return the sum.", "a, b", "1, 2", ["0, 1", "1, 0"]],
  ["Given a non-empty list, return its middle.", "xs", "[1]", ["[]"]],
  ["Constraints:\n- n is even", "n", "4", ["3"]],
  ["The length of the two lists is equal. Add them.", "xs, ys", "[1], [2]", ["[1], []"]],
  ["Given two strings of equal length, count the differences.", "s, t", "'a', 'b'", ["'a', ''"]],
  ["Constraints:\n- All words in xs have the same length", "xs", "['ab', 'cd']", ["['ab', 'c']"]],
  ["Constraints:\n- s does not have leading or trailing spaces.", "s", "'a b'", ["' a'", "'a '", "'a  b'"]],
  ["Constraints:\n- num does not contain any leading zeros", "num", "'105'", ["'05'"]],
])("%s", (description, names, good, bad) => {
  const constraints = read(description, names, good);
  expect(constraints.all).not.toEqual([]);
  expect(holding(constraints, [good, ...bad])).toEqual([good]);
  for (const args of bad) expect(constraints.hold({ args: changed(constraints, args) })).toBe(true);
  expect(changed(constraints, good)).toBe(good);
});

it.each([
  ["Return whether the list is sorted in ascending order.", "xs", "[1]"],
  ["Return a list of positive integers.", "xs", "[1]"],
  ["If n is even, halve it. If 1 <= n <= 5, double it.", "n", "4"],
  ["Find the number of pairs where 0 <= i < j < nums.length and nums[i] < nums[j].", "nums", "[1]"],
  ["A perfect number is a positive integer that is equal to the sum of its divisors.", "n", "6"],
  ["Sort a list by the last item from a given list of non-empty tuples.", "tuples", "[(1, 2)]"],
  ["Raises: ValueError if the number is negative (number < 0).", "number", "6"],
  ["```python\ndef f(n):\n    assert 1 <= n <= 3\n```", "n", "1"],
  ["Example 1:\nInput: n = 1\nOutput: 1\nExplanation: 1 <= n <= 3", "n", "1"],
  ["Constraints:\n- 0 <= k < 2 ^ n", "k", "1"],
  ["Constraints:\n- 0 <= k <= n * (n - 1) / 2", "n, k", "3, 1"],
])("reads no upper bound, order or sign from: %s", (description, names, sample) => {
  const { all } = read(description, names, sample);
  expect(all.filter((one) => one.kind !== "order" || one.right.part === null || one.left.part !== null)).toEqual([]);
});

describe("a statement of prose", () => {
  const ofReference = (description: string, names: string, sample: string, reference: string): Constraints =>
    readConstraints(description, names.split(", "), { args: sample }, [], reference);

  it.each<[string, string, string, string[]]>([
    ["Pads a text to exactly width characters. width >= 2.", "text, width", "'a', 2", ["'a', 1"]],
    ["Pads a text (with 2 <= width).", "text, width", "'a', 2", ["'a', 1"]],
    ["Pads a text. The width is at least 2.", "text, width", "'a', 2", ["'a', 1"]],
    ["Pads a text. width must be 5 or more.", "text, width", "'a', 5", ["'a', 4"]],
    ["Sums digits. n is less than 10.", "n", "9", ["10"]],
    [
      "Averages. values is a list of integers and k is at least 1 and at most len(values).",
      "values, k",
      "[1, 2], 2",
      ["[1, 2], 3", "[1, 2], 0"],
    ],
    [
      "Days from start to end, dates as YYYY-MM-DD with start <= end.",
      "start, end",
      "'2024-02-28', '2024-03-01'",
      ["'2024-03-01', '2024-02-28'"],
    ],
    ["Merges pairs (start, end), start < end.", "shifts", "[(1, 2), (3, 5)]", ["[(2, 1)]", "[(1, 1)]"]],
    [
      "busy is a list of (start, end) pairs, with open_at <= start < end <= close_at, in any order. Return the gaps.",
      "busy, open_at, close_at",
      "[(1, 2), (4, 6)], 1, 6",
      ["[(2, 1)], 1, 6", "[(0, 2)], 1, 6", "[(1, 7)], 1, 6"],
    ],
    ["All rows have the same length. Rotate it.", "matrix, times", "[[1, 2], [3, 4]], 1", ["[[1], [2, 3]], 1"]],
    ["Rotates a rectangular grid.", "grid", "[[1, 2], [3, 4]]", ["[[1], [2, 3]]"]],
  ])("%j", (description, names, sample, broken) => {
    const reference = "def f(busy):\n    for start, end in sorted(busy):\n        pass\n";
    const constraints = ofReference(description, names, sample, description.startsWith("busy") ? reference : "");
    expect(holding(constraints, [sample, ...broken])).toEqual([sample]);
    for (const args of broken) expect(constraints.hold({ args: changed(constraints, args) })).toBe(true);
  });

  it.each([
    "Return True if width >= 2.",
    "Count the pairs (start, end) with width > 2.",
    "A wide text, width > 2, is cut; others are padded.",
    "Return the items x where x >= 3, width > 1 of them.",
  ])("%j is none if it is a condition, or the reference decides by it", (description) => {
    const reference =
      "def f(text, width):\n    if width > 2:\n        return text[:width]\n    return text.ljust(width)\n";
    expect(ofReference(description, "text, width", "'a', 2", reference).all).toEqual([]);
  });

  it("counts if the reference only raises", () => {
    const reference =
      "def f(text, width):\n    if width < 2:\n        raise ValueError(width)\n    return text.ljust(width)\n";
    expect(ofReference("width >= 2.", "text, width", "'a', 2", reference).all).toHaveLength(1);
  });
});

it("reads from the reference that rows are a matrix, and which part of a row is the smaller", () => {
  const code = (body: string): string => `def f(rows):\n    ${body}\n`;
  const of = (body: string, sample: string): Constraints =>
    readConstraints("", ["rows"], { args: sample }, [], code(body));
  const matrix = of("return [len(rows[0])] + rows", "[[1, 2], [3, 4]]");
  expect(holding(matrix, ["[[1, 2], [3, 4]]", "[[1], [2, 3]]"])).toEqual(["[[1, 2], [3, 4]]"]);
  const ordered = of("return [e - s for s, e in sorted(rows)]", "[(1, 2)]");
  expect(holding(ordered, ["[(1, 3)]", "[(3, 1)]", "[(2, 2)]"])).toEqual(["[(1, 3)]"]);
  expect(of("return [b - a for a, c in rows]", "[(1, 2)]").all).toEqual([]);
  expect(of("return [s for s, e in rows if s < e]", "[(1, 2)]").all).toEqual([]);
});

describe("a constraint that an example breaks", () => {
  it("was misread, and is dropped alone", () => {
    const text = "Constraints:\n- 1 <= nums.length <= 3\n- 1 <= nums[i] <= 5";
    const constraints = read(text, "nums", "[1]", ["[1, 2, 0]"]);
    expect(holding(constraints, ["[0]", "[]", "[1, 2, 3, 4]", "[5]", "[6]"])).toEqual(["[0]", "[5]"]);
  });

  it("leaves inputs as they are, if it was the only one", () => {
    const constraints = read("The list is sorted in ascending order.", "xs", "[1]", ["[3, 1]"]);
    expect(constraints.all).toEqual([]);
    expect(changed(constraints, "[2, 1]")).toBe("[2, 1]");
  });
});

describe("an input that breaks constraints", () => {
  const text =
    "Constraints:\n- 2 <= nums.length <= 4\n- 0 <= nums[i] <= 9\n- nums is sorted in ascending order\n- All the values of nums are unique";
  const constraints = read(text, "nums, k", "[1, 2], 1");

  it("is changed as little as needed", () => {
    expect(changed(constraints, "[3, 1], 7")).toBe("[1, 3], 7");
    expect(changed(constraints, "[3, 3], 7")).toBe("[3, 4], 7");
    expect(changed(constraints, "[1, 2, 3, 4, 5, 6], k=7")).toBe("[1, 2, 3, 4], k=7");
  });

  it("stays as it is where that fails", () => {
    const impossible = read("Constraints:\n- 5 <= n <= 3", "n", "4");
    expect(changed(impossible, "9")).toBe("9");
  });

  it("is unusual, unless it is an example", () => {
    const inputs = ["[3, 1], 7", "[1, 3], 7"].map((args) => ({ args }));
    expect(unusual(inputs, [], [], constraints)).toEqual([true, false]);
    expect(unusual(inputs, [{ args: "[3, 1], 7" }], [], constraints)).toEqual([false, false]);
  });
});

it("zeros, negative numbers and empty lists are usual where a constraint has a lower bound", () => {
  const constraints = read("Constraints:\n- -5 <= nums[i] <= 5\n- 0 <= nums.length <= 3", "nums, k", "[1], 1");
  const inputs = ["[0, -1], 1", "[], 1", "[1], 0", "[1], -1"].map((args) => ({ args }));
  expect(unusual(inputs, [], [], constraints)).toEqual([false, false, true, true]);
});

it("reads hostile descriptions in no time", () => {
  const parts = [
    "1 <= ",
    "a, ",
    "n[",
    "(",
    "|s",
    "x_i <= y, ",
    "sorted ",
    "consists of ",
    "- 1 ",
    "lowercase ",
    "`$",
    "\n- ",
    "10^",
    "in the range [1,",
  ];
  const start = cpuS();
  for (const part of parts) read(`Constraints:\n${part.repeat(100_000 / part.length)}`, "n, s, a", "1, 'a', [1]");
  const reference = "for x, y in a: x\n".repeat(10_000);
  for (const part of ["n < 2, ", "a < n. ", "pairs (a, b), a < b. ", "n is at least 2. "])
    readConstraints(part.repeat(10_000), ["n", "a"], { args: "1, [(1, 2)]" }, [], reference);
  expect(cpuS() - start).toBeLessThan(3);
});

describe("the nearest numbers that leave a rest", () => {
  it.each([
    [7, { by: 2, rest: 0 }, 6],
    [-7, { by: 2, rest: 0 }, -8],
    [7, { by: 5, rest: 0 }, 5],
    [9, { by: 5, rest: 1 }, 11],
    [0, { by: 3, rest: 1 }, -1],
    [12, { by: 2 ** 40, rest: 0 }, 0], // a factor of the description costs nothing
  ])("%d, %o: %d", (number, divisor, expected) => {
    expect(multiplesNear(number, divisor)[0]).toBe(expected);
  });
});

/** Description, parameters, an input that satisfies it, inputs of other types, for which nothing near is found. */
it.each<[string, string, string, string[]]>([
  ["lo is at most hi.", "x, lo, hi", "5, 1, 3", ["[2], [2], [1]", "'a', 'b', 'c'"]],
  [
    "base, factor and cap are integers of at least 1.",
    "base, factor, cap",
    "2, 3, 4",
    ["2, 'W', 4", "[1], 3, 4", "2, 3, 1.5"],
  ],
  ["A ticket is a string.", "ticket", "'a'", ["5", "[2]"]],
])("%s Other types break it", (description, names, holds, breaks) => {
  const constraints = read(description, names, holds);
  expect(holding(constraints, [holds, ...breaks])).toEqual([holds]);
});

it("the order of times is that of their minutes", () => {
  const reference = "def f(shifts):\n    for start, end in sorted(shifts):\n        print(start, end)\n";
  const description = "shifts is a list of tuples, all on the same day, start before end.";
  const constraints = readConstraints(description, ["shifts"], { args: "[('09:00', '17:30')]" }, [], reference);
  expect(holding(constraints, ["[('09:00', '17:30')]", "[('17:30', '09:00')]", "[('23:00', '23:00')]"])).toEqual([
    "[('09:00', '17:30')]",
  ]);
  expect(changed(constraints, "[('17:30', '09:00')]")).toMatch(/^\[\('\d\d:\d\d', '\d\d:\d\d'\)\]$/);
  expect(holding(constraints, [changed(constraints, "[('17:30', '09:00')]")])).toHaveLength(1);
});

it("the rows of a matrix are equally long", () => {
  const constraints = read("Transpose the matrix.", "m", "[[1, 2], [3, 4]]");
  expect(holding(constraints, ["[[1, 2], [3, 4]]", "[[1], [2, 3]]"])).toEqual(["[[1, 2], [3, 4]]"]);
});

describe("the only parameter is a text if the description speaks of a string and of nothing else", () => {
  it.each([
    ["Write a function to reverse a string.", ["str"]],
    ["Count the number of vowels of the given string.", ["str"]],
    ["Write the number as a string.", undefined],
    ["Join a list of words into a string.", undefined],
    ["Return a string with the days.", undefined],
  ])("%s", (description, types) => {
    const found = readConstraints(description, ["s"], { args: "[3, 1]" }, []).all;
    expect(found.find(({ kind }) => kind === "types")).toEqual(
      types && { kind: "types", part: { slot: 0, path: [], of: "value" }, types },
    );
    expect(readConstraints(description, ["s", "t"], { args: "[3, 1], 2" }, []).all).toEqual([]);
  });
});
