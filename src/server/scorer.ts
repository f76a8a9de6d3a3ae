/** What the server needs of a scorer; `CodeScorer` has it, and so has a test's. */
import type { ErrorCode } from "../errors.ts";
import type { Score, ScoreInput } from "../types.ts";

/** A row that could not be scored, in its place. */
export interface RowError {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

export interface BatchScorer {
  /** Names the model; shown by `/healthz`. */
  readonly signature: string;
  /** Modules that programs can import, where they are not those of Python 3.11's standard library. */
  readonly modules?: ReadonlySet<string> | undefined;
  /** Resolves when rows can be scored, and throws why they cannot. */
  ready(): Promise<void>;
  /** One result a row, in order. Throws only when nothing can be scored. Rows for which nobody waits may be left out. */
  scoreAll(
    inputs: readonly ScoreInput[],
    options: { readonly isGone: (input: ScoreInput) => boolean },
  ): Promise<readonly (Score | RowError)[]>;
}
