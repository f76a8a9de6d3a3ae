/**
 * Reduces problems to what can be trusted after expansion. Drops tests that the best reference fails (collected asserts are
 * sometimes wrong), then references that fail a remaining test. Leaves out problems whose reference is too slow, because each of
 * their candidates would take many times as long. If there are too many tests, a hash decides which to keep.
 */
import { settingsOf } from "../../execute/settings.ts";
import type { Executor } from "../../execute/types.ts";
import { printProblem } from "../../problems/index.ts";
import type { Problem, TestCase } from "../../types.ts";
import { packageVersion, sha256 } from "../../util/files.ts";
import type { Journal } from "../journal.ts";

export type ProblemStatus = "kept" | "no-reference" | "slow" | "failing" | "no-tests";

export interface Verified {
  readonly status: ProblemStatus;
  /** Null unless the status is `kept`. */
  readonly problem: Problem | null;
  readonly droppedTests: number;
  readonly droppedReferences: number;
}

export interface VerifyOptions {
  readonly executor: Executor;
  /** Caches results. */
  readonly journal: Journal;
  /** CPU seconds that the first reference may take on all tests together. */
  readonly maxCpuS: number;
  /** Maximum number of tests per problem. */
  readonly maxTests: number;
  /** Check only for slow references, which is worth doing before expansion. @default false */
  readonly speedOnly?: boolean;
}

/** Returns the problem with only the tests and references that can be trusted, or why it is left out. */
export async function verifyProblem(whole: Problem, options: VerifyOptions): Promise<Verified> {
  const { executor, journal, maxCpuS, maxTests, speedOnly = false } = options;
  const problem = { ...whole, tests: thinned(whole, maxTests) };
  const text = printProblem(problem);
  const key = sha256(
    JSON.stringify(["verify", await packageVersion(), settingsOf(executor), maxCpuS, speedOnly, text]),
  );
  const known = journal.get(key) as Verified | undefined;
  if (known !== undefined) return known;
  const found = await verify(problem, executor, maxCpuS, speedOnly);
  journal.put(key, found);
  return found;
}

export const nothingDropped = { droppedTests: 0, droppedReferences: 0 } as const;

async function verify(problem: Problem, executor: Executor, maxCpuS: number, speedOnly: boolean): Promise<Verified> {
  const { tests, references, entryPoint, setup, files } = problem;
  const out = (status: ProblemStatus): Verified => ({ status, problem: null, ...nothingDropped });
  if (tests.length === 0 && !speedOnly) return out("no-tests");
  if (references.length === 0) return out("no-reference");
  const inputs = await executor.inputs(problem);
  const answers = await executor.answers({ code: references[0] as string, entryPoint, setup, files }, inputs);
  const spent = answers.reduce((sum, answer) => sum + (answer.outcome === "ok" ? answer.cpuS : 0), 0);
  if (spent > maxCpuS || answers.some(({ outcome }) => outcome === "timeout" || outcome === "memory"))
    return out("slow");

  if (speedOnly) return { status: "kept", problem, ...nothingDropped };

  const failures: (ReadonlySet<string> | null)[] = []; // for each reference the tests it fails; null: it has no label
  for (const code of references) {
    const { status, verdicts } = await executor.execute(problem, code);
    const failed = verdicts.filter(({ outcome }) => outcome !== "pass").map(({ testId }) => testId);
    failures.push(status === "ok" ? new Set(failed) : null);
  }
  const sizes = failures.map((failed) => failed?.size ?? Number.POSITIVE_INFINITY);
  const best = failures[sizes.indexOf(Math.min(...sizes))] ?? null;
  if (best === null) return out("no-tests");
  const kept = tests.filter(({ id }) => !best.has(id));
  // One failing assert cannot be removed from a test that holds many (a `check` function).
  const inside = [...best].some((id) => !tests.some((test) => test.id === id));
  if (inside || kept.length === 0) return out("failing");
  const right = references.filter((_, i) => {
    const failed = failures[i] ?? null;
    return failed !== null && [...failed].every((id) => best.has(id));
  });
  return {
    status: "kept",
    problem: { ...problem, tests: kept, references: right },
    droppedTests: tests.length - kept.length,
    droppedReferences: references.length - right.length,
  };
}

/** Keeps at most `most` tests, chosen by hash, in their original order. */
function thinned({ id, tests }: Problem, most: number): readonly TestCase[] {
  if (tests.length <= most) return tests;
  const kept = tests
    .map((test) => [sha256(`${id}\0${JSON.stringify(test)}`), test] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, most)
    .map(([, test]) => test);
  return tests.filter((test) => kept.includes(test));
}
