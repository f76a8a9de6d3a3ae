import { describe, expect, it } from "vitest";
import { readExamples } from "../../src/behaviour/examples.ts";

const read = (text: string, name = "f"): string[] =>
  readExamples(text, { kind: "call", name }).map(
    ({ input, expected }) => `${"args" in input ? input.args : input.stdin} => ${expected}`,
  );

const leetcode = `Given an array of integers nums and an integer target, return indices.

Example 1:

Input: nums = [2,7,11,15], target = 9
Output: [0,1]
Explanation: Because nums[0] + nums[1] == 9, we return [0, 1].

Example 2:

Input: nums = [3,2,4], target = 6

Output: [1,2]

Constraints:

	- 2 <= nums.length <= 10^4`;

describe("arguments and answers by name", () => {
  it("reads LeetCode's", () => {
    expect(read(leetcode, "Solution().twoSum")).toEqual(["[2, 7, 11, 15], 9 => [0, 1]", "[3, 2, 4], 6 => [1, 2]"]);
    expect(read(leetcode.replaceAll("\n", "\r\n"))).toHaveLength(2);
  });

  it.each<[string, string, string]>([
    [
      "values on lines of their own",
      "Input: board =\n[[1,2]\n,[3,4]]\nOutput:\n[\n[1],\n[2]\n]",
      "[[1, 2], [3, 4]] => [[1], [2]]",
    ],
    ["arguments on lines of their own", "Input:\nn = 3\nk = 2\nOutput:\n6", "3, 2 => 6"],
    ["one line", "Input: n = 3, k = 2, Output: 6", "3, 2 => 6"],
    ["an arrow between", "Input: [1, 2] -> Output: 3", "[1, 2] => 3"],
    ["values without names", "Input: 3, 'a'\nOutput: 'aaa'", "3, 'a' => 'aaa'"],
    ["JSON's words", 'Input: s = "true", b = true\nOutput: false', "'true', True => False"],
    ["quotes", 'Input: n = 4\nOutput: "YES"', "4 => 'YES'"],
    ["a word without quotes", "Input: n = 4\nOutput: YES", "4 => 'YES'"],
    ["Python's own None", "Input: n = 4\nOutput: None", "4 => None"],
    ["Markdown", "**Input:** `n = 4`\n**Output:** `[2, 2]`", "4 => [2, 2]"],
    ["numbers behind the labels", "Input 1: n = 4\nOutput 1: 2\nInput 2: n = 9\nOutput 2: 3", "4 => 2; 9 => 3"],
    ["GeeksforGeeks' lists", "Input : arr[] = {1, 2, 3}, k = 2\nOutput : 3", "[1, 2, 3], 2 => 3"],
    ["typographic quotes", "Input: s = “ab”, t = ‘c’\nOutput: −1", "'ab', 'c' => -1"],
    ["comments", "Input: n = 4 # four\nOutput: 2 # its root", "4 => 2"],
    ["a sentence", "For `n=2, m=3`, the result should be `6`.", "2, 3 => 6"],
    ["a sentence with `and`", "For a = [1, 2] and b = 3, the output should be 6", "[1, 2], 3 => 6"],
    [
      "CodeFights' sentences",
      "For sequence = [1, 3, 2], the output should be\nf(sequence) = true.",
      "[1, 3, 2] => True",
    ],
  ])("reads %s", (_, text, expected) => {
    expect(read(text).join("; ")).toBe(expected);
  });

  it("passes arguments in the order of the signature that is shown, else as they stand", () => {
    const shown = "Input: k = 2, xs = [1]\nOutput: 3";
    expect(read(shown)).toEqual(["2, [1] => 3"]);
    expect(read(`def f(xs: list, k: int) -> int:\n${shown}`)).toEqual(["[1], 2 => 3"]);
    expect(read(`def f(ys: list, k: int) -> int:\n${shown}`)).toEqual(["2, [1] => 3"]);
  });

  it.each([
    ["prose", "Input: a list of numbers\nOutput: their sum"],
    ["an answer in prose", "Input: head = [1,2], pos = 0\nOutput: tail connects to node index 0"],
    ["a table", "Input:\nEmployee table:\n+----+\n| id |\n+----+\nOutput:\n+----+"],
    ["variables", "Input: n = m\nOutput: 3"],
    ["ellipses", "Input: xs = [1, 2, ...]\nOutput: 3"],
    ["what is changed in place", "Sort the list in-place.\nInput: nums = [2, 1]\nOutput: [1, 2]"],
    ["what a function that returns nothing does", "def f(xs: list) -> None:\nInput: xs = [2, 1]\nOutput: [1, 2]"],
    ["linked lists, which are shown as lists", "Reverse a linked list.\nInput: head = [1,2]\nOutput: [2,1]"],
    ["trees", "Given the root of a binary tree\nInput: root = [1,null,2]\nOutput: 2"],
    ["an answer far away", `Input: n = 3\n${"x\n".repeat(3000)}Output: 3`],
  ])("does not read %s", (_, text) => {
    expect(read(text)).toEqual([]);
  });

  it("reads lists named as nodes are where the text is of none", () => {
    expect(read("Input: p = [1], q = [2]\nOutput: 3")).toEqual(["[1], [2] => 3"]);
  });
});
