/** The output for a row. Separate from score-rows.ts because this file loads nothing. */
import type { Explanation } from "./explain.ts";
import type { Rank } from "./rank.ts";
import type { ScoreResult } from "./rows.ts";

/** A result, with the effect of each line on the score if that was requested. */
export type ExplainedResult = ScoreResult & Partial<Explanation>;

/** A scored row. `rank` is set if candidates were ranked, and null for a row without a score. */
export interface OutputRow {
  readonly id: unknown;
  readonly task?: string;
  readonly rank?: Rank | null;
  /** The program, if it is the answer: the best of several candidates. */
  readonly candidate?: string;
  readonly result: ExplainedResult;
}

/** An output row as it is written in JSON. Empty fields are left out: a line that is not a row belongs to no task. */
export const outputObject = ({ id, task, rank, candidate, result }: OutputRow): Record<string, unknown> => ({
  id,
  ...(task === undefined || task === "" ? {} : { task_id: task }),
  ...rank,
  ...result,
  ...(candidate === undefined ? {} : { candidate }),
});
