/** Parts of a labelled set that are measured by themselves. */
import { CodescoreError } from "../../errors.ts";
import type { LabelledRow } from "../../types.ts";

/** `gate-clean`: programs that do not fail for a reason which can be seen without running them. */
export const SUBSETS = ["gate-clean"] as const;
export type Subset = (typeof SUBSETS)[number];

/** What a static gate can foresee. */
const FORESEEN = new Set(["NameError", "SyntaxError", "IndentationError", "ModuleNotFoundError"]);

/**
 * Whether a row belongs to the subset, by its recorded `first_error`. Throws `CodescoreError("input")` for a labelled row that
 * does not execute and does not say why.
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
