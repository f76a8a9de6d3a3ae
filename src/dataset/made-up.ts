/**
 * What a problem whose tests give no input can begin with: inputs made up from its reference, by trial where nothing says what it takes, and
 * the examples of its description.
 */
import { entryOf, readExamples, TaskRun } from "../behaviour/index.ts";
import type { Executor } from "../execute/types.ts";
import { parseLiteral } from "../languages/python/literals/index.ts";
import type { Problem, ProgramInput, TestCase } from "../types.ts";
import { hasFloat } from "./comparable.ts";
import { floatTolerance } from "./expand-judge.ts";

/** Where the first inputs of a problem came from; `trial`: the reference was called with values of many kinds. */
export type InputsFrom = "tests" | "examples" | "annotations" | "trial";

export interface MadeUp {
  /** The function that is called, where one was found; null for programs that read standard input. */
  readonly entryPoint: string | null;
  readonly inputs: readonly ProgramInput[];
  readonly from: InputsFrom | null;
}

/** Inputs that are made up, the most telling first; more are proposed from these. */
const MOST = 40;

/** Inputs that the problem's first reference answers, twice the same; null where nothing is found that could be run. */
export async function madeUpInputs(
  problem: Problem,
  executor: Executor,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<MadeUp | null> {
  const { entryPoint, references, setup } = problem;
  const reference = setup.trim() === "" ? references[0]! : `${setup}\n\n${references[0]}`;
  const task = { reference, description: descriptionOf(problem), entryPoint, candidates: [] };
  const run = await TaskRun.open(task, executor, { inputs: Math.min(count, MOST), seed });
  if (run === null) return null;
  const { entry, known, from } = run.inputs;
  const inputs = known.map(({ input }) => input);
  return { entryPoint: entry.kind === "call" ? entry.name : null, inputs, from: inputs.length > 0 ? from : null };
}

/** The examples that a description shows, as tests, with the function that they call; null where none is shown. */
export function examplesOf(problem: Problem): Pick<Problem, "entryPoint" | "tests"> | null {
  const description = descriptionOf(problem);
  const entry = entryOf({ reference: null, description, entryPoint: problem.entryPoint, candidates: [] });
  const examples = entry === null ? [] : readExamples(description, entry);
  if (entry === null || examples.length === 0) return null;
  const tests = examples.map(({ input, expected }, i): TestCase => {
    const test = { id: `example-${i}`, origin: "given" } as const;
    if ("stdin" in input) return { ...test, kind: "stdio", stdin: input.stdin, expected };
    const tolerance = hasFloat(parseLiteral(expected)) ? floatTolerance : 0;
    return { ...test, kind: "call", args: input.args, expected, tolerance };
  });
  return { entryPoint: entry.kind === "call" ? entry.name : null, tests };
}

/** The description with the signature that a prompt may add. */
const descriptionOf = ({ description, prompt }: Problem): string =>
  prompt.includes(description) ? prompt : `${description}\n\n${prompt}`.trim();
