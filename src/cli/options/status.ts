/** What became of the rows of a labelled set, in words. */

import type { Counts } from "../../dataset/index.ts";
import type { LeftOut } from "../../problems/index.ts";
import { counted } from "../../util/counted.ts";

const MOST_MODULES = 5;

/** `960 labelled, 0 no_label, 214 missing, 0 infra`; missing ones where there are any. */
export function statusCounts(counts: Pick<Counts, "labelled" | "no_label" | "missing" | "infra">): string {
  const { labelled, no_label, infra } = counts;
  const missing = Object.values(counts.missing).reduce((sum, count) => sum + count, 0);
  const parts = [`${labelled} labelled`, `${no_label} no_label`, `${infra} infra`];
  if (missing > 0) parts.splice(2, 0, `${missing} missing`);
  return parts.join(", ");
}

/** The modules that programs lacked, the most wanted first; no line where they lacked none. */
export function missingLines(missing: Counts["missing"]): string[] {
  const modules = Object.entries(missing);
  const named = modules
    .slice(0, MOST_MODULES)
    .map(([module, count]) => `${module} missing: ${counted(count, "program")}`);
  const more = modules.length > MOST_MODULES ? `; ${modules.length - MOST_MODULES} more (manifest)` : "";
  return modules.length === 0 ? [] : [`warning: ${named.join(", ")}${more}; --python ENV/bin/python gives them these`];
}

/** Given tests that cannot be run, a line a reason. */
export const leftOutLines = (counts: LeftOut): string[] =>
  Object.entries(counts).map(([why, tests]) => `left out ${counted(tests, "given test")} that cannot be run: ${why}`);
