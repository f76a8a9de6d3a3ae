/** Inputs that a task excludes: problems without a contract. */
import { describe, expect, it } from "vitest";
import { expandTests } from "../../src/dataset/index.ts";
import { printLiteral } from "../../src/languages/python/literals/index.ts";
import type { Problem, PyValue, TestCase } from "../../src/types.ts";
import { double, first, given, int, problem } from "./doubling.ts";
import { fakeExecutor } from "./fake.ts";

const numbersOf = ({ tests }: Problem): number[] =>
  tests.slice(given.length).flatMap((test) => (test.kind === "call" ? [Number(test.args)] : []));
const expanded = (more: Partial<Problem>, count = 60) =>
  expandTests({ ...problem, ...more }, fakeExecutor({ programs: { [first]: double } }), { count });

describe("expandTests without a contract", () => {
  it("makes no test of what no given test and no word of the description allows, and still enough tests", async () => {
    const { problem: own, outside, added } = await expanded({});
    expect(numbersOf(own).filter((n) => n <= 0)).toEqual([]);
    expect(outside).toBeGreaterThan(3);
    expect(added).toBe(57);
  });

  it("keeps to a range that the description states", async () => {
    const { problem: own, added } = await expanded({ description: "Double it.\n\nConstraints:\n\n- 0 <= x <= 500" });
    const numbers = numbersOf(own);
    expect(numbers.filter((n) => n < 0 || n > 500)).toEqual([]);
    expect(numbers).toContain(0);
    expect(added).toBe(57);
  });

  it("drops a constraint that a given test breaks", async () => {
    const { problem: own } = await expanded({ description: "Double it.\n\nConstraints:\n\n- 1 <= x <= 5" });
    expect(Math.max(...numbersOf(own))).toBeGreaterThan(8);
  });

  it("still reports references that disagree on what it excludes", async () => {
    const two = { ...problem, references: [first, "second"] };
    const other = (input: string) => (Number(input) < 0 ? int(0) : double(input));
    const executor = fakeExecutor({ programs: { [first]: double, second: other } });
    expect((await expandTests(two, executor, { count: 40 })).defects).toEqual(["disagreeing-references"]);
  });

  it("gives the same tests again", async () => {
    const description = "Double it.\n\nConstraints:\n\n- 1 <= x <= 500";
    expect((await expanded({ description })).problem).toEqual((await expanded({ description })).problem);
  });

  it("accepts two items in either order, and compares no more, if the order does not matter", async () => {
    const some = (input: string): PyValue => ({ t: "list", v: [1, 2, 3].slice(0, (Number(input) % 3) + 1).map(int) });
    const tests = ["3", "8", "4"].map(
      (args, i) => ({ ...given[i]!, args, expected: printLiteral(some(args)) }) as TestCase,
    );
    const executor = fakeExecutor({ programs: { [first]: some } });
    const { problem: own, dropped } = await expandTests(
      { ...problem, tests, description: "Return the items in any order." },
      executor,
      { count: 30 },
    );
    const kinds = new Set(
      own.tests.slice(3).map((test) => (test.kind === "call" ? `${test.expected} ${test.also}` : "")),
    );
    expect([...kinds].sort()).toEqual(["[1, 2] [2, 1]", "[1] undefined"]);
    expect(dropped.incomparable).toBeGreaterThan(3);
  });

  it.each([
    ["comparisons", "1 <= x <= "],
    ["names", "x_i = [x, "],
    ["words", "non-empty sorted lists of positive integers x "],
    ["brackets", "x[[[[(((("],
  ])("reads long descriptions full of %s in bounded time", async (_, part) => {
    const start = performance.now();
    await expanded({ description: `Constraints:\n${part.repeat(100_000 / part.length)}` }, 30);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it.each([
    ["long", 3_000],
    ["many", 900],
  ])("changes %s items in bounded time", async (_, items) => {
    const start = performance.now();
    const tests = given.map((test, i) => ({
      ...test,
      args: `[${Array.from({ length: items }, (_, n) => n + i).join()}]`,
    }));
    const description = "The integers in xs are unique. xs is sorted in increasing order. 0 <= xs[i] <= 100000";
    const programs = { [first]: (): ReturnType<typeof int> => int(0) };
    const own = { ...problem, tests, description, references: [first] };
    const { added } = await expandTests(
      own,
      fakeExecutor({
        programs,
        verdict: () => ({ verdicts: tests.map(({ id }) => ({ testId: id, outcome: "pass" as const })) }),
      }),
      { count: 40 },
    );
    expect(added).toBeGreaterThan(0);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
