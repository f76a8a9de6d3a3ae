/** Warnings about defective problems, for the verbs that detect them. */
import type { Defect, Defects, LabelResult } from "../../dataset/index.ts";
import { counted, some } from "../../util/counted.ts";

const texts: Readonly<Record<Defect, string>> = {
  "no-passing-reference": "no reference passes the given tests, so these problems stay unchanged",
  "failing-reference": "references that fail tests of their problem",
  "missing-module": "references or tests need a module that is not in the environment (--python chooses another)",
  "unrunnable-tests": "given tests that cannot be run",
  "disagreeing-references": "references disagree on some input",
  "unstable-reference": "a reference answers some input differently the second time",
  "contract-violation": "given tests break the contract of their problem",
};

/** One line per defect, with the problems that have it. */
export const defectLines = (defects: Defects): string[] =>
  (Object.entries(defects) as [Defect, readonly string[]][]).map(
    ([defect, ids]) => `warning: ${texts[defect]} (${ids.length}): ${some(ids)}`,
  );

/** The problems whose labels are doubtful, because not even a reference passes the tests; no line if there are none. */
export function doubtfulLines(doubtful: LabelResult["doubtful"]): string[] {
  if (doubtful === null || doubtful.ids.length === 0) return [];
  const { ids, checked, suspects } = doubtful;
  const part = checked < suspects ? ` (checked ${checked} of the ${suspects} that no program passes)` : "";
  return [
    `warning: no program and no reference passes the tests of ${counted(ids.length, "problem")}, so these labels are doubtful${part}: ${some(ids)}`,
  ];
}
