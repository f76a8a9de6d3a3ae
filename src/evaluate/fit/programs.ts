/** What trees learn from a row's programs; read in several threads (programs-worker.ts). */
import { gate, loadGate } from "../../metrics/static/gate.ts";
import { loadRule, ruled } from "../../metrics/static/rule.ts";
import { type Counts, loadCounts } from "../../trees/index.ts";
import type { LabelledRow } from "../../types.ts";

export type Programs = Pick<LabelledRow, "candidate" | "reference">;

export interface ReadPrograms {
  readonly ours: Counts;
  readonly theirs: Counts | null;
  /** What is seen of its answers leaves it a chance: where not, its score is 0 whatever the trees say. */
  readonly open: boolean;
}

/** null for a candidate that has no terms, or that the gate refuses. Throws `CodescoreError("environment")` without the grammar. */
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
