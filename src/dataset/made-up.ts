/**
 * First inputs for a problem whose tests give none: inputs made up from its reference (by trial if nothing declares its parameter
 * types), and the examples of its description.
 */
import { entryOf, readExamples, TaskRun } from "../behaviour/index.ts";
import type { Executor } from "../execute/types.ts";
import { parseLiteral } from "../languages/python/literals/index.ts";
import type { Problem, ProgramInput, TestCase } from "../types.ts";
import { hasFloat } from "./comparable.ts";
import { floatTolerance } from "./expand-judge.ts";

/** Origin of a problem's first inputs. `trial`: the reference was called with values of many kinds. */
export type InputsFrom = "tests" | "examples" | "annotations" | "trial";

export interface MadeUp {
  /** The function to call, if one was found; null for programs that read standard input. */
  readonly entryPoint: string | null;
  readonly inputs: readonly ProgramInput[];
  readonly from: InputsFrom | null;
  /** Inputs that the description shows. */
  readonly shown: readonly ProgramInput[];
}

/** Maximum number of made-up inputs, the most informative first. Mutation and generation start from these. */
const MOST = 40;

/** Makes up inputs that the first reference answers twice the same; null if nothing that could be run is found. */
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
  const { entry, known, from, examples } = run.inputs;
  if (entry.kind === "call" && (entry.nodes ?? entry.arrays) !== undefined) return null; // a test holds literals only
  const shown = examples.map(({ input }) => input);
  const inputs = known.map(({ input }) => input);
  return {
    entryPoint: entry.kind === "call" ? entry.name : null,
    inputs,
    from: inputs.length > 0 ? from : null,
    shown,
  };
}

/** Turns the examples of a description into tests, with the function that they call; null if the description shows none. */
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

/** The description, plus the prompt if the prompt adds a signature. */
export const descriptionOf = ({ description, prompt }: Problem): string =>
  prompt.includes(description) ? prompt : `${description}\n\n${prompt}`.trim();
