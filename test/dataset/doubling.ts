import type { Problem, PyValue, TestCase } from "../../src/types.ts";

export const given: TestCase[] = ["3", "8", "2"].map((args, i) => ({
  id: `test-${i}`,
  origin: "given",
  kind: "call",
  args,
  expected: `${2 * Number(args)}`,
  tolerance: 0,
}));

export const problem: Problem = {
  id: "A/1",
  description: "Double it.",
  prompt: "",
  entryPoint: "f",
  references: ["def f(x: int):\n    return 2 * x"],
  tests: given,
  setup: "",
  contract: "",
  source: "ours",
};
/** The reference. */
export const [first] = problem.references as [string];
export const int = (n: number): PyValue => ({ t: "int", v: BigInt(n) });
export const double = (input: string): PyValue => int(2 * Number(input));
