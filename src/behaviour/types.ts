/** What is run, and what running showed. */
import type { ProgramInput } from "../types.ts";

/** Candidates of one task, and what is known of it. Nothing here needs a test. */
export interface Task {
  readonly reference: string | null;
  readonly description: string | null;
  /** The function that is called; found out where it is not given. */
  readonly entryPoint?: string | null;
  /** Whole programs. */
  readonly candidates: readonly string[];
}

/** How a program is run: by calls of an expression (`f`, `Solution().f`), or by what it reads from standard input. */
export type Entry = { readonly kind: "call"; readonly name: string } | { readonly kind: "stdin" };

/** An example that a description shows. `expected`: a Python literal of the answer, or the text that is printed. */
export interface Example {
  readonly input: ProgramInput;
  readonly expected: string;
}
