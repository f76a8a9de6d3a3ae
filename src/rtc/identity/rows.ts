/** The rows of a chain's file. */
import type { Recited } from "../trip/recited.ts";

/** A row of steps.jsonl. Of step 0 what compares it with the step before is null. */
export interface StepRow {
  readonly task_id: string;
  readonly step: number;
  /** What the program was written from. */
  readonly description: string;
  /** How much of the program before it recites. */
  readonly recited: Recited | null;
  /** The description is that of an example in the prompt; only where it is. */
  readonly copied?: true;
  readonly answer: string;
  /** The program before, under the same function name. */
  readonly reference: string | null;
  readonly candidate: string;
  readonly repeats: "description" | "program" | null;
  /** What the program answered on each input of the tests, or what went wrong, in full. */
  readonly answers: readonly string[];
  readonly pass_ratio: number | null;
  /** All tests; null without a runnable test. */
  readonly passed: boolean | null;
  readonly tom: number | null;
  /** Both passed or both failed. */
  readonly pass_fail_match: boolean | null;
  readonly sims: Readonly<Record<string, number | null>>;
  /** How alike the description is to the one before, by metric of text; only where such metrics were asked for. */
  readonly description_sims?: Readonly<Record<string, number | null>>;
  /** Tests that came to something else where the chain was recorded; only there. */
  readonly differences?: readonly Difference[];
}

export interface Difference {
  /** Index of the test. */
  readonly test: number;
  readonly recorded: string;
  readonly here: string;
}
