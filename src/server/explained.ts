/** Explains a row's score at a bounded cost. */
import { CodescoreError } from "../errors.ts";
import { type ExplainOptions, type Explanation, explain } from "../score/index.ts";
import type { Score, ScoreInput } from "../types.ts";
import type { RowError } from "./scorer.ts";

/** Maximum number of statements measured per candidate, from the top. Each costs one score. */
export const MAX_STATEMENTS = 100;

/** Maximum number of scores for an explanation, in addition to the row's own score: one per line, up to `MAX_STATEMENTS`. */
export const statementsOf = ({ candidate }: ScoreInput): number =>
  Math.min(MAX_STATEMENTS, candidate.trimEnd().split("\n", MAX_STATEMENTS).length);

export interface Explaining extends Required<Pick<ExplainOptions, "dissect">> {
  /** Scores the variants as rows of the request, so that they queue and can be cancelled. */
  readonly score: (inputs: readonly ScoreInput[]) => Promise<(Score | RowError)[]>;
  readonly modules: ReadonlySet<string> | undefined;
  /** The row's score. */
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
