/** Reads from a row's programs what the trees learn. Runs in several threads (programs-worker.ts). */
import { gate, loadGate } from "../../metrics/static/gate.ts";
import { loadRule, ruled } from "../../metrics/static/rule.ts";
import { type Counts, loadCounts } from "../../trees/index.ts";
import type { LabelledRow } from "../../types.ts";

export type Programs = Pick<LabelledRow, "candidate" | "reference">;

export interface ReadPrograms {
  readonly ours: Counts;
  readonly theirs: Counts | null;
  /** Whether the candidate's answers, as far as seen, leave it a chance to pass. If not, its score is 0 no matter what the trees say. */
  readonly open: boolean;
}

/**
 * The reader returns null for a candidate that has no terms or that the gate refuses. Throws `CodescoreError("environment")` without the grammar.
 */
export async function loadPrograms(
  modules: ReadonlySet<string> | undefined,
): Promise<(programs: Programs) => ReadPrograms | null> {
  await loadGate();
  await loadRule();
  const counts = await loadCounts();
  return ({ candidate, reference }) => {
    if (gate(candidate, reference ?? "", modules) === 0) return null;
    const ours = counts(candidate);
    if (ours === null) return null;
    const open = !reference || ruled(candidate, reference, modules).answers > 0;
    return { ours, theirs: reference ? counts(reference) : null, open };
  };
}
