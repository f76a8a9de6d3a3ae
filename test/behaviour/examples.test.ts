import { describe, expect, it } from "vitest";
import { holds, readExamples, shownCalls } from "../../src/behaviour/examples.ts";
import type { Answer } from "../../src/execute/index.ts";
import { parseLiteral } from "../../src/languages/python/literals/index.ts";
import { cpuS } from "../cpu.ts";

/** The examples that are read for a function `f`, as `arguments => answer`. */
const read = (text: string, name = "f"): string[] =>
  readExamples(text, { kind: "call", name }).map(
    ({ input, expected }) => `${"args" in input ? input.args : input.stdin} => ${expected}`,
  );

describe("calls with their answers", () => {
  it.each<[string, string, string]>([
    ["a doctest", ">>> f(1, 2)\n3", "1, 2 => 3"],
    ["a doctest of several lines", ">>> f([1,\n...    2])\n[[1],\n [2]]", "[1, 2] => [[1], [2]]"],
    ["a doctest whose answer has an arrow", ">>> f(1)\n➞ 2", "1 => 2"],
    ["a comparison in a doctest", ">>> f([1, 5]) == [5, 1]", "[1, 5] => [5, 1]"],
    ["a comparison that holds", ">>> f(1) == 2\nTrue", "1 => 2"],
    ["==", "For example f(2) == 4.", "2 => 4"],
    ["=", "f([1,2,3]) = -1", "[1, 2, 3] => -1"],
    ["->", "f(3) -> 9", "3 => 9"],
    ["a long arrow", "f('a') ---> 'b'", "'a' => 'b'"],
    ["=>", "f(3) => 9", "3 => 9"],
    ["➞", "f(3) ➞ False\n# a reason", "3 => False"],
    ["→", "`f(3)` → `9`", "3 => 9"],
    ["returns", "f(4) returns 2.", "4 => 2"],
    ["should return a negative number", 'f("-14.5") should return -15.', "'-14.5' => -15"],
    ["must return", "f(4) must return [2, 2]", "4 => [2, 2]"],
    ["is", "The value of f(10) is 55.", "10 => 55"],
    ["equals", "f(0) equals 'x'", "0 => 'x'"],
    ["evaluates to", "f(0) evaluates to {'a': 1}", "0 => {'a': 1}"],
    ["assert", "assert f([3, 1]) == [1, 3]", "[3, 1] => [1, 3]"],
    ["assert with a message", "assert f(2) == 4, 'two'", "2 => 4"],
    ["assertEqual", "self.assertEqual(f(2, 3), 5)", "2, 3 => 5"],
    ["Codewars' comment", "f(10, [5,2,3]) # => 4", "10, [5, 2, 3] => 4"],
    ["a comment", "f(2) # 4", "2 => 4"],
    ["a comment of another language", "f(2); // returns 4", "2 => 4"],
    ["==> return", 'f(23) ==> return "Special!!"', "23 => 'Special!!'"],
    ["an arrow on the next line", "f(2, 3)\n  # => 5", "2, 3 => 5"],
    ["a label on the next line", "f(2, 3)\nOutput: 5", "2, 3 => 5"],
    ["a bullet", "- f(2) == 4", "2 => 4"],
    ["a table", "| `f(2)` | `4` |", "2 => 4"],
    ["a tuple", "f((1, 2)) == (2, 1)", "(1, 2) => (2, 1)"],
    ["keyword arguments", "f(2, sep=', ') == '2, '", "2, sep=', ' => '2, '"],
    ["prose after the answer", "f(4) returns 2 because 2 * 2 is 4", "4 => 2"],
    ["a reason in brackets", "f(4) == 2 (the root)", "4 => 2"],
    ["several on a line", "f(1) == 2, f(2) == 3 and f(3) == 4", "1 => 2; 2 => 3; 3 => 4"],
    ["JSON's words", "f([true, null]) -> [false]", "[True, None] => [False]"],
    ["JSON's words in texts, as they are", "f('true or null') -> 'null'", "'true or null' => 'null'"],
    ["typographic quotes and minus signs", "f(“ab”, −3) → ‘ba’", "'ab', -3 => 'ba'"],
    ["Windows' line ends", ">>> f(1)\r\n2\r\n>>> f(2)\r\n3\r\n", "1 => 2; 2 => 3"],
    ["brackets and quotes in texts", `f("a)b", '(') == ")("`, "'a)b', '(' => ')('"],
    ["what a variable gets", "result = f(3)  # 9", "3 => 9"],
  ])("reads %s", (_, text, expected) => {
    expect(read(text).join("; ")).toBe(expected);
  });

  it.each([
    ["variables", "f(x) == 3"],
    ["an ellipsis in the arguments", "f([1, 2, ...]) == 3"],
    ["an ellipsis in the answer", "f(3) == [1, 2, ...]"],
    ["digits that go on", "f(3) = 3.14..."],
    ["arithmetic", "f(3) = 3 + 4"],
    ["arithmetic without spaces", "f(3) = 3*4"],
    ["a formula", "f(3) = 2n"],
    ["units", "f(3) returns 4 metres"],
    ["one of several answers", "f(3) returns 4 or 5"],
    ["an answer under a condition", "f(3) returns True if 3 is odd"],
    ["a tuple without brackets", "f(3) -> 1, 2"],
    ["an index", "f(3)[0] == 1"],
    ["an attribute", "f(3).x == 1"],
    ["a sum", "2 * f(3) == 6"],
    ["a sum behind", "f(3) + 1 == 6"],
    ["another call", "len(f(3)) == 6"],
    ["a method", "x.g(f(3)) == 6"],
    ["a negation", "not f(3) == 6"],
    ["an inequality", "f(3) != 6"],
    ["an order", "f(3) > 6, f(4) >= 7 and f(5) <= 8"],
    ["a definition", "def f(n=3): return 4"],
    ["prose", "f(3) is the third of them"],
    ["no arguments", "f() == 3"],
    ["another function", "g(3) == 4 and off(3) == 4"],
    ["a method of that name", "x.f(3) == 4"],
    ["a comparison that does not hold", ">>> f(1) == 2\nFalse"],
    ["a printed text, whose quotes are gone", ">>> print(f(1))\n2"],
    ["a printed text in a comment", "print(f(1))  # 2"],
    ["an exception", ">>> f(1)\nTraceback (most recent call last):\nValueError: 1"],
    ["a call without an answer", ">>> f(1)\n>>> f(2)\n"],
    ["a call that does not end", "f((((1 == 2"],
    ["two answers to one input", "f(3) == 4. Later, f(3) == 5."],
  ])("does not read %s", (_, text) => {
    expect(read(text)).toEqual([]);
  });

  it.each([
    ["before another prompt", ">>> f([])\n>>> f([1])\n1\n", ["[1] => 1", "[] => None"]],
    ["before a blank line", "    >>> f([])\n\n    >>> f([1])\n    1\n", ["[1] => 1", "[] => None"]],
    ["at the end", "Finds it.\n\n>>> f([1])\n1\n>>> f([])", ["[1] => 1", "[] => None"]],
    [
      "before the end of a docstring",
      '"""Finds it.\n>>> f([1])\n1\n>>> f([])  # none\n"""',
      ["[1] => 1", "[] => None"],
    ],
    ["in several lines", ">>> f([1])\n1\n>>> f([\n... 2])\n>>> f([3])\n3", ["[1] => 1", "[3] => 3", "[2] => None"]],
  ])("reads a doctest that prints nothing as None: %s", (_, text, examples) => {
    expect(read(text)).toEqual(examples);
  });

  it.each([
    ["without another answer", ">>> f([])\n>>> f([1])\n"],
    ["in another block", ">>> f([])\n\nWith a list:\n\n>>> f([1])\n1\n"],
    ["beside the answer to something else", ">>> f([])\n>>> len([1])\n1\n>>> f([1])\n"],
    ["in an assignment", ">>> y = f([])\n>>> f([1])\n1\n"],
    ["in a larger expression", ">>> f([]) or 3\n>>> print(f([]))\n>>> g(f([]))\n>>> f([1])\n1\n"],
    ["with an answer that is no literal", ">>> f([])\n<object>\n>>> f([1])\n1\n"],
    ["with an exception", ">>> f([])\nTraceback (most recent call last):\nValueError\n>>> f([1])\n1\n"],
    ["with a printed text", ">>> f([])\nno list\n>>> f([1])\n1\n"],
    ["outside of doctests", "f([])\n\nf([1]) == 1\n"],
  ])("does not read a call as None %s", (_, text) => {
    expect(read(text).filter((one) => one.startsWith("[] =>"))).toEqual([]);
  });

  it("reads none as None whose function changes its arguments or prints", () => {
    const entry = { kind: "call", name: "f", shows: "printed" } as const;
    expect(readExamples(">>> f([])\n>>> f([1])\n1\n", entry)).toHaveLength(1);
  });

  it("leaves those out if asked", () => {
    const entry = { kind: "call", name: "f" } as const;
    expect(readExamples(">>> f([])\n>>> f([1])\n1\n", entry, { quiet: false })).toHaveLength(1);
  });

  it("reads calls by another name only in doctests and asserts, and none of built-in functions", () => {
    expect(read(">>> g(1)\n2")).toEqual(["1 => 2"]);
    expect(read("assert g(1) == 2")).toEqual(["1 => 2"]);
    expect(read("g(1) == 2")).toEqual([]);
    expect(read(">>> sorted([2, 1])\n[1, 2]")).toEqual([]);
    expect(read("f(5) == 6\n>>> g(1)\n2")).toEqual(["5 => 6"]);
  });

  it("reads methods of a `Solution` on whatever object, and none of objects that have a state by then", () => {
    expect(read("assert Solution().f([2, 7], 9) == [0, 1]", "Solution().f")).toEqual(["[2, 7], 9 => [0, 1]"]);
    expect(read("s.f(3) # 4", "Solution().f")).toEqual(["3 => 4"]);
    expect(read("stack.f(3) # 4", "Stack().f")).toEqual([]);
  });
});

it("gives the calls that are shown, with and without an answer", () => {
  const text = "def f(n=2)\nUse f(1), f(x), f([true]) == 2 and f(1).";
  expect(shownCalls(text, { kind: "call", name: "f" })).toEqual(["1", "[True]"]);
});

describe("holds", () => {
  const answer = (literal: string): Answer => ({ outcome: "ok", value: parseLiteral(literal), text: "", cpuS: 0 });
  const call = (expected: string) => ({ input: { args: "1" }, expected });

  it.each<[string, string, boolean]>([
    ["3", "3", true],
    ["3", "3.0", true],
    ["3", "4", false],
    ["[1, 2]", "[1, 2]", true],
    ["[1, 2]", "(1, 2)", false],
    ["0.3", "0.1000001 + 0j", false],
    ["0.5", "0.5000001", true],
    ["0.5", "0.501", false],
    ["0.333", "0.3333333333", true],
    ["0.333", "0.3353", false],
    ["'a'", "'a'", true],
    ["None", "None", true],
    ["None", "0", false],
  ])("%s and %s: %s", (expected, got, isEqual) => {
    const value = got.includes("j") ? { t: "complex", re: 0.1, im: 0 } : parseLiteral(got);
    expect(holds(call(expected), { outcome: "ok", value: value as never, text: "", cpuS: 0 })).toBe(isEqual);
  });

  it("compares what is printed but for blanks at ends, and takes no failure", () => {
    const printed = { input: { stdin: "1\n" }, expected: "1 2\n3\n" };
    expect(holds(printed, answer("'1 2 \\n3'"))).toBe(true);
    expect(holds(printed, answer("'1 2\\n\\n3'"))).toBe(false);
    expect(holds(printed, answer("12"))).toBe(false);
    expect(holds(call("None"), { outcome: "error", errorType: "ValueError", message: "" })).toBe(false);
    expect(holds(call("None"), { outcome: "timeout" })).toBe(false);
  });
});

it.each([
  ["calls that do not end", "f(".repeat(50_000)],
  ["brackets", "f([".repeat(33_000)],
  ["quotes", `f('${'"'.repeat(99_000)}`],
  ["escapes", `f(1) == "${"\\".repeat(99_000)}`],
  ["calls", "f(1) == 2 ".repeat(10_000)],
  ["spaces", `f(1)${" ".repeat(99_000)}== 2`],
  ["labels", "Input: x = 1 ".repeat(8000)],
  ["labels on lines", "Input: x = [\nOutput:".repeat(5000)],
  ["sentences", "for x = 1, the result is ".repeat(4000)],
  ["blank lines", `Examples\nInput\n${"\n \n".repeat(33_000)}Output\n1`],
  ["paragraphs", `Examples\nInput\n1\nOutput\n${"a\n\n".repeat(33_000)}`],
  ["one paragraph", `Examples\nInput\n1\nOutput\n${"\nab cd ef".repeat(11_000)}`],
])("reads 100 KB of %s in no time", (_, text) => {
  const start = cpuS();
  readExamples(text, { kind: "call", name: "f" });
  readExamples(text, { kind: "stdin" });
  shownCalls(text, { kind: "call", name: "f" });
  expect(cpuS() - start).toBeLessThan(1.5);
});
