/** Preconditions inferred from failures: each case hides a rule, which must be found. */
import { describe, expect, it } from "vitest";
import { inferPreconditions, type Values } from "../../src/expand/preconditions.ts";
import { parseArguments } from "../../src/languages/python/literals/index.ts";

const values = (args: readonly string[]): Values[] => args.map((text) => parseArguments(text).positional);
const inferred = (names: string, accepted: string[], rejected: string[]) =>
  inferPreconditions(names.split(" "), values(accepted), values(rejected)).map(({ text }) => text);

describe("inferPreconditions", () => {
  it.each([
    ["non-empty", "xs", ["[1]", "[-2, 3]", "[0, 0]"], ["[]"], "len(xs) >= 1"],
    ["an element type", "xs", ["[1]", "[-2, 3]", "[]"], ["['a']", "[1, None]"], "all(type(e) is int for e in xs)"],
    ["a type", "x", ["1", "2", "0"], ["None"], "type(x) is int"],
    ["non-negative", "n", ["0", "3", "9"], ["-1", "-5"], "n >= 0"],
    ["positive", "n", ["1", "3", "9"], ["0"], "n >= 1"],
    ["not zero", "a b", ["1, 2", "3, -1", "0, 5"], ["4, 0"], "b != 0"],
    ["items that are not negative", "xs", ["[0, 1]", "[4]", "[2]"], ["[-1, 1]"], "all(e >= 0 for e in xs)"],
    ["an upper bound", "n", ["1", "30", "12"], ["41", "50", "90"], "n < 41"],
    ["a length", "s", ["'ab'", "'bcde'", "'aaaa'"], ["'abcdef'", "'abcdefg'"], "len(s) < 6"],
    ["one length", "a b", ["[1], [2]", "[1, 2], [3, 4]", "[], []"], ["[1], []", "[], [3]"], "len(a) == len(b)"],
    ["sorted", "xs", ["[1, 2]", "[3, 3, 9]", "[]"], ["[2, 1]", "[1, 3, 2]"], "list(xs) == sorted(xs)"],
    ["distinct", "xs", ["[1, 5, 2]", "[9]", "[4, 3]"], ["[2, 2]"], "len(set(xs)) == len(xs)"],
    ["divisibility", "n", ["3", "9", "33"], ["4", "10"], "n % 3 == 0"],
    ["a character set", "s", ["'12'", "'908'", "'3'"], ["'1a'"], "all(c.isdigit() for c in s)"],
    ["an index", "xs i", ["[1, 2], 1", "[5], 0", "[3, 4, 9], 2"], ["[1, 2], 2", "[], 0"], "i < len(xs)"],
    ["rows", "g", ["[[1, 2]]", "[[3], [4]]", "[[5]]"], ["[[]]", "[[1], []]"], "all(len(e) >= 1 for e in g)"],
  ])("finds %s", (_, names, accepted, rejected, text) => {
    expect(inferred(names, accepted, rejected)).toEqual([text]);
  });

  it("finds two conditions, the one that explains more first", () => {
    expect(inferred("a b", ["1, 1", "5, 2", "0, 3"], ["-1, 2", "-4, 1", "-7, 5", "3, 0"])).toEqual([
      "a >= 0",
      "b >= 1",
    ]);
  });

  it.each([
    ["nothing failed", ["1", "2", "3"], []],
    ["too little is accepted", ["1"], ["-1"]],
    ["no simple condition parts them", ["1", "2", "4", "-3"], ["3"]],
    ["a fitted bound would rest on one failure", ["5", "-3", "40"], ["41"]],
  ])("says nothing where %s", (_, accepted, rejected) => {
    expect(inferred("n", accepted, rejected)).toEqual([]);
  });
});
