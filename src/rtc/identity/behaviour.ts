/**
 * The behaviour of a program on the inputs of a problem's tests, and whether two programs behave the same: the Test Output Match
 * of Min et al. 2024, section 4.1. Errors are compared by class and full message, outputs exactly (within a test's tolerance). A
 * timeout equals a timeout, and a program out of memory another one. Tests are never dropped; the authors' release drops
 * timeouts.
 */
import { TaskRun } from "../../behaviour/index.ts";
import { type Answer, contractProgram, type Executor, equalValues, sameOutput } from "../../execute/index.ts";
import { printLiteral } from "../../languages/python/literals/index.ts";
import type { LabelStatus, Problem, ProgramInput, Verdict } from "../../types.ts";

/** The inputs on which programs for a problem are compared. */
export interface Inputs {
  /** Present if no test gave an input, so the inputs were generated. */
  readonly madeUp?: true;
  readonly inputs: readonly ProgramInput[];
  /** For each input: whether it satisfies the contract. Otherwise a program may do anything, and the input does not count. */
  readonly valid: readonly boolean[];
  readonly tolerance: number;
}

export interface Behaviour {
  readonly status: LabelStatus;
  readonly answers: readonly Answer[];
  readonly verdicts: readonly Verdict[];
  /** Null if no test can run. */
  readonly passRatio: number | null;
}

/**
 * CPU seconds per input for a program that kept to the problem's limits. Those limits depend on the reference's time. Whether a
 * program answers must not depend on the speed of the machine.
 */
const PATIENCE_S = 10;

/**
 * The inputs in the problem's tests. If there are none: generated inputs that the reference answers or, without a reference, that
 * some of the chain's programs answer.
 * @param header code that defines the function, with any body
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

/** Number of generated inputs, their seed, and the tolerance of floats. The tolerance is that of expanded tests (EvalPlus). */
const MADE_UP = { count: 40, seed: 0, tolerance: 1e-6 };

async function madeUpInputs(
  { description, references, entryPoint }: Problem,
  programs: readonly string[],
  executor: Executor,
): Promise<ProgramInput[]> {
  const task = { reference: references[0] ?? null, description, entryPoint, candidates: programs };
  const run = await TaskRun.open(task, executor, { inputs: MADE_UP.count, seed: MADE_UP.seed });
  const inputs = run?.inputs.known.map(({ input }) => input) ?? [];
  // Programs that read standard input are not called, even if they define functions.
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

/** The share of valid inputs on which both give the same answer. Null without valid inputs. */
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

/** An answer for readers: the value, or the error. */
export function answerText(answer: Answer): string {
  if (answer.outcome === "error") return `${answer.errorType}: ${answer.message}`;
  if (answer.outcome !== "ok") return answer.outcome === "timeout" ? "Timeout" : "MemoryError";
  const { value } = answer;
  return value.t === "object" ? value.form : printLiteral(value);
}
