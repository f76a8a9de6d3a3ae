/** What is put out for a row. Apart from score-rows.ts, since it loads nothing. */
import type { Explanation } from "./explain.ts";
import type { Rank } from "./rank.ts";
import type { ScoreResult } from "./rows.ts";

/** A result, with what each line of the candidate adds to the score where that was asked for. */
export type ExplainedResult = ScoreResult & Partial<Explanation>;

/** A scored row; the rank where candidates were ranked, null for one that has no score. */
export interface OutputRow {
  readonly id: unknown;
  readonly task?: string;
  readonly rank?: Rank | null;
  /** The program, where it is the answer to what was asked: the best of several. */
  readonly candidate?: string;
  readonly result: ExplainedResult;
}

/** An output row as JSON has it. */
export const outputObject = ({ id, task, rank, candidate, result }: OutputRow): Record<string, unknown> => ({
  id,
  ...(task === undefined ? {} : { task_id: task }),
  ...rank,
  ...result,
  ...(candidate === undefined ? {} : { candidate }),
});
