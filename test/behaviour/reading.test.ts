/** How descriptions and programs are read, for code that must take linear time. */
import { expect, it } from "vitest";
import { entryOf } from "../../src/behaviour/entry.ts";
import { readExamples } from "../../src/behaviour/examples.ts";

const call = { kind: "call", name: "f" } as const;

it.each([
  ["Input: xs = [1, 2], k = 3\nOutput: 4", [{ input: { args: "[1, 2], 3" }, expected: "4" }]],
  ["**Input 1:** x = 1\n\n  **Output 1:** [2]", [{ input: { args: "1" }, expected: "[2]" }]],
  ["Input: x = 1\nThen something else.\nOutput: 2", []],
  ["Input: x = 1\nInput: x = 5\nOutput: 6", [{ input: { args: "5" }, expected: "6" }]],
  [">>> f(f(1))\n3\n>>> f(\n  2)\n4", [{ input: { args: "2" }, expected: "4" }]],
])("%j shows these calls", (text, examples) => {
  expect(readExamples(text, call)).toEqual(examples);
});

it.each([
  ["Example\nInput\n3\nOutput\n4", ["3\n", "4\n"]],
  ["### Sample Input #1:\n3 4\n### Sample Output 1:\n7\nNote\nAll is well.", ["3 4\n", "7\n"]],
  ["Examples\nInput 2\n5\n\nOutput 2\n6\n", ["5\n", "6\n"]],
  ["Example\nInput: 3\nOutput: 4", ["3\n", "4\n"]],
])("%j shows that text", (text, shown) => {
  const found = readExamples(text, { kind: "stdin" });
  expect(found).toEqual(shown === null ? [] : [{ input: { stdin: shown[0] }, expected: shown[1] }]);
});

it.each([
  ["def help(x): return x\ndef count(x): return help(x)\n", "count"],
  ["def is_prime(x): return x > 1\ndef count_is_prime(xs): return sum(map(is_prime, xs))\n", "count_is_prime"],
  ["def f(x): return x\ndef rest(x): return f(x)\ndef f_all(xs): return [f(x) for x in xs]\n", "f_all"],
  ["def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\n", "fib"],
])("of %j that function is called which no other one names", (reference, name) => {
  expect(entryOf({ reference, description: null, candidates: [] })).toEqual({ kind: "call", name });
});
