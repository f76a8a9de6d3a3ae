/** The elements of programs, counted by hand; and files that are not valid trees. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Term } from "../../src/languages/python/index.ts";
import { forestOf } from "../../src/trees/forest.ts";
import {
  type Counts,
  countsOf,
  type Grown,
  loadCounts,
  makeTrees,
  readTrees,
  TREES_FILE,
  writeTrees,
} from "../../src/trees/index.ts";
import { sha256 } from "../../src/util/files.ts";

let counts: (source: string) => Counts | null;
beforeAll(async () => {
  counts = await loadCounts();
});

describe("counts", () => {
  it("are of kinds, operators, comparisons, calls, literals and the like", () => {
    const of = counts(
      "def f(n):\n    '''Doc.'''\n    total = 0\n    for i in range(n):\n        while i:\n            total += math.sqrt(i) % 2.5\n            if not i:\n                return f(-7)\n            else:\n                print('x', [j for j in n if 0 < j < n[-1]])\n    return n[0]\n",
    )!;
    const wanted: Record<string, number> = {
      for: 1,
      while: 1,
      "while name": 1,
      "loops in loops": 3,
      "operator +": 1,
      "operator %": 1,
      "operator -": 2,
      "compare <": 2,
      "call .sqrt": 1,
      "call range": 1,
      "call itself": 1,
      "call print": 1,
      "literal 0": 3,
      "literal 1": 1,
      "literal float": 1,
      "literal integer": 1,
      "literal text": 1,
      "subscript unary": 1,
      "subscript 0": 1,
      "if not": 1,
      else: 1,
      "return call": 1,
      "return subscript": 1,
      "comprehension list": 1,
    };
    expect(Object.fromEntries(Object.keys(wanted).map((element) => [element, of.get(element) ?? 0]))).toEqual(wanted);
  });

  it("are the same under other names and comments, and none of what does not parse", () => {
    expect(counts("def f(a, b):\n    return a + b\n")).toEqual(counts("def f(x, y):\n    # sum\n    return x + y\n"));
    expect(counts("def f(a:\n")).toBeNull();
  });

  it("are none of what is nested too deep for the stack", () => {
    let deep: Term = { kind: "literal", text: "1", items: [] };
    for (let i = 0; i < 100_000; i++) deep = { kind: "not", text: "", items: [deep] };
    expect(countsOf(deep)).toBeNull();
  });
});

const leaf = (odds: number) => forestOf({ feature: [-1], value: [odds], right: [0] }, 0)!;
/** Log odds 2 if a feature is at most 0.5, otherwise -2. */
const stump = (feature: number) => forestOf({ feature: [feature, -1, -1], value: [0.5, 2, -2], right: [2, 0, 0] }, 4)!;

describe("trees of a model", () => {
  const file: Grown = {
    elements: ["operator +", "call sum"],
    alone: { score: stump(1), exec: leaf(1) },
    compared: { score: stump(3), exec: leaf(0) },
  };
  const sigmoid = (odds: number): number => 1 / (1 + Math.exp(-odds));

  it("see how often the candidate has an element, and how much more often than the reference", () => {
    const { judge } = makeTrees(file, "name", counts);
    const [summed, added] = ["def f(a):\n    return sum(a)\n", "def f(a):\n    return a[0] + a[1]\n"] as const;
    expect(judge(summed, null)).toEqual({ score: sigmoid(-2), exec: sigmoid(1) });
    expect(judge(added, null)).toEqual({ score: sigmoid(2), exec: sigmoid(1) });
    expect(judge(summed, added)).toEqual({ score: sigmoid(-2), exec: 0.5 });
    expect(judge(summed, summed)!.score).toBe(sigmoid(2));
    expect(judge(added, summed)!.score).toBe(sigmoid(2));
    expect(judge("def f(:\n", null)).toBeNull();
    expect(judge(added, "def f(:\n")).toBeNull();
  });

  it("are written and read as they are", async () => {
    const folder = await mkdtemp(join(tmpdir(), "codescore-trees-"));
    const path = join(folder, TREES_FILE);
    await writeTrees(path, file);
    const programs = ["def f(a):\n    return sum(a)\n", "def f(a):\n    return a[0] + a[1]\n"] as const;
    const [before, after] = [makeTrees(file, "name", counts), await readTrees(folder)];
    expect(after.judge(...programs)).toEqual(before.judge(...programs));
    expect(after.name).toBe(sha256(await readFile(path)).slice(0, 8));
    await rm(folder, { recursive: true });
  });

  it.each([
    ["nothing", [], [], []],
    ["lists of unlike length", [-1], [1, 2], [0]],
    ["a value that is none", [-1], [Number.NaN], [0]],
    ["an unknown feature", [4, -1, -1], [0, 1, 2], [2, 0, 0]],
    ["half a feature", [0.5, -1, -1], [0, 1, 2], [2, 0, 0]],
    ["a walk without an end", [1, -1, -1], [0, 1, 2], [0, 0, 0]],
    ["a child outside", [1, -1, -1], [0, 1, 2], [3, 0, 0]],
    ["a left child that is the right one", [1, -1], [0, 1], [1, 0]],
  ])("are not %s", (_, feature, value, right) => {
    expect(forestOf({ feature, value, right }, 4)).toBeNull();
  });
});
