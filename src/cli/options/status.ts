/** What became of the rows of a labelled set, in words. */
import type { Counts } from "../../dataset/index.ts";

/** `960 labelled, 0 no_label, 214 missing, 0 infra`; missing ones where there are any. */
export function statusCounts(counts: Pick<Counts, "labelled" | "no_label" | "missing" | "infra">): string {
  const { labelled, no_label, infra } = counts;
  const missing = Object.values(counts.missing).reduce((sum, count) => sum + count, 0);
  const parts = [`${labelled} labelled`, `${no_label} no_label`, `${infra} infra`];
  if (missing > 0) parts.splice(2, 0, `${missing} missing`);
  return parts.join(", ");
}

/** A line a module that programs lacked, the most wanted first. */
export const missingLines = (missing: Counts["missing"]): string[] =>
  Object.entries(missing).map(
    ([module, count]) => `warning: ${module} missing: ${count} programs; --python ENV/bin/python gives them one`,
  );
