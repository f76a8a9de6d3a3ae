/**
 * Test-suite reduction by greedy set cover: few tests that still take every branch of the reference and kill every mutant and
 * every sample that all tests together take or kill. The caller provides mutants and samples as programs.
 * Source: EvalPlus (Liu et al. 2023), test-suite reduction by coverage, mutant killing and LLM sample killing.
 */
import type { Executor, ProgramInput } from "../execute/types.ts";
import type { Problem, TestCase, Verdict } from "../types.ts";
import { expectation, hasFloat } from "./comparable.ts";
import { branchCoverage } from "./coverage.ts";
import { type CheckedReferences, checkReferences, type Defect } from "./defects.ts";
import { floatTolerance } from "./expand-judge.ts";

export const criteria = ["coverage", "mutants", "samples"] as const;
export type Criterion = (typeof criteria)[number];

export interface ReduceOptions {
  /** What the chosen tests must keep; several criteria are kept together. @default all three */
  readonly by?: readonly Criterion[];
  /** Mutants as whole programs. @default [] */
  readonly mutants?: readonly string[];
  /** Samples as whole programs. @default [] */
  readonly samples?: readonly string[];
  /** Whole programs that do not influence the choice. The report tells how many of them are still killed. @default [] */
  readonly heldOut?: readonly string[];
  /**
   * Number of tests to choose, if the problem has that many. Goals are met once, then twice, and so on up to that number.
   * Null: each goal once, with few tests. @default null
   */
  readonly size?: number | null;
}

export const reduceDefaults = { by: criteria, mutants: [], samples: [], heldOut: [], size: null } as const;

/** Counts of branches or programs: taken or killed by all tests, and by the chosen tests. */
export interface Kept {
  readonly all: number;
  readonly kept: number;
}

export interface Reduction {
  /** The problem with the chosen tests, in their original order. */
  readonly problem: Problem;
  /** Number of tests before. An assert of a HumanEval `check` counts as one if it could become a test by itself. */
  readonly before: number;
  readonly after: number;
  /** Branches of the reference; null if coverage is not a criterion. */
  readonly coverage: Kept | null;
  readonly mutants: Kept;
  readonly samples: Kept;
  readonly heldOut: Kept;
  /** What is wrong with the problem. */
  readonly defects: readonly Defect[];
}

/**
 * Reduces the tests of one problem. Throws only if the executor fails. A problem with references stays unchanged if no test can be
 * judged or no reference passes the tests: a wrong test fails every program, so it would be chosen first. A problem without references
 * keeps all its tests if no program could be judged.
 */
export async function reduceTests(whole: Problem, executor: Executor, options: ReduceOptions = {}): Promise<Reduction> {
  const { by, mutants, samples, heldOut, size: wanted } = { ...reduceDefaults, ...options };
  const checked = await checkReferences(whole, executor);
  if (whole.references.length > 0 && checked.reason !== null) return unreduced(whole, checked, by);
  const problem = await withSingleTests({ ...whole, references: checked.passing }, executor);
  const size = problem.tests.length;
  const killsOf = async (programs: readonly string[]): Promise<number[][]> => {
    const found = await Promise.all([...new Set(programs)].map((code) => kills(problem, executor, code)));
    return found.filter((tests) => tests !== null);
  };
  const branches = by.includes("coverage") ? await branchTakers(problem, executor) : null;
  const [byMutants, bySamples, byHeldOut] = [await killsOf(mutants), await killsOf(samples), await killsOf(heldOut)];
  const goals = [
    ...(branches ?? []),
    ...(by.includes("mutants") ? byMutants : []),
    ...(by.includes("samples") ? bySamples : []),
  ];
  const isKnown = whole.references.length > 0 || goals.length > 0;
  const chosen = new Set(isKnown ? greedyCover(size, goals, wanted) : problem.tests.keys());
  const keptOf = (groups: readonly (readonly number[])[]): Kept => {
    const killed = groups.filter((tests) => tests.length > 0);
    return { all: killed.length, kept: killed.filter((tests) => tests.some((test) => chosen.has(test))).length };
  };
  return {
    problem: { ...problem, references: whole.references, tests: problem.tests.filter((_, i) => chosen.has(i)) },
    before: size,
    after: chosen.size,
    coverage: branches && keptOf(branches),
    mutants: keptOf(byMutants),
    samples: keptOf(bySamples),
    heldOut: keptOf(byHeldOut),
    defects: checked.defects,
  };
}

function unreduced(problem: Problem, { defects }: CheckedReferences, by: readonly Criterion[]): Reduction {
  const { length } = problem.tests;
  const none: Kept = { all: 0, kept: 0 };
  const coverage = by.includes("coverage") ? none : null;
  return { problem, before: length, after: length, coverage, mutants: none, samples: none, heldOut: none, defects };
}

/**
 * Chooses tests and returns their indexes, in order. Each goal is the list of tests that serve it. Takes the test that serves the
 * most open goals (the first of equals) until every goal is served. With a size it continues to that number: when all goals are
 * served, all goals that a remaining test serves are open again. Chooses at least one test if there is one.
 */
export function greedyCover(
  tests: number,
  goals: readonly (readonly number[])[],
  size: number | null = null,
): number[] {
  const served: number[][] = Array.from({ length: tests }, () => []);
  goals.forEach((servers, goal) => {
    for (const test of new Set(servers)) served[test]?.push(goal);
  });
  const most = Math.min(tests, size ?? tests);
  const chosen = new Set<number>();
  let open = new Set(goals.keys());
  while (chosen.size < most) {
    const left = Array.from({ length: tests }, (_, test) => test).filter((test) => !chosen.has(test));
    const gains = left.map((test) => (served[test] as number[]).filter((goal) => open.has(goal)).length);
    const gain = Math.max(...gains);
    if (gain === 0 && chosen.size > 0) {
      if (size === null) break;
      const unserved = new Set(left.flatMap((test) => served[test] as number[]));
      if (unserved.size === 0) break; // the remaining tests serve no goal
      open = unserved;
      continue;
    }
    const best = left[gains.indexOf(gain)] as number;
    chosen.add(best);
    for (const goal of served[best] as number[]) open.delete(goal);
  }
  return [...chosen].sort((a, b) => a - b);
}

/** Splits a `check` into its asserts: each becomes a call with the reference's answer. Keeps the `check` if one of them has no usable answer. */
async function withSingleTests(problem: Problem, executor: Executor): Promise<Problem> {
  const { entryPoint, setup, references, files } = problem;
  const tests: TestCase[] = [];
  for (const test of problem.tests) {
    const inputs = test.kind === "check" ? await executor.inputs({ ...problem, tests: [test] }) : [];
    const [code] = references;
    const answers = code === undefined ? [] : await executor.answers({ code, entryPoint, setup, files }, inputs);
    const calls = answers.map((answer, i): TestCase | null => {
      const input = inputs[i] as ProgramInput;
      const expected = answer.outcome === "ok" ? expectation(answer.value) : null;
      if (expected === null || !("args" in input)) return null;
      const tolerance = answer.outcome === "ok" && hasFloat(answer.value) ? floatTolerance : 0;
      return { id: `${test.id}/${i}`, origin: test.origin, kind: "call", args: input.args, expected, tolerance };
    });
    const single = calls.filter((call) => call !== null);
    tests.push(...(single.length > 0 && single.length === inputs.length ? single : [test]));
  }
  return { ...problem, tests };
}

/**
 * Indexes of the tests that a program fails; null if it could not be judged. Tests that were not tried, because the program had
 * timed out too often, do not count.
 */
async function kills(problem: Problem, executor: Executor, code: string): Promise<number[] | null> {
  const { status, verdicts } = await executor.execute(problem, code);
  if (status !== "ok") return null;
  const place = new Map(problem.tests.map(({ id }, i) => [id, i]));
  const placeOf = ({ testId }: Verdict): number | undefined =>
    place.get(testId) ?? place.get(testId.slice(0, testId.lastIndexOf("/")));
  let timeouts = 0;
  const failed = verdicts.filter(({ outcome }) => {
    if (outcome === "timeout") timeouts += 1;
    return outcome !== "pass" && (outcome !== "timeout" || timeouts <= executor.limits.maxTimeouts);
  });
  return [...new Set(failed.map(placeOf).filter((i) => i !== undefined))];
}

/** For each branch of the reference that some test takes: the indexes of the tests that take it. */
async function branchTakers(problem: Problem, executor: Executor): Promise<number[][]> {
  const inputs: ProgramInput[] = [];
  const owner: number[] = [];
  for (const [i, test] of problem.tests.entries()) {
    const own =
      test.kind === "call"
        ? [{ args: test.args }]
        : test.kind === "stdio"
          ? [{ stdin: test.stdin }]
          : await executor.inputs({ ...problem, tests: [test] });
    inputs.push(...own);
    owner.push(...own.map(() => i));
  }
  const calls = (kind: "args" | "stdin"): number[] => inputs.flatMap((input, i) => (kind in input ? [i] : []));
  const takers = new Map<string, number[]>();
  for (const places of [calls("args"), calls("stdin")]) {
    const found = await branchCoverage(
      problem,
      executor,
      places.map((i) => inputs[i] as ProgramInput),
    );
    for (const [k, branches] of found.entries()) {
      const test = owner[places[k] as number] as number;
      for (const branch of branches ?? []) takers.set(branch, [...(takers.get(branch) ?? []), test]);
    }
  }
  return [...takers.values()];
}
