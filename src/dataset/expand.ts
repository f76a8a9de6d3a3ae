/**
 * Expanded tests: proposed inputs with the reference's answers as expectation (CodeScore 3.1.1; EvalPlus, section 2).
 * An input is kept when the first reference answers it twice alike, without an error and within bounds, and every other
 * reference agrees (differential testing). Contracts do not filter here yet; an input outside of a task's domain is
 * dropped only where a reference fails on it or two of them disagree.
 */
import { type Answer, type Executor, equalValues, type ProgramInput } from "../execute/index.ts";
import { proposeInputs } from "../expand/index.ts";
import type { Problem, PyValue, TestCase } from "../types.ts";
import { parseArguments, printLiteral } from "../util/python.ts";
import { expectation, hasFloat, hasNan } from "./comparable.ts";

export interface ExpandOptions {
  /** Tests a problem has in the end, the given ones included; given tests are never dropped. @default 100 */
  readonly count?: number;
  /** @default 0 */
  readonly seed?: number;
}

export const expandDefaults = { count: 100, seed: 0 } as const satisfies Required<ExpandOptions>;

/** Why proposed inputs were not kept. */
export interface Dropped {
  /** A reference ended in an error, a timeout or out of memory. */
  readonly failed: number;
  /** The first reference answered differently the second time. */
  readonly unstable: number;
  /** Nan, an object, or an answer that is too long: nothing to compare with. */
  readonly incomparable: number;
  readonly disagreed: number;
}

/** Two references that answer differently: a defect of the problem, or an input outside of its domain. */
export interface Disagreement {
  readonly input: ProgramInput;
  /** The answers of the references, as Python literals; null where one could not be printed. */
  readonly answers: readonly (string | null)[];
}

export interface Expansion {
  /** The problem with the tests it has now. */
  readonly problem: Problem;
  /** Tests there were before; a HumanEval `check` counts as many as it has inputs. */
  readonly given: number;
  readonly added: number;
  readonly dropped: Dropped;
  readonly disagreements: readonly Disagreement[];
  /** Why nothing was tried; null when something was. */
  readonly reason: string | null;
}

/** EvalPlus's tolerance for answers that hold floats. */
const floatTolerance = 1e-6;
/** So many inputs are proposed for each one wanted, since some are dropped. */
const overshoot = 2;
const nothingDropped = { failed: 0, unstable: 0, incomparable: 0, disagreed: 0 } as const satisfies Dropped;

/** Adds tests to a problem; deterministic as far as its references are. Throws only when the executor itself fails. */
export async function expandTests(
  problem: Problem,
  executor: Executor,
  options: ExpandOptions = {},
): Promise<Expansion> {
  const { count, seed } = { ...expandDefaults, ...options };
  const unchanged = (reason: string | null, before = problem.tests.length): Expansion => ({
    problem,
    given: before,
    added: 0,
    dropped: nothingDropped,
    disagreements: [],
    reason,
  });
  if (problem.references.length === 0) return unchanged("the problem has no reference");
  const given = await executor.inputs(problem);
  const before = Math.max(given.length, problem.tests.length);
  const wanted = count - before;
  if (wanted <= 0) return unchanged(null, before);
  if (given.length === 0) return unchanged("no input could be read off the given tests");
  const seen = new Set(given.map(canonical));
  const proposed = (await proposeInputs(problem, given, { count: overshoot * wanted, seed })).filter((input) => {
    const key = canonical(input);
    return !seen.has(key) && seen.add(key);
  });
  const kept: TestCase[] = [];
  const disagreements: Disagreement[] = [];
  const dropped: { -readonly [why in keyof Dropped]: number } = { ...nothingDropped };
  for (let at = 0; at < proposed.length && kept.length < wanted; ) {
    const batch = proposed.slice(at, at + wanted - kept.length); // no more than could be used
    at += batch.length;
    const judged = await judge(problem, executor, batch);
    kept.push(...judged.tests);
    disagreements.push(...judged.disagreements);
    for (const why of Object.keys(dropped) as (keyof Dropped)[]) dropped[why] += judged.dropped[why];
  }
  const taken = new Set(problem.tests.map(({ id }) => id));
  const tests = kept.map((test, i) => ({ ...test, id: unusedId(taken, i) }));
  return {
    problem: { ...problem, tests: [...problem.tests, ...tests] },
    given: before,
    added: tests.length,
    dropped,
    disagreements,
    reason: null,
  };
}

function unusedId(taken: Set<string>, i: number): string {
  let id = `expanded-${i}`;
  while (taken.has(id)) id = `${id}'`;
  taken.add(id);
  return id;
}

async function judge(problem: Problem, executor: Executor, proposed: readonly ProgramInput[]) {
  const { entryPoint, setup, references } = problem;
  const run = (code: string, inputs: readonly ProgramInput[]): Promise<Answer[]> =>
    inputs.length === 0 ? Promise.resolve([]) : executor.answers({ code, entryPoint, setup }, inputs);
  const first = await run(references[0] as string, proposed);
  const stable = proposed.flatMap((input, i) => (isValue(first[i]) ? [{ input, value: first[i].value }] : []));
  const inputs = stable.map(({ input }) => input);
  const others = [];
  for (const code of [references[0] as string, ...references.slice(1)]) others.push(await run(code, inputs));

  const tests: TestCase[] = [];
  const disagreements: Disagreement[] = [];
  const dropped = { failed: proposed.length - stable.length, unstable: 0, incomparable: 0, disagreed: 0 };
  for (const [i, { input, value }] of stable.entries()) {
    const answers = others.map((answer) => answer[i]);
    const tolerance = toleranceOf(problem, value);
    const [again, ...rest] = answers;
    if (!answers.every(isValue)) dropped.failed += 1;
    else if (expectation(value) === null || hasNan(value)) dropped.incomparable += 1;
    else if (!isValue(again) || !equalValues(again.value, value)) dropped.unstable += 1;
    else if (!rest.every((answer) => isValue(answer) && same(answer.value, value, tolerance, "stdin" in input))) {
      dropped.disagreed += 1;
      disagreements.push({ input, answers: [value, ...rest.filter(isValue).map((a) => a.value)].map(expectation) });
    } else tests.push(testOf(input, value, tolerance));
  }
  return { tests, dropped, disagreements };
}

const isValue = (answer: Answer | undefined): answer is Extract<Answer, { outcome: "ok" }> => answer?.outcome === "ok";

/** Printed text is compared as execute/ compares it: spaces at the ends of lines and empty lines at the end do not count. */
function same(a: PyValue, b: PyValue, tolerance: number, isText: boolean): boolean {
  if (!isText || a.t !== "str" || b.t !== "str") return equalValues(a, b, tolerance);
  const [x, y] = [a, b].map(({ v }) => v.replace(/[ \t\r\f\v]+$/gm, "").replace(/\n+$/, ""));
  return x === y;
}

function toleranceOf(problem: Problem, value: PyValue): number {
  const given = problem.tests.map((test) => (test.kind === "call" ? test.tolerance : 0));
  return Math.max(0, ...given) || (hasFloat(value) ? floatTolerance : 0);
}

function testOf(input: ProgramInput, value: PyValue, tolerance: number): TestCase {
  const expected = printLiteral(value);
  if ("args" in input) return { id: "", origin: "expanded", kind: "call", args: input.args, expected, tolerance };
  return {
    id: "",
    origin: "expanded",
    kind: "stdio",
    stdin: input.stdin,
    expected: value.t === "str" ? value.v : expected,
  };
}

/** One text for inputs that differ only in how they are written. */
function canonical(input: ProgramInput): string {
  if ("stdin" in input) return input.stdin;
  try {
    const { positional, keyword } = parseArguments(input.args);
    return [
      ...positional.map(printLiteral),
      ...keyword.map(([name, value]) => `${name}=${printLiteral(value)}`),
    ].join();
  } catch {
    return input.args.trim(); // an expression, not a literal
  }
}
