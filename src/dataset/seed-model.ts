/** What a language model adds to the expansion of a problem: inputs, and a contract if the problem has none. */
import type { Executor } from "../execute/index.ts";
import { contractPrompt, readContract } from "../expand/index.ts";
import type { Problem, ProgramInput } from "../types.ts";
import { InputJudge } from "./expand-judge.ts";
import { descriptionOf } from "./made-up.ts";

/** A language model that proposes inputs and contracts. */
export interface SeedModel {
  /** The model's name in reports and in cache keys: results of one model are not reused for another. */
  readonly name: string;
  readonly ask: (prompt: string) => Promise<string>;
}

/** Statistics of a language model's answers. */
export interface LlmSeeds extends WrittenContract {
  readonly model: string;
  /** Distinct new inputs in its answer. */
  readonly proposed: number;
  /** Lines of its answer that are not an input. */
  readonly junk: number;
  /** Inputs that became tests. */
  readonly kept: number;
}

export interface WrittenContract {
  /** The asserts that hold for every given input. Null if the problem has a contract or if none was written or kept. */
  readonly contract: string | null;
  /** Number of written asserts that fail for a given input, or that are no Python. They are not used. */
  readonly contractRefused: number;
}

const none: WrittenContract = { contract: null, contractRefused: 0 };

/**
 * Asks for a contract, unless the problem has one. Each assert is run in the sandbox on the given inputs, and kept only if it holds for all of
 * them. Without given inputs nothing would check it, so the model is not asked.
 */
export async function writtenContract(
  problem: Problem,
  executor: Executor,
  llm: SeedModel,
  given: readonly ProgramInput[],
): Promise<WrittenContract> {
  const { contract, entryPoint } = problem;
  if (contract.trim() !== "" || entryPoint === null || given.length === 0) return none;
  const answer = await llm.ask(contractPrompt(problem, descriptionOf(problem), given));
  const asserts = readContract(answer, entryPoint);
  const kept: string[] = [];
  for (const line of asserts) {
    const judge = new InputJudge({ ...problem, contract: line }, executor, executor);
    if ((await judge.satisfying(given)).length === given.length) kept.push(line);
  }
  return { contract: kept.length === 0 ? null : kept.join("\n"), contractRefused: asserts.length - kept.length };
}
