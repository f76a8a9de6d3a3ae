import { describe, expect, it } from "vitest";
import { contractPrompt, readContract } from "../../src/expand/index.ts";

describe("contractPrompt", () => {
  it("shows the task, the reference and some valid calls", () => {
    const references = ["def f(xs):\n    return xs[0]"];
    const given = [{ args: "[1]" }, { args: `[${"1, ".repeat(500)}]` }];
    const prompt = contractPrompt({ entryPoint: "f", references }, "The first item.", given);
    for (const part of ["The first item.", references[0]!, "f([1])", "`assert`"]) expect(prompt).toContain(part);
    expect(prompt).not.toContain("1, 1");
    expect(contractPrompt({ entryPoint: "f", references }, " ", given)).not.toContain("A task");
  });
});

describe("readContract", () => {
  it.each([
    [
      "asserts in a block",
      "So:\n```python\nassert n > 0\n  assert n < 9  \n```\nassert n == 3",
      ["assert n > 0", "assert n < 9"],
    ],
    ["asserts without a block", "assert n > 0\nThat is all.", ["assert n > 0"]],
    [
      "no tests, no other code, no repeats",
      "```\nassert f(1) == 2\nimport os\nassert n\nassert n\nfor x in n: pass\n```",
      ["assert n"],
    ],
    ["nothing long", `assert n in [${"1, ".repeat(200)}]`, []],
    [
      "no more than twenty",
      Array.from({ length: 30 }, (_, i) => `assert n != ${i}`).join("\n"),
      Array.from({ length: 20 }, (_, i) => `assert n != ${i}`),
    ],
    ["prose", "I assert that all is well.", []],
  ])("reads %s", (_, answer, expected) => {
    expect(readContract(answer, "f")).toEqual(expected);
  });
});
