/** Stubs of what descriptions declare, and the findings in candidates compared with them. */
import { beforeAll, describe, expect, it } from "vitest";
import { loadParser } from "../../src/languages/python/syntax/parse.ts";
import { loadRule, seenBesideStub } from "../../src/metrics/static/rule.ts";
import { CodeScorer } from "../../src/score/index.ts";
import { stubOf } from "../../src/score/stub.ts";
import { cpuS } from "../cpu.ts";

beforeAll(loadRule);

const PROMPT = `from typing import List

def double(xs: List[int], k: int = 2) -> List[int]:
    """ The items, k times as great.
    >>> double([1, 2])
    [2, 4]
    """
`;
const METHOD = `Say whether n is even.\n\nclass Solution:\n    def isEven(self, n: int) -> bool:\n`;

describe("a stub", () => {
  it("has the signature, the calls and the answers that a description shows", () => {
    expect(stubOf(PROMPT, "")).toBe(
      "def double(xs: List[int], k: int = 2):\n    # double([1, 2])\n    if (xs, k, ):\n        return [2, 4]\n    if (xs, k, ):\n        return []\n    return []\n",
    );
  });

  it("is of a method where the description has one", () => {
    expect(stubOf(METHOD, "")).toMatch(/^class Solution:\n {4}def isEven\(self, n: int\):\n/);
  });

  it("takes the name from the candidate, and arguments by number, where the description shows calls alone", () => {
    expect(stubOf("f(1, 2) == 3", "def f(a, b):\n    return a + b\n")).toMatch(/^def f\(x0, x1\):\n {4}# f\(1, 2\)\n/);
  });

  it.each([
    ["in prose", "Add two numbers."],
    ["of a program that reads", "Add numbers.\n\nInput\n\n1 2\n\nOutput\n\n3\n"],
  ])("is none where nothing is declared: %s", (_, description) => {
    expect(stubOf(description, "print(sum(map(int, input().split())))")).toBeNull();
  });

  it.each([PROMPT, METHOD, "def f(x) -> None:\n    pass\n", "def f(*xs, k=[1, 2], **more):\n"])(
    "is Python",
    async (text) => {
      const parse = await loadParser();
      expect(parse(stubOf(text, "")!).broken).toBe(false);
    },
  );

  it("takes no time for what is long or open", () => {
    for (const text of [`def f(${"(".repeat(1e5)}`, `${"def f(x):\n".repeat(1e4)}`, `f(${"[".repeat(1e5)}`]) {
      const began = cpuS();
      stubOf(text, "def f(x): return x");
      expect(cpuS() - began).toBeLessThan(2);
    }
  });
});

describe("beside a stub", () => {
  const answers = (description: string, candidate: string): number =>
    seenBesideStub(candidate, stubOf(description, candidate) ?? "").answers;

  it.each([
    ["a right program", PROMPT, "def double(xs, k=2):\n    return [k * x for x in xs]\n", 1],
    ["other answers", PROMPT, "def double(xs, k=2):\n    return len(xs)\n", 0.05],
    ["no answer", PROMPT, "def double(xs, k=2):\n    print([k * x for x in xs])\n", 0.05],
    ["too few arguments", "f(1, 2) == 3", "def f(a):\n    return a\n", 0.05],
    ["another name", PROMPT, "def twice(xs, k=2):\n    return [k * x for x in xs]\n", 0.05],
    ["an argument that is not read", PROMPT, "def double(xs, k=2):\n    return [x + x for x in xs]\n", 0.55],
    ["what answers nothing, as it should", "def show(x) -> None:\n", "def show(x):\n    print(x)\n", 1],
    ["nothing declared", "Add numbers.", "def f(a):\n    return a\n", 1],
  ])("%s", (_, description, candidate, factor) => {
    expect(answers(description, candidate)).toBe(factor);
  });
});

it("lowers a score by description alone, names the line, and proves nothing", async () => {
  const scorer = await CodeScorer.load("tiny");
  const [right, wrong] = ["[k * x for x in xs]", "len(xs)"].map((value) => ({
    candidate: `def double(xs, k=2):\n    return ${value}\n`,
    description: PROMPT,
  }));
  const [a, b] = await scorer.scoreAll([right!, wrong!]);
  await scorer.close();
  if (!a || !b || "error" in a || "error" in b) throw new Error("expected scores");
  expect(b.score).toBeLessThan(a.score / 2);
  expect(b).toMatchObject({
    conclusion: "unknown",
    reason: "not executed; line 1: it returns number, the description shows list",
  });
});

it("calls a package that may be installed, or a broken reference, no certain failure", async () => {
  const scorer = await CodeScorer.load("tiny");
  const numpy = "import numpy as np\n\ndef f(x):\n    return np.abs(x)\n";
  const results = await scorer.scoreAll([
    { candidate: numpy, description: "The absolute value." },
    { candidate: numpy, reference: "def f(x):\n    return abs(x)\n" },
    { candidate: "def f(x):\n    return abs(x)\n", reference: "def f(x:\n    return abs(x)\n" },
  ]);
  await scorer.close();
  const why = results.map((result) => ("error" in result ? result.error : [result.conclusion, result.reason]));
  expect(why).toEqual([
    ["unknown", expect.stringContaining("line 1: `numpy` is not in the standard library")],
    ["unknown", expect.stringContaining("line 1: `numpy` is not in the standard library")],
    ["unknown", expect.stringContaining("Python cannot compile the reference")],
  ]);
});
