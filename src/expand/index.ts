/**
 * Proposes new test inputs; never runs code. Whether an input is valid, and what its answer is, the caller finds out
 * by running references.
 */
import type { Problem, ProgramInput } from "../types.ts";
import { Random } from "../util/random.ts";
import { proposeCalls } from "./propose.ts";
import { proposeStdin } from "./stdin.ts";

export interface ProposeOptions {
  /** How many to propose. Ask for more than needed: references refuse some. */
  readonly count: number;
  readonly seed: number;
}

/**
 * New inputs for a problem, from the given ones, the annotations of its prompt and references, and the constants of
 * its references. Distinct, none equal to a given one, the same for the same seed. Fewer than `count` only where the
 * types have no more values, nothing is known of them, or (stdin) nothing is given.
 * Source: EvalPlus (Liu et al. 2023), type-aware mutation; CodeScore (Dong et al. 2023), section 3.1.1.
 */
export function proposeInputs(
  problem: Problem,
  given: readonly ProgramInput[],
  { count, seed }: ProposeOptions,
): ProgramInput[] {
  const rng = new Random(seed);
  if (problem.entryPoint === null) {
    const texts = given.flatMap((input) => ("stdin" in input ? [input.stdin] : []));
    return proposeStdin(texts, count, rng).map((stdin) => ({ stdin }));
  }
  const calls = given.flatMap((input) => ("args" in input ? [input.args] : []));
  return proposeCalls(problem, calls, count, rng).map((args) => ({ args }));
}
