/** Candidates from other problems and references, and the rows of a sample file. */
import { describe, expect, it } from "vitest";
import { crossCandidates, type MadeSample, makeSamples } from "../../src/mutate/index.ts";
import type { Problem } from "../../src/types.ts";

const problem = (id: string, entryPoint: string | null, ...references: string[]): Problem => ({
  id,
  description: "",
  prompt: "",
  entryPoint,
  references,
  tests: [{ id: "t", origin: "given", kind: "call", args: "1, depth=2", expected: null, tolerance: 0 }],
  setup: "",
  contract: "",
  source: "test",
});

const problems = [
  problem("add", "add", "def add(a, b):\n    return a + b\n", "def add(x, y):\n    return sum((x, y))\n"),
  problem("power", "power", "def power(b, e):\n    return 1 if e == 0 else b * power(b, e - 1)\n"),
  problem("three", "three", "def three(a, b, c=0):\n    return a.power + b + c\n"),
  problem("one", "one", "def one(a):\n    return a\n"),
  problem("taken", "helper", "def helper(a, b):\n    return power(a, b)\n\ndef power(a, b):\n    return a ** b\n"),
  problem("lines", null, "print(input())\n"),
  problem("words", null, "print(len(input().split()))\n"),
  problem("nothing", "f"),
];

describe("crossCandidates", () => {
  it("gives each problem its references and fitting solutions of others, renamed", async () => {
    const all = await crossCandidates(problems, { count: 10, seed: 1 });
    const of = (id: string): Record<string, string> =>
      Object.fromEntries(all.filter(({ problemId }) => problemId === id).map(({ madeBy, code }) => [madeBy, code]));
    expect(all.filter(({ problemId, madeBy }) => problemId === "add" && madeBy === "reference")).toHaveLength(2);
    expect(of("add")["cross:power"]).toBe("def add(b, e):\n    return 1 if e == 0 else b * add(b, e - 1)\n");
    expect(Object.keys(of("add")).sort()).toEqual(["cross:power", "cross:taken", "cross:three", "reference"]);
    expect(of("power")["cross:three"]).toBe("def power(a, b, c=0):\n    return a.power + b + c\n");
    expect(of("power")["cross:taken"]).toBeUndefined(); // it has its own `power`
    expect(of("one")).toEqual({ reference: problems[3]?.references[0] });
    expect(of("lines")["cross:words"]).toBe(problems[6]?.references[0]);
    expect(of("nothing")).toEqual({});
  });

  it("gives methods the methods of others, with every call renamed, and prefers those that annotate the same types", async () => {
    const method = (id: string, name: string, type: string): Problem =>
      problem(
        id,
        `Solution().${name}`,
        `class Solution:\n    def ${name}(self, xs: ${type}) -> int:\n        return self.${name}(xs[1:]) if xs else ${name.length}\n`,
      );
    const own = [method("a", "first", "List[int]"), method("b", "second", "List[int]"), method("c", "third", "str")];
    const all = await crossCandidates([...own, ...problems], { count: 5, seed: 1 });
    const of = (id: string): string[] =>
      all.filter(({ problemId, madeBy }) => problemId === id && madeBy !== "reference").map(({ madeBy }) => madeBy);
    expect(of("a").sort()).toEqual(["cross:b", "cross:c"]);
    expect(of("one")).toEqual([]); // a function is not a method
    expect(all.find(({ problemId, madeBy }) => problemId === "c" && madeBy === "cross:a")?.code).toBe(
      "class Solution:\n    def third(self, xs: List[int]) -> int:\n        return self.third(xs[1:]) if xs else 5\n",
    );
    const few = await crossCandidates(own, { count: 1, seed: 1 });
    expect(
      few.filter(({ madeBy }) => madeBy.startsWith("cross")).map(({ problemId, madeBy }) => `${problemId} ${madeBy}`),
    ).toEqual(expect.arrayContaining(["a cross:b", "b cross:a"]));
  });

  it("keeps to the count, and gives the same for the same seed", async () => {
    const once = await crossCandidates(problems, { count: 1, seed: 5 });
    expect(once.filter(({ problemId, madeBy }) => problemId === "add" && madeBy !== "reference")).toHaveLength(1);
    expect(await crossCandidates(problems, { count: 1, seed: 5 })).toEqual(once);
  });
});

describe("makeSamples", () => {
  const rowsOf = async (some: readonly Problem[], seed = 0): Promise<MadeSample[]> => {
    const out: MadeSample[] = [];
    for await (const { rows } of makeSamples(some, { perProblem: 20, seed })) out.push(...rows);
    return out;
  };

  it("fills a problem's rows with references, other solutions, mutants and rewrites, all different", async () => {
    const rows = await rowsOf(problems);
    const add = rows.filter(({ task_id }) => task_id === "add");
    expect(add).toHaveLength(20);
    expect(new Set(add.map(({ solution }) => solution)).size).toBe(20);
    expect(add.map(({ sample_id }) => sample_id)).toEqual(add.map((_, i) => `add#${i}`));
    const rewrites = add.filter(({ model }) => /^rewrite:[^|]*$/.test(model));
    expect(add.filter(({ original }) => original !== undefined)).toEqual(rewrites);
    for (const { original } of rewrites) expect(problems[0]?.references).toContain(original);
    const kinds = new Set(add.map(({ model }) => model.replace(/:.*(?=\|)|:[^|]*$/g, "")));
    expect([...kinds].sort()).toEqual(["cross", "mutant", "reference", "rewrite", "rewrite|mutant"]);
    expect(rows.filter(({ task_id }) => task_id === "nothing")).toEqual([]);
  });

  it("gives a problem the same mutants whatever stands beside it", async () => {
    const own = (rows: MadeSample[]): string[] =>
      rows
        .filter(({ task_id, model }) => task_id === "power" && !model.startsWith("cross"))
        .map(({ solution }) => solution);
    const [alone, among] = [own(await rowsOf([problems[1] as Problem])), own(await rowsOf(problems))];
    expect(alone.slice(0, among.length)).toEqual(among);
  });

  it("keeps arguments that tests pass by keyword", async () => {
    const deep = problem(
      "deep",
      "f",
      "def f(n, depth):\n    total = n\n    for i in range(depth):\n        total += i\n    return total\n",
    );
    const rows = await rowsOf([deep]);
    const headers = new Set(
      rows
        .filter(({ model }) => !model.includes("syntax"))
        .map(({ solution }) => /def f\(.*?, (\w+)\)/.exec(solution)?.[1]),
    );
    expect([...headers]).toEqual(["depth"]);
  });
});
