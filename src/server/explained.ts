/** What each line does to a row's score, bounded in cost. */
import { CodescoreError } from "../errors.ts";
import { explain, type LineEffect } from "../score/index.ts";
import type { Score, ScoreInput } from "../types.ts";
import type { RowError } from "./scorer.ts";

/** Statements of one candidate that are measured, from the top; each costs a score. */
export const MAX_STATEMENTS = 100;

type Explanation = { readonly lines: readonly LineEffect[] } | RowError;

/** The variants go through `score` as rows of the request, so that they wait their turn and can be given up. */
export async function explainRow(
  score: (inputs: readonly ScoreInput[]) => Promise<(Score | RowError)[]>,
  input: ScoreInput,
): Promise<Explanation> {
  try {
    return { lines: await explain({ scoreAll: score }, input, { limit: MAX_STATEMENTS }) };
  } catch (error) {
    if (error instanceof CodescoreError) return { error: { code: error.code, message: error.message } };
    throw error;
  }
}
