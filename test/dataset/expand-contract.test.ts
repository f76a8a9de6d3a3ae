/** Contracts, random references and hash order, with a real Python, because a fake executor cannot show them. */
import { afterAll, describe, expect, it } from "vitest";
import { expandTests } from "../../src/dataset/index.ts";
import type { Executor } from "../../src/execute/index.ts";
import { open, problem, sandboxes } from "../execute/open.ts";

const executor: Executor = await open(sandboxes[0]!);
afterAll(() => executor.close());

const argsOf = (tests: readonly { kind: string; args?: string }[]): number[] =>
  tests.flatMap(({ args }) => (args === undefined ? [] : [Number(args)]));

describe("expandTests in a sandbox", () => {
  const calls = [["3", "6"] as const, ["8", "16"] as const, ["5", "10"] as const];
  const references = ["def f(n, times=2):\n    return times * n"];

  it.each([
    ["flush left", "assert n > 0"],
    [
      "indented and marked, as EvalPlus writes it",
      '\n    assert type(n) == int, "bad" # $_CONTRACT_$\n    assert n > 0 # $_CONTRACT_$\n',
    ],
    ["with a default and a loop", "for k in range(times):\n    assert n > k / 2"],
    ["with a name that the reference defines", "assert f(n) > 0"],
  ])("keeps to a contract %s", async (_, contract) => {
    const { problem: expanded, dropped } = await expandTests(problem("f", calls, { references, contract }), executor, {
      count: 30,
    });
    expect(dropped.contract).toBeGreaterThan(0);
    expect(dropped.failed).toBe(0);
    expect(expanded.tests).toHaveLength(30);
    expect(argsOf(expanded.tests).filter((n) => n <= 0)).toEqual([]);
  });

  it("trusts a contract more than the description and the given tests", async () => {
    const own = problem("f", calls, {
      references,
      contract: "assert True",
      description: "Constraints:\n- 3 <= n <= 8",
    });
    const { problem: expanded, outside } = await expandTests(own, executor, { count: 30 });
    expect(Math.max(...argsOf(expanded.tests))).toBeGreaterThan(8);
    expect(outside).toBe(0);
  });

  it("keeps to the contract that a language model writes, of which given inputs break nothing", async () => {
    const asked: string[] = [];
    const ask = async (prompt: string): Promise<string> => {
      asked.push(prompt);
      if (asked.length > 1) return "nothing";
      return "```python\nassert isinstance(n, int)\nassert 2 < n < 9\nassert n != 5\nassert f(3) == 6\nassert n.__class__.none\n```";
    };
    const own = problem("f", calls, { references, description: "Double a small number." });
    const { problem: expanded, llm, dropped } = await expandTests(own, executor, { count: 6, llm: { name: "m", ask } });
    expect(llm).toMatchObject({ contract: "assert isinstance(n, int)\nassert 2 < n < 9", contractRefused: 2 });
    expect(expanded.contract).toBe(llm?.contract);
    expect(dropped.contract).toBeGreaterThan(0);
    const added = argsOf(expanded.tests).slice(3);
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((n) => n <= 2 || n >= 9)).toEqual([]);
    expect(asked[0]).toContain("Double a small number.");
    expect(asked[1]).toContain("assert 2 < n < 9");
  });

  it("asks a language model for no contract if the problem has one", async () => {
    const asked: string[] = [];
    const ask = async (prompt: string): Promise<string> => {
      asked.push(prompt);
      return "```python\nassert n < 4\n```";
    };
    const own = problem("f", calls, { references, contract: "assert n > 0" });
    const { problem: expanded, llm } = await expandTests(own, executor, { count: 6, llm: { name: "m", ask } });
    expect(asked).toHaveLength(1);
    expect([expanded.contract, llm?.contract]).toEqual(["assert n > 0", null]);
  });

  it("leaves references out that fail the given tests, and says which", async () => {
    const more = ["def f(n, times):\n    return times * n", "def f(n):\n    return n + n", "def f(n):\n    return n"];
    const several = problem("f", calls, { references: [...references, ...more] });
    const { added, failingReferences, dropped } = await expandTests(several, executor, { count: 10 });
    expect(failingReferences.map(({ reference, failed }) => [reference, failed])).toEqual([
      [1, 3],
      [3, 3],
    ]);
    expect({ added, disagreed: dropped.disagreed }).toEqual({ added: 7, disagreed: 0 });
  });

  it("says how many given inputs a contract refuses", async () => {
    const strict = problem("f", calls, { references, contract: "assert n > 4" });
    expect(await expandTests(strict, executor, { count: 10 })).toMatchObject({
      added: 7,
      givenOutside: 1,
      defects: ["contract-violation"],
    });
  });

  it("drops answers that depend on the state of random, and keeps those that do not", async () => {
    const lucky = ["import random\ndef f(n):\n    return n * 2 if n < 9 else random.random()"];
    const { problem: expanded, dropped } = await expandTests(problem("f", calls, { references: lucky }), executor, {
      count: 20,
    });
    expect(dropped.unstable).toBeGreaterThan(0);
    expect(argsOf(expanded.tests.slice(3)).every((n) => n < 9)).toBe(true);
    expect(expanded.tests.length).toBeGreaterThan(3);
  });
});
