/** Problems without tests: expansion from only a reference, or only a description. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expandProblems, expandTests } from "../../src/dataset/index.ts";
import type { Executor } from "../../src/execute/index.ts";
import { readProblems } from "../../src/problems/index.ts";
import type { Problem } from "../../src/types.ts";
import { open, sandboxes } from "../execute/open.ts";
import { tempFolder, writeRows } from "../problems/helpers.ts";

let executor: Executor;
beforeAll(async () => {
  executor = await open(sandboxes[0]!);
}, 60_000);
afterAll(() => executor.close());

const bare = { id: "A", prompt: "", entryPoint: null, references: [], tests: [], setup: "", contract: "", source: "" };
const problemOf = (more: Partial<Problem>): Problem => ({ ...bare, description: "Find the longest word.", ...more });

describe("a problem without tests", () => {
  it("gets tests of an untyped reference alone, by trial, and the name of its function", async () => {
    const reference = "def spread(values):\n    return max(values) - min(values)\n";
    const { problem, inputsFrom, reason, added } = await expandTests(problemOf({ references: [reference] }), executor, {
      count: 20,
    });
    expect({ inputsFrom, reason, added, entryPoint: problem.entryPoint }).toEqual({
      inputsFrom: "trial",
      reason: null,
      added: 20,
      entryPoint: "spread",
    });
    expect(new Set(problem.tests.map(({ origin, kind }) => `${origin} ${kind}`))).toEqual(new Set(["expanded call"]));
    const { passRatio } = await executor.execute(problem, reference);
    const wrong = await executor.execute(problem, reference.replace("max", "sum"));
    expect(passRatio).toBe(1);
    expect(wrong.passRatio).toBeLessThan(0.9);
  }, 60_000);

  it("takes answers on which all references agree, where the setup is needed too", async () => {
    const references = ["def f(n):\n    return helper(n)\n", "def f(n):\n    return 2 * n if n < 50 else 0\n"];
    const setup = "def helper(n):\n    return 2 * n\n";
    const { problem, dropped } = await expandTests(problemOf({ references, setup, entryPoint: "f" }), executor, {
      count: 15,
    });
    expect(dropped.disagreed).toBeGreaterThan(0);
    expect(problem.tests.length).toBeGreaterThan(7);
    for (const code of references) expect((await executor.execute(problem, code)).passRatio).toBe(1);
  }, 60_000);

  it("gets none of a function of linked lists, because a test cannot hold nodes", async () => {
    const node = "class Node:\n    def __init__(self, value):\n        self.value, self.next = value, None\n";
    const reference = `${node}def size(head: Node) -> int:\n    return 1 + size(head.next) if head else 0\n`;
    const { problem, added } = await expandTests(problemOf({ references: [reference] }), executor, { count: 10 });
    expect({ added, tests: problem.tests }).toEqual({ added: 0, tests: [] });
  }, 60_000);

  it("is not what has tests of which neither inputs nor the function can be read", async () => {
    const tests = [
      { id: "given-0", origin: "given", kind: "assert", code: "for n in range(3):\n    assert f(n) == n\n" },
    ] as const;
    const references = ["def f(n):\n    return n\n"];
    const { added, reason } = await expandTests(problemOf({ references, tests }), executor);
    expect({ added, reason }).toEqual({ added: 0, reason: expect.stringContaining("contain no readable input") });
  }, 60_000);

  it("has the examples of its description as tests where there is no reference either", async () => {
    const description = "Halve it.\n\n>>> half(4)\n2.0\n>>> half(-3)\n-1.5\n";
    const { problem, ...report } = await expandTests(problemOf({ description, entryPoint: "half" }), executor);
    expect(problem.tests).toEqual([
      { id: "example-0", origin: "given", kind: "call", args: "4", expected: "2.0", tolerance: 1e-6 },
      { id: "example-1", origin: "given", kind: "call", args: "-3", expected: "-1.5", tolerance: 1e-6 },
    ]);
    expect(report).toMatchObject({
      added: 2,
      inputsFrom: "examples",
      reason: "there is no reference, so only the examples of the description became tests",
    });
    expect((await executor.execute(problem, "def half(x):\n    return x / 2\n")).passRatio).toBe(1);
    expect((await executor.execute(problem, "def half(x):\n    return x // 2\n")).passRatio).toBe(0.5);
    expect(await expandTests(problemOf({ entryPoint: "half" }), executor)).toMatchObject({
      added: 0,
      inputsFrom: null,
      reason: "there is no reference, and the description has no readable example",
    });
  });

  it("is read from rows without tests, and counted by where its inputs came from", async () => {
    const prompt = 'def half(x):\n    """Halve it.\n    >>> half(4)\n    2\n    """\n';
    const rows = [
      { task_id: "solved", prompt, entry_point: "half", canonical_solution: "    return x // 2\n" },
      { task_id: "shown", description: "Halve it.\n>>> half(4)\n2", entry_point: "half" },
      { task_id: "lost", description: "Halve it." },
      {
        task_id: "tested",
        prompt,
        entry_point: "half",
        canonical_solution: "    return x // 2\n",
        test: "def check(candidate):\n    assert candidate(8) == 4\n",
      },
    ];
    const out = join(tempFolder(), "out.jsonl");
    const result = await expandProblems({ problems: [writeRows(rows)], out, executor, count: 12 });
    expect(result).toMatchObject({
      short: ["lost", "shown"],
      inputsFrom: { tests: 1, examples: 2, none: 1 },
    });
    expect(JSON.parse(readFileSync(result.manifest, "utf8")).counts.inputs_from).toEqual(result.inputsFrom);
    const problems = await readProblems([out]);
    expect([...problems.values()].map(({ tests }) => tests.length)).toEqual([12, 1, 0, 12]);
  }, 60_000);
});
