/** The rows of the file that chains write. */
import type { Recited } from "../trip/recited.ts";

/** A row of steps.jsonl. At step 0, fields that compare with the step before are null. */
export interface StepRow {
  readonly task_id: string;
  readonly step: number;
  /** The description that the program was written from. */
  readonly description: string;
  /** How much the description recites of the program before. */
  readonly recited: Recited | null;
  /** Present only if the description copies an example of the prompt. */
  readonly copied?: true;
  readonly answer: string;
  /** The program of the step before, under the same function name. */
  readonly reference: string | null;
  readonly candidate: string;
  readonly repeats: "description" | "program" | null;
  /** The program's answer to each input of the tests, or the full error. */
  readonly answers: readonly string[];
  readonly pass_ratio: number | null;
  /** Whether all tests passed. Null without a runnable test. */
  readonly passed: boolean | null;
  readonly tom: number | null;
  /** Whether both programs passed or both failed. */
  readonly pass_fail_match: boolean | null;
  readonly sims: Readonly<Record<string, number | null>>;
  /** Similarity of the description to the one before, by text metric. Present only if such metrics were requested. */
  readonly description_sims?: Readonly<Record<string, number | null>>;
  /** Tests whose result differs from the recording. Present only for recorded chains. */
  readonly differences?: readonly Difference[];
}

export interface Difference {
  /** Index of the test. */
  readonly test: number;
  readonly recorded: string;
  readonly here: string;
}
