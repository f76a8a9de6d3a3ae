/** Why a row has its score, bounded in cost. */
import { CodescoreError } from "../errors.ts";
import { type ExplainOptions, type Explanation, explain } from "../score/index.ts";
import type { Score, ScoreInput } from "../types.ts";
import type { RowError } from "./scorer.ts";

/** Statements of one candidate that are measured, from the top; each costs a score. */
export const MAX_STATEMENTS = 100;

/** Scores that an explanation may take, besides the row's own: one for each line, up to so many. */
export const statementsOf = ({ candidate }: ScoreInput): number =>
  Math.min(MAX_STATEMENTS, candidate.trimEnd().split("\n", MAX_STATEMENTS).length);

export interface Explaining extends Required<Pick<ExplainOptions, "dissect">> {
  /** The variants go through here as rows of the request, so that they wait their turn and can be given up. */
  readonly score: (inputs: readonly ScoreInput[]) => Promise<(Score | RowError)[]>;
  readonly modules: ReadonlySet<string> | undefined;
  /** The row's own score. */
  readonly whole: number;
}

export async function explainRow(
  input: ScoreInput,
  { score, modules, whole, dissect }: Explaining,
): Promise<Explanation | RowError> {
  try {
    return await explain({ scoreAll: score, modules }, input, { limit: MAX_STATEMENTS, whole, dissect });
  } catch (error) {
    if (error instanceof CodescoreError) return { error: { code: error.code, message: error.message } };
    throw error;
  }
}
