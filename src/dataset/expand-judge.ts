/**
 * Decides which proposed inputs become tests. An input is kept if the contract holds for it, the first reference answers it twice
 * alike (the second time with another state of `random`, and another hash seed if the caller has such an executor), without an
 * error and within the limits, and every other reference agrees (differential testing).
 * Sources: EvalPlus (Liu et al. 2023, sections 2.1 and 2.3), CodeScore (Dong et al. 2023, section 3.1.1).
 */
import {
  type Answer,
  contractProgram,
  type Executor,
  equalValues,
  type ProgramInput,
  sameOutput,
} from "../execute/index.ts";
import { printLiteral } from "../languages/python/literals/index.ts";
import type { Problem, PyValue, TestCase } from "../types.ts";
import { expectation, hasFloat, hasNan } from "./comparable.ts";

/** Number of proposed inputs that were dropped, by reason. */
export interface Dropped {
  /** The problem's contract does not hold for the input. */
  readonly contract: number;
  /** A reference ended in an error, a timeout or out of memory. */
  readonly failed: number;
  /** The first reference answered differently the second time. */
  readonly unstable: number;
  /** The answer contains NaN, an object, or more than two items that may come in any order, or is too long, so it cannot be compared. */
  readonly incomparable: number;
  readonly disagreed: number;
}

export const nothingDropped = {
  contract: 0,
  failed: 0,
  unstable: 0,
  incomparable: 0,
  disagreed: 0,
} as const satisfies Dropped;

/** Two references that answer differently. Either the problem is defective or the input is outside its domain. */
export interface Disagreement {
  readonly input: ProgramInput;
  /** The answers of the references as Python literals; null for an answer with an object or that is too long. */
  readonly answers: readonly (string | null)[];
}

export interface Judged {
  /** Tests whose ids are still empty. */
  readonly tests: readonly TestCase[];
  /** Inputs that every reference answers, and that are therefore probably valid. */
  readonly answered: readonly ProgramInput[];
  /** Inputs that break the contract or on which a reference fails. */
  readonly refused: readonly ProgramInput[];
  /** Inputs that were not tried, because a program had timed out too often before them. */
  readonly unreached: readonly ProgramInput[];
  readonly dropped: Dropped;
  readonly disagreements: readonly Disagreement[];
}

/** Tolerance for answers that hold floats, as in EvalPlus. */
export const floatTolerance = 1e-6;
/** Seeds `random` differently. It is an expression, because an import statement would define a name that a program may lack. */
const otherRandomState = "__import__('random').seed(271828)";

/** CPU seconds a reference may take on a proposed input. Tests must be cheap, because every candidate may take ten times as long. */
const REFERENCE_CPU_S = 0.25;

export class InputJudge {
  readonly #problem: Problem;
  readonly #executor: Executor;
  readonly #again: Executor;

  /** @param again runs the first reference the second time */
  constructor(problem: Problem, executor: Executor, again: Executor) {
    this.#problem = problem;
    this.#executor = executor;
    this.#again = again;
  }

  async judge(proposed: readonly ProgramInput[]): Promise<Judged> {
    const { references, setup } = this.#problem;
    const [first, ...others] = references as [string, ...string[]];
    const valid = await this.satisfying(proposed);
    const values = await this.#run(this.#executor, first, setup, valid);
    const stable = valid.flatMap((input, i) => (isValue(values[i]) ? [{ input, value: values[i].value }] : []));
    const inputs = stable.map(({ input }) => input);
    const runs = [await this.#run(this.#again, first, `${setup}\n${otherRandomState}\n`, inputs)];
    for (const code of others) runs.push(await this.#run(this.#executor, code, setup, inputs));

    const [tests, answered, disagreements]: [TestCase[], ProgramInput[], Disagreement[]] = [[], [], []];
    const dropped = {
      ...nothingDropped,
      contract: proposed.length - valid.length,
      failed: values.length - stable.length,
    };
    const reached = Math.min(...runs.map((answers) => answers.length));
    const unreached = [...valid.slice(values.length), ...inputs.slice(reached)];
    for (const [i, { input, value }] of stable.slice(0, reached).entries()) {
      const [again, ...rest] = runs.map((answers) => answers[i]);
      const tolerance = toleranceOf(this.#problem, value);
      const agrees = (answer: Answer | undefined): boolean =>
        isValue(answer) && same(answer.value, value, tolerance, "stdin" in input);
      if (!isValue(again) || !rest.every(isValue)) {
        dropped.failed += 1;
        continue;
      }
      answered.push(input);
      if (expectation(value) === null || hasNan(value)) dropped.incomparable += 1;
      else if (!equalValues(again.value, value)) dropped.unstable += 1;
      else if (!rest.every(agrees)) {
        dropped.disagreed += 1;
        disagreements.push({ input, answers: [value, ...rest.map((answer) => answer.value)].map(expectation) });
      } else tests.push(testOf(input, value, tolerance));
    }
    const known = new Set([...answered, ...unreached]);
    const refused = proposed.filter((input) => !known.has(input));
    return { tests, answered, refused, unreached, dropped, disagreements };
  }

  /** The inputs for which the problem's contract holds; all inputs if it has no contract. */
  async satisfying(inputs: readonly ProgramInput[]): Promise<readonly ProgramInput[]> {
    const { contract, entryPoint, references, setup } = this.#problem;
    if (contract.trim() === "" || entryPoint === null) return inputs;
    const code = contractProgram(references[0] as string, entryPoint, contract);
    const answers = await this.#run(this.#executor, code, setup, inputs);
    return inputs.filter((_, i) => isValue(answers[i]));
  }

  /** The answers up to and including the timeout after which the executor gave up. Later inputs were not tried. */
  async #run(executor: Executor, code: string, setup: string, inputs: readonly ProgramInput[]): Promise<Answer[]> {
    if (inputs.length === 0) return [];
    const answers = await executor.answers(
      { code, entryPoint: this.#problem.entryPoint, setup, files: this.#problem.files },
      inputs,
      REFERENCE_CPU_S,
    );
    const late = answers.flatMap(({ outcome }, i) => (outcome === "timeout" ? [i] : []));
    const last = late[executor.limits.maxTimeouts - 1];
    return last === undefined ? answers : answers.slice(0, last + 1);
  }
}

const isValue = (answer: Answer | undefined): answer is Extract<Answer, { outcome: "ok" }> => answer?.outcome === "ok";

function same(a: PyValue, b: PyValue, tolerance: number, isText: boolean): boolean {
  return isText && a.t === "str" && b.t === "str" ? sameOutput(a.v, b.v) : equalValues(a, b, tolerance);
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
