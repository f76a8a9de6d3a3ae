/** Types of the tasks, entries and examples that are run. */
import type { ProgramInput } from "../types.ts";

/** The candidates of one task, and what is known about the task. Needs no tests. */
export interface Task {
  readonly reference: string | null;
  readonly description: string | null;
  /** The function to call; detected if it is not given (`entryOf`). */
  readonly entryPoint?: string | null;
  /** Complete programs. */
  readonly candidates: readonly string[];
}

/**
 * How a program is run: by calling an expression (`f`, `Solution().f`), or with a text on standard input. `isInPlace`: the function returns
 * nothing, so its answer is what its arguments are after the call.
 */
export type Entry =
  | { readonly kind: "call"; readonly name: string; readonly isInPlace?: true }
  | { readonly kind: "stdin" };

/** An example from a description. `expected`: the answer as a Python literal, or the text that the program prints. */
export interface Example {
  readonly input: ProgramInput;
  readonly expected: string;
}
