/**
 * What a program does on the inputs of a problem's tests, and whether two programs do the same: the Test Output Match of Min et
 * al. 2024, section 4.1. Errors are compared by class and full message, outputs exactly (within a test's own tolerance). A
 * timeout equals a timeout, and a program out of memory another: tests are never dropped, as the authors' release drops timeouts.
 */
import { TaskRun } from "../../behaviour/index.ts";
import { type Answer, contractProgram, type Executor, equalValues, sameOutput } from "../../execute/index.ts";
import { printLiteral } from "../../languages/python/literals/index.ts";
import type { LabelStatus, Problem, ProgramInput, Verdict } from "../../types.ts";

/** The inputs on which programs for a problem are compared. */
export interface Inputs {
  /** No test gave one: they were made up. */
  readonly madeUp?: true;
  readonly inputs: readonly ProgramInput[];
  /** Whether the contract holds; where it does not, a program may do as it likes, and the input does not count. */
  readonly valid: readonly boolean[];
  readonly tolerance: number;
}

export interface Behaviour {
  readonly status: LabelStatus;
  readonly answers: readonly Answer[];
  readonly verdicts: readonly Verdict[];
  /** Null where there is no test to run. */
  readonly passRatio: number | null;
}

/**
 * CPU seconds of a test for a program that kept to the problem's limits, which go by its reference: whether it answers is not to
 * hang on how fast the machine is.
 */
const PATIENCE_S = 10;

/**
 * The inputs found in the problem's tests; where these have none, inputs made up that the reference answers, or without one some of the
 * chain's programs. `header` is code that defines the function, whatever it does.
 */
export async function inputsOf(
  problem: Problem,
  header: string,
  programs: readonly string[],
  executor: Executor,
): Promise<Inputs> {
  const { tests, contract, entryPoint, setup } = problem;
  const calls = tests.flatMap((test) => (test.kind === "call" ? [test] : []));
  const given = calls.length === tests.length ? calls.map(({ args }) => ({ args })) : await executor.inputs(problem);
  const madeUp = given.length === 0;
  const inputs = madeUp ? await madeUpInputs(problem, programs, executor) : given;
  const tolerance = madeUp ? MADE_UP.tolerance : Math.max(0, ...calls.map((test) => test.tolerance));
  const how = { inputs, tolerance, ...(madeUp && { madeUp }) };
  if (contract.trim() === "" || entryPoint === null) return { ...how, valid: inputs.map(() => true) };
  const code = contractProgram(header, entryPoint, contract);
  const answers = await executor.answers({ code, entryPoint, setup }, inputs);
  return { ...how, valid: answers.map(({ outcome }) => outcome === "ok") };
}

/** How many inputs are made up, by which seed, and how far apart floats may be: as expanded tests have it (EvalPlus). */
const MADE_UP = { count: 40, seed: 0, tolerance: 1e-6 };

async function madeUpInputs(
  { description, references, entryPoint }: Problem,
  programs: readonly string[],
  executor: Executor,
): Promise<ProgramInput[]> {
  const task = { reference: references[0] ?? null, description, entryPoint, candidates: programs };
  const run = await TaskRun.open(task, executor, { inputs: MADE_UP.count, seed: MADE_UP.seed });
  const inputs = run?.inputs.known.map(({ input }) => input) ?? [];
  // programs that read standard input are not called, whatever they define
  return entryPoint === null ? inputs.filter((input) => "stdin" in input) : inputs;
}

export async function behaviourOf(
  problem: Problem,
  code: string,
  { inputs }: Inputs,
  executor: Executor,
): Promise<Behaviour> {
  const { entryPoint, setup } = problem;
  const { status, verdicts, passRatio } = await executor.execute(problem, code);
  const isSlow = verdicts.some(({ outcome }) => outcome === "timeout");
  const answers = await executor.answers({ code, entryPoint, setup }, inputs, isSlow ? undefined : PATIENCE_S);
  return { status, answers, verdicts, passRatio };
}

/** The share of valid inputs on which both answer the same; null where there is none. */
export function testOutputMatch(a: Behaviour, b: Behaviour, { inputs, valid, tolerance }: Inputs): number | null {
  const counted = [...inputs.keys()].filter((i) => valid[i]);
  if (counted.length === 0) return null;
  const same = counted.filter((i) => sameAnswer(a.answers[i]!, b.answers[i]!, tolerance, "stdin" in inputs[i]!));
  return same.length / counted.length;
}

function sameAnswer(a: Answer, b: Answer, tolerance: number, isText: boolean): boolean {
  if (a.outcome === "ok" && b.outcome === "ok") {
    return isText && a.value.t === "str" && b.value.t === "str"
      ? sameOutput(a.value.v, b.value.v)
      : equalValues(a.value, b.value, tolerance);
  }
  if (a.outcome === "error" && b.outcome === "error") return a.errorType === b.errorType && a.message === b.message;
  return a.outcome === b.outcome;
}

/** An answer as people read it: the value, or what went wrong. */
export function answerText(answer: Answer): string {
  if (answer.outcome === "error") return `${answer.errorType}: ${answer.message}`;
  if (answer.outcome !== "ok") return answer.outcome === "timeout" ? "Timeout" : "MemoryError";
  const { value } = answer;
  return value.t === "object" ? value.form : printLiteral(value);
}
