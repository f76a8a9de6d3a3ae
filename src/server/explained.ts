/** Why a row has its score, bounded in cost. */
import { CodescoreError } from "../errors.ts";
import { type Explanation, explain } from "../score/index.ts";
import type { Score, ScoreInput } from "../types.ts";
import type { RowError } from "./scorer.ts";

/** Statements of one candidate that are measured, from the top; each costs a score. */
export const MAX_STATEMENTS = 100;

/** The variants go through `score` as rows of the request, so that they wait their turn and can be given up. */
export async function explainRow(
  score: (inputs: readonly ScoreInput[]) => Promise<(Score | RowError)[]>,
  input: ScoreInput,
  modules?: ReadonlySet<string>,
): Promise<Explanation | RowError> {
  try {
    return await explain({ scoreAll: score, modules }, input, { limit: MAX_STATEMENTS });
  } catch (error) {
    if (error instanceof CodescoreError) return { error: { code: error.code, message: error.message } };
    throw error;
  }
}
