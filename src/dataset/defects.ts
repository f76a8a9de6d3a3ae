/** Defects of the problem itself: its references and given tests contradict each other, or a reference contradicts itself. */
import type { Executor } from "../execute/types.ts";
import type { Problem, Verdict } from "../types.ts";
import { missingModule, reasonOfMissing } from "./missing.ts";

export const defects = [
  /** Every reference fails a given test. Either could be wrong, so nothing is derived from them. */
  "no-passing-reference",
  /** A reference fails a test of its problem. */
  "failing-reference",
  /** A reference, or every given test, needs a module that is not installed. */
  "missing-module",
  /** A given test cannot be run: it is not Python, or it lacks an answer and the reference gives none either. */
  "unrunnable-tests",
  /** References give different answers to some input. */
  "disagreeing-references",
  /** A reference answers some input differently the second time. */
  "unstable-reference",
  /** The contract does not hold for a given input. */
  "contract-violation",
] as const;

export type Defect = (typeof defects)[number];

/** Ids of problems by defect, sorted. A defect that no problem has is absent. */
export type Defects = Readonly<Partial<Record<Defect, readonly string[]>>>;

/** Groups problems by defect. `found` may name a problem more than once. */
export function defectsOf(found: Iterable<readonly [id: string, defects: readonly Defect[]]>): Defects {
  const pairs = [...found];
  const byDefect = defects.map((defect) => {
    const ids = pairs.flatMap(([id, own]) => (own.includes(defect) ? [id] : []));
    return [defect, [...new Set(ids)].sort()] as const;
  });
  return Object.fromEntries(byDefect.filter(([, ids]) => ids.length > 0));
}

/** Merges the results of several calls. */
export const joinedDefects = (several: readonly Defects[]): Defects =>
  defectsOf(
    several.flatMap((one) => defects.flatMap((defect) => (one[defect] ?? []).map((id) => [id, [defect]] as const))),
  );

/** A reference that fails given tests. */
export interface FailingReference {
  /** Index in the problem's references. */
  readonly reference: number;
  /** Number of tests it fails. Each assert of a HumanEval `check` counts as one. */
  readonly failed: number;
  /** Ids of the first few failed tests. */
  readonly tests: readonly string[];
}

/** How the references do on the problem's own tests. */
export interface CheckedReferences {
  readonly failing: readonly FailingReference[];
  /** The references that answers may be derived from. */
  readonly passing: readonly string[];
  readonly defects: readonly Defect[];
  /** Why no reference can be used; null if one can. */
  readonly reason: string | null;
}

const mostExamples = 5;

/** Runs every reference on the problem's tests. If there are no tests, all references pass. */
export async function checkReferences(problem: Problem, executor: Executor): Promise<CheckedReferences> {
  const { references, tests } = problem;
  if (references.length === 0) return nothingToUse("the problem has no reference");
  if (tests.length === 0) return { failing: [], passing: references, defects: [], reason: null };
  const failing: FailingReference[] = [];
  const passing: string[] = [];
  const unjudged: string[] = [];
  const found = new Set<Defect>();
  for (const [reference, code] of references.entries()) {
    const execution = await executor.execute(problem, code);
    const { status, verdicts, reason } = execution;
    const missing = await missingModule(problem, code, execution, executor);
    if (missing !== null) return nothingToUse(reasonOfMissing(missing.module), ["missing-module"]);
    if (status === "no_label") return nothingToUse(`no given test can be run: ${reason}`, ["unrunnable-tests"]);
    if (status === "infra") {
      unjudged.push(`${reason}`);
      continue;
    }
    if (!allJudged(problem, verdicts)) found.add("unrunnable-tests");
    const failed = verdicts.filter(({ outcome }) => outcome !== "pass").map(({ testId }) => testId);
    if (failed.length === 0) passing.push(code);
    else failing.push({ reference, failed: failed.length, tests: failed.slice(0, mostExamples) });
  }
  const [why] = unjudged;
  if (failing.length > 0 && passing.length > 0) found.add("failing-reference");
  if (passing.length > 0) return { failing, passing, defects: [...found], reason: null };
  if (why !== undefined) return { ...nothingToUse(`its references could not be judged: ${why}`, [...found]), failing };
  return { ...nothingToUse("no reference passes the given tests", [...found, "no-passing-reference"]), failing };
}

/** Whether every test has a verdict. A `check` has one verdict per assert (`ID/0`). */
function allJudged({ tests }: Problem, verdicts: readonly Verdict[]): boolean {
  const judged = new Set(verdicts.flatMap(({ testId }) => [testId, testId.slice(0, testId.lastIndexOf("/"))]));
  return tests.every(({ id }) => judged.has(id));
}

const nothingToUse = (reason: string, defects: readonly Defect[] = []): CheckedReferences => ({
  failing: [],
  passing: [],
  defects,
  reason,
});
