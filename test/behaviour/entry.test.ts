import { describe, expect, it } from "vitest";
import { entryOf } from "../../src/behaviour/entry.ts";
import type { Task } from "../../src/behaviour/types.ts";
import { cpuS } from "../cpu.ts";

/** The name of the detected function; `-` for standard input, null for nothing. */
function entry(task: Partial<Task>): string | null {
  const found = entryOf({ reference: null, description: null, candidates: [], ...task });
  return found === null ? null : found.kind === "stdin" ? "-" : found.name;
}

const twoSum = "class Solution:\n    def twoSum(self, nums, target):\n        return [0, 1]\n";

describe("of a reference", () => {
  it.each<[string, string, string | null]>([
    ["the only function", "def f(x): return x", "f"],
    ["an asynchronous one", "async def f(x): return x", "f"],
    ["the function that calls its helpers", "def helper(x): return x\ndef f(x): return helper(x)", "f"],
    ["helpers behind it", "def f(x):\n    return helper(x)\ndef helper(x):\n    return x", "f"],
    ["recursion", "def f(n):\n    return n * f(n - 1) if n else one()\ndef one():\n    return 1", "f"],
    ["helpers passed on", "def f(x):\n    return sorted(x, key=last)\ndef last(x):\n    return x[-1]", "f"],
    ["a name of one letter", "def g(x):\n    return x\ndef f(x):\n    return g(x)\n", "f"],
    ["a call at the end", "def f(x):\n    return helper(x)\ndef helper(x):\n    return x\nprint(f(3))", "f"],
    ["a `main` that shows it", "def f(x):\n    return x\ndef main():\n    print(f(2))\nmain()", "f"],
    [
      "a method of another value by its name",
      "def count(xs):\n    return len(xs)\ndef f(xs):\n    return xs.count(1)",
      "f",
    ],
    ["the method of a `Solution`", twoSum, "Solution().twoSum"],
    ["functions beside a `Solution`", `def gcd(a, b): return a\n${twoSum}`, "Solution().twoSum"],
    ["classes beside a `Solution`", `class Node:\n    def g(self): return 1\n${twoSum}`, "Solution().twoSum"],
    [
      "methods that it calls",
      "class Solution:\n    def f(self, x):\n        return self.g(x)\n    def g(self, x):\n        return x",
      "Solution().f",
    ],
    [
      "private methods",
      "class Solution:\n    def f(self, x):\n        return x\n    def _g(self, x):\n        return x",
      "Solution().f",
    ],
    ["classes beside a function", "class Node:\n    def g(self): return 1\ndef f(x): return Node()", "f"],
    ["a program that reads a line", "n = int(input())\nprint(n)", "-"],
    ["a program that reads all", "import sys\ndef main():\n    print(sys.stdin.read())\nmain()", "-"],
    ["a program that reads a file", "print(open(0).read())", "-"],
    ["nothing to call", "print(3)", null],
    ["several classes", "class A:\n    def f(self): pass\nclass B:\n    def f(self): pass", null],
    ["no program", "???", null],
  ])("%s", (_, reference, expected) => {
    expect(entry({ reference })).toBe(expected);
  });

  it("is what the description declares, where it is there", () => {
    const reference = "def g(x): return x\ndef f(x): return g(x)";
    expect(entry({ reference, description: "def g(x):\n    '''Twice.'''" })).toBe("g");
    expect(entry({ reference, description: "def h(x):\n    '''Twice.'''" })).toBe("f");
    const solution = "class Solution:\n    def a(self, x): return x\n    def b(self, x): return x\n";
    expect(entry({ reference: solution, description: "class Solution:\n    def a(self, x):" })).toBe("Solution().a");
  });
});

describe("as it is given", () => {
  it.each<[string, string, string]>([
    ["f", "def f(x): return x\ndef g(x): return x", "f"],
    ["twoSum", twoSum, "Solution().twoSum"],
    ["Solution.twoSum", twoSum, "Solution().twoSum"],
    ["Solution().twoSum", twoSum, "Solution().twoSum"],
    ["missing", "def f(x): return x", "missing"],
  ])("%s", (entryPoint, reference, expected) => {
    expect(entry({ entryPoint, reference })).toBe(expected);
    expect(entry({ entryPoint, candidates: ["def other(): pass", reference] })).toBe(expected);
  });
});

describe("of candidates", () => {
  it("is what most of them define", () => {
    const candidates = ["def f(x): return x", "def f(x): return 1", "def g(x): return 2"];
    expect(entry({ candidates })).toBe("f");
  });

  it("is what the description shows calls of", () => {
    const candidates = ["def g(x): return x", "def f(x): return 1"];
    expect(entry({ candidates, description: "f(3) is 1" })).toBe("f");
  });

  it("is standard input where they read it, the more so where samples are shown", () => {
    const reading = "print(input())";
    expect(entry({ candidates: [reading] })).toBe("-");
    const mixed = { candidates: [reading, "def f(x): return x"] };
    expect(entry({ ...mixed, description: "Sample Input\n3\nSample Output\n3" })).toBe("-");
    expect(entry({ candidates: ["print(3)"], description: "-----Output-----\nThe sum." })).toBe("-");
  });

  it("is no standard input because a description shows what a function returns", () => {
    const description = "Input: nums = [2,7], target = 9\nOutput: [0,1]";
    expect(entry({ candidates: [twoSum], description })).toBe("Solution().twoSum");
  });

  it("is nothing where there is none", () => {
    expect(entry({ candidates: [] })).toBeNull();
    expect(entry({ candidates: ["x = 1"], description: "Add." })).toBeNull();
  });
});

it("reads hostile programs in no time", () => {
  const start = cpuS();
  for (const code of [
    "def f(x):\n".repeat(10_000),
    "class A:\n".repeat(10_000),
    "f(".repeat(50_000),
    " ".repeat(100_000),
  ]) {
    entry({ reference: code });
    entry({ candidates: [code], description: code });
  }
  expect(cpuS() - start).toBeLessThan(3);
});
