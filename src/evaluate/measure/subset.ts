/** Parts of a labelled set that can be measured separately. */
import { CodescoreError } from "../../errors.ts";
import type { LabelledRow } from "../../types.ts";

/** `well-formed`: programs without syntax errors, unknown names and missing modules. A reader sees these faults without running anything. */
export const SUBSETS = ["well-formed"] as const;
export type Subset = (typeof SUBSETS)[number];

const FORESEEN = new Set(["NameError", "SyntaxError", "IndentationError", "ModuleNotFoundError"]);

/**
 * Whether a row belongs to the subset, judged by its `first_error`. Throws `CodescoreError("input")` for a row that is not known
 * to execute and has no first error.
 */
export function belongsTo({ sample_id, executable, first_error }: LabelledRow, subset: Subset): boolean {
  if (executable !== 1 && first_error === null) {
    throw new CodescoreError(
      "input",
      `${subset} needs the first error of every program that does not execute, got none for sample ${sample_id}; label the programs with codescore label, which records it as \`first_error\``,
    );
  }
  return first_error === null || !FORESEEN.has(first_error);
}
