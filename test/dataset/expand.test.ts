import { describe, expect, it } from "vitest";
import { expandTests } from "../../src/dataset/index.ts";
import type { PyValue, TestCase } from "../../src/types.ts";
import { double, first, given, int, problem } from "./doubling.ts";
import { fakeExecutor } from "./fake.ts";

describe("expandTests", () => {
  it("keeps the given tests first and adds the reference's answers up to the count", async () => {
    const executor = fakeExecutor({ programs: { [first]: double } });
    const { problem: expanded, added } = await expandTests(problem, executor, { count: 20, seed: 1 });
    expect(expanded.tests.slice(0, 3)).toEqual(given);
    expect(expanded.tests).toHaveLength(20);
    expect(added).toBe(17);
    for (const test of expanded.tests.slice(3)) {
      expect(test).toMatchObject({ origin: "expanded", kind: "call", tolerance: 0 });
      if (test.kind === "call") expect(test.expected).toBe(`${2 * Number(test.args)}`);
    }
    const inputs = expanded.tests.map((test) => test.kind === "call" && test.args);
    expect(new Set(inputs).size).toBe(20);
    expect(new Set(expanded.tests.map(({ id }) => id)).size).toBe(20);
  });

  it("gives the same tests for the same seed and others for another", async () => {
    const run = async (seed: number) =>
      (await expandTests(problem, fakeExecutor({ programs: { [first]: double } }), { count: 20, seed })).problem.tests;
    expect(await run(5)).toEqual(await run(5));
    expect(await run(5)).not.toEqual(await run(6));
  });

  it.each([
    ["fail on the reference", (input: string) => (Number(input) < 0 ? null : double(input)), "failed"],
    [
      "are answered differently the second time",
      (input: string, run: number) => (Number(input) < 0 ? int(run) : double(input)),
      "unstable",
    ],
    [
      "are answered by nan",
      (input: string): PyValue => (Number(input) < 0 ? { t: "float", v: Number.NaN } : double(input)),
      "incomparable",
    ],
    [
      "are answered by an object",
      (input: string): PyValue =>
        Number(input) < 0 ? { t: "list", v: [{ t: "object", type: "T", form: "" }] } : double(input),
      "incomparable",
    ],
    [
      "are answered at great length",
      (input: string): PyValue => (Number(input) < 0 ? { t: "str", v: "x".repeat(20_000) } : double(input)),
      "incomparable",
    ],
  ] as const)("drops inputs that %s", async (_, program, why) => {
    const { problem: expanded, dropped } = await expandTests(
      problem,
      fakeExecutor({ programs: { [first]: program } }),
      { count: 40 },
    );
    expect(dropped[why]).toBeGreaterThan(0);
    expect(Object.values(dropped).filter((n) => n > 0)).toHaveLength(1);
    const added = expanded.tests.slice(given.length);
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((test) => test.kind === "call" && Number(test.args) < 0)).toEqual([]);
  });

  it("drops inputs on which the references disagree and says so", async () => {
    const two = { ...problem, references: [first, "second"] };
    const wrong = (input: string) => (Number(input) < 0 ? int(0) : double(input));
    const executor = fakeExecutor({ programs: { [first]: double, second: wrong } });
    const { problem: expanded, dropped, disagreements } = await expandTests(two, executor, { count: 40 });
    expect(dropped.disagreed).toBeGreaterThan(0);
    expect(disagreements).toHaveLength(Math.min(5, dropped.disagreed));
    const { input, answers } = disagreements[0]!;
    expect(answers).toEqual([`${2 * Number("args" in input && input.args)}`, "0"]);
    expect(expanded.tests.slice(3).some((test) => test.kind === "call" && Number(test.args) < 0)).toBe(false);
  });

  describe("of a problem that is defective", () => {
    const wrong = (input: string) => (Number(input) === 8 ? int(7) : double(input));
    const raises = (input: string) => (Number(input) === 8 ? null : double(input));
    const fails = (reference: number) => ({ reference, failed: 1, tests: ["test-1"] });

    it.each([
      ["one reference that answers wrongly", [wrong]],
      ["one reference that raises", [raises]],
      ["several references that fail alike", [wrong, wrong, raises]],
    ])("takes no answer from %s on a given test", async (_, programs) => {
      const references = programs.map((_, i) => `reference ${i}`);
      const executor = fakeExecutor({
        programs: Object.fromEntries(references.map((code, i) => [code, programs[i]!])),
      });
      const odd = { ...problem, references };
      expect(await expandTests(odd, executor, { count: 20 })).toMatchObject({
        problem: odd,
        added: 0,
        defects: ["no-passing-reference"],
        failingReferences: programs.map((_, i) => fails(i)),
        reason: "no reference passes the given tests",
      });
    });

    it("says so where there are enough tests already, too", async () => {
      const executor = fakeExecutor({ programs: { [first]: wrong } });
      const { added, defects } = await expandTests(problem, executor, { count: 3 });
      expect({ added, defects }).toEqual({ added: 0, defects: ["no-passing-reference"] });
    });

    it("takes answers from the references that pass", async () => {
      const executor = fakeExecutor({ programs: { [first]: double, second: wrong } });
      const two = { ...problem, references: ["second", first] };
      expect(await expandTests(two, executor, { count: 20 })).toMatchObject({
        added: 17,
        defects: ["failing-reference"],
        failingReferences: [fails(0)],
        reason: null,
      });
    });

    it.each([
      ["no_label", "no given test can be run: because", ["unrunnable-tests"]],
      ["infra", "its references could not be judged: because", []],
    ] as const)("adds nothing where the references' status is %s", async (status, reason, defects) => {
      const verdict = () => ({ status, verdicts: [], passRatio: null, executable: null, reason: "because" });
      const executor = fakeExecutor({ programs: { [first]: double }, verdict });
      expect(await expandTests(problem, executor, { count: 20 })).toMatchObject({ added: 0, reason, defects });
    });

    it("reports given tests without a verdict", async () => {
      const verdict = () => ({ verdicts: [{ testId: "test-0", outcome: "pass" } as const] });
      const executor = fakeExecutor({ programs: { [first]: double }, verdict });
      expect(await expandTests(problem, executor, { count: 20 })).toMatchObject({
        added: 17,
        defects: ["unrunnable-tests"],
      });
    });

    it("reports a reference that answers differently the second time", async () => {
      const lucky = (input: string, run: number) => (Number(input) < 0 ? int(run) : double(input));
      const executor = fakeExecutor({ programs: { [first]: lucky } });
      expect((await expandTests(problem, executor, { count: 40 })).defects).toEqual(["unstable-reference"]);
    });
  });

  it("lets floats differ a little between references, and says how much a candidate may", async () => {
    const open = given.map((test) => ({ ...test, expected: null }));
    const two = { ...problem, tests: open, references: [first, "second"] };
    const float = (v: number): PyValue => ({ t: "list", v: [{ t: "float", v }] });
    const programs = {
      [first]: (x: string) => float(Number(x) / 3),
      second: (x: string) => float(Number(x) / 3 + 1e-9),
    };
    const { problem: expanded, dropped } = await expandTests(two, fakeExecutor({ programs }), { count: 10 });
    expect(dropped.disagreed).toBe(0);
    expect(expanded.tests.at(-1)).toMatchObject({ kind: "call", tolerance: 1e-6 });
  });

  it("writes printed text as it is for programs that read stdin", async () => {
    const tests: TestCase[] = [{ id: "t", origin: "given", kind: "stdio", stdin: "3 4\n", expected: "7\n" }];
    const sum = (text: string): PyValue => ({ t: "str", v: `${text.trim().length}\n` });
    const stdio = { ...problem, entryPoint: null, tests, references: ["print(1)", "print(2)"] };
    const padded = (text: string): PyValue => ({ t: "str", v: `${text.trim().length} \n\n` });
    const executor = fakeExecutor({ programs: { "print(1)": sum, "print(2)": padded } });
    const { problem: expanded, disagreements } = await expandTests(stdio, executor, { count: 6 });
    expect(disagreements).toEqual([]);
    const added = expanded.tests.slice(1);
    expect(added.length).toBeGreaterThan(0);
    for (const test of added) {
      expect(test.kind === "stdio" && test.expected).toBe(test.kind === "stdio" && `${test.stdin.trim().length}\n`);
    }
  });

  it("makes inputs up from annotations where none is given", async () => {
    const asserts: TestCase[] = [{ id: "t", origin: "given", kind: "assert", code: "assert f" }];
    const executor = fakeExecutor({ programs: { [first]: double } });
    const { added, reason } = await expandTests({ ...problem, tests: asserts }, executor, { count: 10 });
    expect({ added, reason }).toEqual({ added: 9, reason: null });
  });

  it("runs the reference the second time with another state of random, and by the other executor where there is one", async () => {
    const setups: string[] = [];
    const again = fakeExecutor({ programs: { [first]: (input) => (Number(input) > 5 ? int(0) : double(input)) } });
    const answers = again.answers.bind(again);
    again.answers = (program, inputs) => {
      setups.push(program.setup);
      return answers(program, inputs);
    };
    const executor = fakeExecutor({ programs: { [first]: double } });
    const { problem: expanded, dropped } = await expandTests(problem, executor, { count: 20, again });
    expect(dropped.unstable).toBeGreaterThan(0);
    expect(expanded.tests.slice(3).some((test) => test.kind === "call" && Number(test.args) > 5)).toBe(false);
    expect(setups.every((setup) => setup.includes("random"))).toBe(true);
  });

  it("infers what the reference refuses, says it, and aims later inputs inside", async () => {
    const fails = (input: string) => (Number(input) < 0 ? null : double(input));
    const valid = { ...problem, tests: given.filter(({ id }) => id !== "test-2") };
    const executor = fakeExecutor({ programs: { [first]: fails } });
    const { preconditions, dropped, added } = await expandTests(valid, executor, { count: 100 });
    expect(added).toBe(98);
    expect(preconditions).toEqual([{ text: "x >= 0", explains: dropped.failed }]);
    expect(dropped.failed).toBeLessThan(15);
  });

  it("tries again, later and where they still look valid, the inputs that timeouts kept a program from", async () => {
    const executor = fakeExecutor({ programs: { [first]: double } });
    const answers = executor.answers.bind(executor);
    let most = 0;
    executor.answers = async (program, inputs) => {
      let timeouts = 0;
      const all = await answers(program, inputs);
      return all.map((answer, i) => {
        const input = inputs[i]!;
        const slow = "args" in input && Number(input.args) > 3;
        if (slow || timeouts >= 3) timeouts += 1; // like the executor, gives up after three
        most = Math.max(most, timeouts);
        return slow || timeouts > 3 ? { outcome: "timeout" } : answer;
      });
    };
    const { added, dropped, preconditions } = await expandTests(
      { ...problem, tests: [{ ...given[2]!, args: "-2", expected: "-4" } as TestCase, given[0]!] },
      executor,
      {
        count: 30,
      },
    );
    expect(most).toBeGreaterThan(3); // some inputs were not reached
    expect(added).toBe(28);
    expect(dropped.failed).toBeGreaterThan(2);
    expect(preconditions.map(({ text }) => text)).toEqual([expect.stringMatching(/^x < \d+$/)]);
  });

  describe("with a language model", () => {
    const answer = "Sure!\n```python\nf(1000)\nf(-7)\nf(3)\nf(2 ** 5)\ng(4)\nboundary case\nf(1000)\n```\n";

    it("keeps its inputs that are literal, new and answered, and counts what is none", async () => {
      const prompts: string[] = [];
      const ask = async (prompt: string) => {
        prompts.push(prompt);
        return answer;
      };
      const programs = { [first]: (input: string) => (input === "-7" ? null : double(input)) };
      const expansion = await expandTests(problem, fakeExecutor({ programs }), {
        count: 10,
        llm: { name: "m", ask },
      });
      const counts = { proposed: 2, junk: 3, kept: 1 };
      expect(expansion.llm).toEqual({ model: "m", ...counts, contract: null, contractRefused: 0 });
      expect(expansion.problem.tests[3]).toMatchObject({ args: "1000", expected: "2000", origin: "expanded" });
      expect(expansion.problem.tests).toHaveLength(10);
      expect(prompts).toHaveLength(2); // for a contract, then for inputs
      for (const prompt of prompts) {
        expect(prompt).toContain(first);
        expect(prompt).toContain("f(8)");
      }
    });
  });

  it.each([
    ["without a reference", { references: [] }, "the problem has no reference"],
    [
      "without an input to start from",
      { tests: [{ id: "t", origin: "given", kind: "assert", code: "assert f" }] as TestCase[] },
      "the given tests contain no readable input, and the reference answers no made-up input",
    ],
  ])("leaves a problem %s as it is, with the reason", async (_, more, reason) => {
    const odd = { ...problem, ...more };
    const executor = fakeExecutor({ programs: { [first]: () => null } });
    expect(await expandTests(odd, executor)).toMatchObject({ problem: odd, added: 0, reason });
  });

  it("leaves a problem that has enough tests as it is", async () => {
    const executor = fakeExecutor({ programs: { [first]: double } });
    expect(await expandTests(problem, executor, { count: 3 })).toMatchObject({ problem, added: 0, reason: null });
  });
});
