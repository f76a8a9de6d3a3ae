/** Types of the tasks, entries and examples that are run. */
import type { ProgramInput } from "../types.ts";
import type { Arrays } from "./arrays/types.ts";
import type { Nodes } from "./nodes/types.ts";
import type { Shows } from "./shows.ts";

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
 * How a program is run: by calling an expression (`f`, `Solution().f`), or with a text on standard input. `shows`: what the answer is, if not
 * the value that the call returns.
 */
export type Entry =
  | {
      readonly kind: "call";
      readonly name: string;
      readonly shows?: Shows;
      /** Methods whose results do not count: the reference's return nothing, and the description does not speak of a result. */
      readonly silent?: readonly string[];
      /** The arguments and answers that are linked lists or trees. */
      readonly nodes?: Nodes;
      /** The arguments that are NumPy arrays or data frames. */
      readonly arrays?: Arrays;
    }
  | { readonly kind: "stdin" };

/** An entry that is called. */
export type CallEntry = Extract<Entry, { kind: "call" }>;

/** An example from a description. `expected`: the answer as a Python literal, or the text that the program prints. */
export interface Example {
  readonly input: ProgramInput;
  readonly expected: string;
}
