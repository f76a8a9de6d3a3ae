/** How many rows of a labelled set got which status, in words. */

import type { Counts, LabelResult } from "../../dataset/index.ts";
import type { LeftOut } from "../../problems/index.ts";
import { counted, some } from "../../util/counted.ts";

const MOST_MODULES = 5;

/** `960 labelled, 0 no_label, 214 missing, 0 infra`; `missing` is left out if it is 0. */
export function statusCounts(counts: Pick<Counts, "labelled" | "no_label" | "missing" | "infra">): string {
  const { labelled, no_label, infra } = counts;
  const missing = Object.values(counts.missing).reduce((sum, count) => sum + count, 0);
  const parts = [`${labelled} labelled`, `${no_label} no_label`, `${infra} infra`];
  if (missing > 0) parts.splice(2, 0, `${missing} missing`);
  return parts.join(", ");
}

/** The modules that programs lacked, the most frequent first; no line if none was missing. */
export function missingLines(missing: Counts["missing"]): string[] {
  const modules = Object.entries(missing);
  const named = modules
    .slice(0, MOST_MODULES)
    .map(([module, count]) => `${module} missing: ${counted(count, "program")}`);
  const more = modules.length > MOST_MODULES ? `; ${modules.length - MOST_MODULES} more (manifest)` : "";
  return modules.length === 0
    ? []
    : [`warning: ${named.join(", ")}${more}; use --python ENV/bin/python, an environment that has them`];
}

/** The tests that ran beside their programs, by problem; no line if there are none. */
export function opaqueLines(byProblem: LabelResult["opaqueTests"]): string[] {
  if (byProblem.size === 0) return [];
  const tests = [...byProblem.values()].reduce((sum, { count }) => sum + count, 0);
  const names = [...byProblem].map(([id, { count, first }]) =>
    count === 1 ? `${id} (${first})` : `${id} (${first} and ${count - 1} more)`,
  );
  const where = counted(byProblem.size, "problem");
  return [
    `${counted(tests, "test")} of ${where} could not be isolated from the programs, which could cheat them (column n_opaque): ${some(names)}`,
  ];
}

/** Given tests that cannot be run: one line per reason. */
export const leftOutLines = (counts: LeftOut): string[] =>
  Object.entries(counts).map(([why, tests]) => `left out ${counted(tests, "given test")} that cannot be run: ${why}`);
