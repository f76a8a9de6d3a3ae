/** The interface of a scorer that the server needs. `CodeScorer` implements it; tests use their own. */
import type { ErrorCode } from "../errors.ts";
import type { Score, ScoreInput } from "../types.ts";

/** The error of a row that could not be scored. */
export interface RowError {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

export interface BatchScorer {
  /** Names the model; shown by `/healthz`. */
  readonly signature: string;
  /** Modules that programs can import, if they differ from the standard library of Python 3.11. */
  readonly modules?: ReadonlySet<string> | undefined;
  /** Resolves when rows can be scored. Throws the reason if they cannot. */
  ready(): Promise<void>;
  /** One result per row, in order. Throws only if nothing can be scored. May skip rows for which `isGone` is true. */
  scoreAll(
    inputs: readonly ScoreInput[],
    options: { readonly isGone: (input: ScoreInput) => boolean },
  ): Promise<readonly (Score | RowError)[]>;
}
