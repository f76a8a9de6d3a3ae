/**
 * Makes the programs for a robustness card. For each problem: a reference, variants that behave the same, and one-operator mutants that do not.
 * All are executed on the problem's tests. Programs that execution shows to be otherwise are left out and counted.
 */

import { CodescoreError } from "../../errors.ts";
import type { Executor } from "../../execute/index.ts";
import { harmlessVariants, keywordsOf, oneOperatorMutants, type Variant } from "../../mutate/index.ts";
import type { Execution, LabelledRow, Problem } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { startProgress } from "../../util/progress.ts";

export interface RobustnessRow extends LabelledRow {
  readonly effect: "original" | "harmless" | "harmful";
  /** The kind of change: of a harmless variant, or of a mutant's operator; `original` for the original. */
  readonly kind: string;
}

export interface RobustnessSet {
  /** The original of each problem comes before its variants. */
  readonly rows: readonly RobustnessRow[];
  readonly counts: RobustnessCounts;
  readonly settings: { readonly variants: number; readonly mutants: number; readonly seed: number };
}

export interface RobustnessCounts {
  readonly problems: number;
  /** Number of problems without a reference that passes all their tests. */
  readonly withoutOriginal: number;
  /** Number of variants made to be harmless for which a test shows a difference, by kind. */
  readonly changed: Readonly<Record<string, number>>;
  /** Number of mutants that no test distinguishes from the original. */
  readonly survived: number;
  /** Number of programs whose execution failed because of the harness. */
  readonly infra: number;
}

export interface RobustnessSetOptions {
  readonly problems: readonly Problem[];
  readonly executor: Executor;
  /** Number of variants of each harmless kind per problem. @default 2 */
  readonly variants?: number;
  /** Number of mutants per problem. @default 8 */
  readonly mutants?: number;
  /** @default 1 */
  readonly seed?: number;
  /** Shows a progress bar on stderr. @default false */
  readonly progress?: boolean;
}

/** Throws `CodescoreError("input")` if no problem has a reference that passes its tests. */
export async function makeRobustnessSet(options: RobustnessSetOptions): Promise<RobustnessSet> {
  const { problems, executor, variants = 2, mutants = 8, seed = 1, progress = false } = options;
  const settings = { variants, mutants, seed };
  const counts = { problems: 0, withoutOriginal: 0, changed: {} as Record<string, number>, survived: 0, infra: 0 };
  const bar = startProgress({ label: "verify", total: problems.length, unit: "problems", quiet: !progress });
  const perProblem = await Promise.all(
    problems.map(async (problem, p) => {
      const made = await ofProblem(problem, executor, { ...settings, seed: seed + p });
      bar.tick();
      return made;
    }),
  );
  bar.done();
  const rows = perProblem.flatMap((made) => {
    if (made === null) {
      counts.withoutOriginal += 1;
      return [];
    }
    counts.problems += 1;
    return made.flatMap(({ row, verdict, kind }) => {
      if (verdict === "kept") return [row];
      if (verdict === "changed") counts.changed[kind] = (counts.changed[kind] ?? 0) + 1;
      else counts[verdict] += 1;
      return [];
    });
  });
  if (counts.problems === 0) {
    throw new CodescoreError(
      "input",
      `none of ${counted(problems.length, "problem")} has a reference that passes its tests; check the file, or the sandbox with \`codescore label\``,
    );
  }
  return { rows, counts, settings };
}

interface Made {
  readonly row: RobustnessRow;
  readonly kind: string;
  readonly verdict: "kept" | "changed" | "survived" | "infra";
}

/** The original and the programs made from it; null if there is no original. */
async function ofProblem(
  problem: Problem,
  executor: Executor,
  { variants, mutants, seed }: RobustnessSet["settings"],
): Promise<Made[] | null> {
  const [original, second] = await passingReferences(problem, executor);
  if (original === undefined) return null;
  const other = (second ?? original).code;
  const keep = keywordsOf(problem);
  const harmless = await harmlessVariants(original.code, { count: variants, seed, keep });
  const harmful = await oneOperatorMutants(original.code, { count: mutants, seed, keep });
  const made = async (variant: Variant, effect: "harmless" | "harmful", i: number): Promise<Made> => {
    const run = await executor.execute(problem, variant.code);
    const how = `${effect}:${variant.kind}:${variant.operators.join("+")}`;
    const row = rowOf(problem, { ...variant, effect, how, id: `${effect}#${i}` }, other, run);
    const isAlike = sameVerdicts(run, original.run);
    const wanted = effect === "harmless" ? isAlike : run.passRatio !== 1;
    const verdict = run.status !== "ok" ? "infra" : wanted ? "kept" : effect === "harmless" ? "changed" : "survived";
    return { row, kind: variant.kind, verdict };
  };
  const first = { code: original.code, kind: "original", effect: "original", how: "original", id: "original" } as const;
  return [
    { row: rowOf(problem, first, other, original.run), kind: "original", verdict: "kept" },
    ...(await Promise.all(harmless.map((variant, i) => made(variant, "harmless", i)))),
    ...(await Promise.all(harmful.map((variant, i) => made(variant, "harmful", i)))),
  ];
}

/** The first two different references that pass every test, or fewer if there are fewer. */
async function passingReferences(problem: Problem, executor: Executor): Promise<{ code: string; run: Execution }[]> {
  const found: { code: string; run: Execution }[] = [];
  for (const code of problem.references) {
    if (found.length === 2 || found.some((one) => one.code.trim() === code.trim())) continue;
    const run = await executor.execute(problem, code);
    if (run.passRatio === 1) found.push({ code, run });
  }
  return found;
}

const sameVerdicts = (a: Execution, b: Execution): boolean =>
  a.verdicts.length === b.verdicts.length && a.verdicts.every(({ outcome }, i) => outcome === b.verdicts[i]!.outcome);

function rowOf(
  problem: Problem,
  made: Pick<RobustnessRow, "effect" | "kind"> & { readonly code: string; readonly how: string; readonly id: string },
  reference: string,
  run: Execution,
): RobustnessRow {
  return {
    task_id: problem.id,
    sample_id: `${problem.id}#${made.id}`,
    source: problem.source,
    made_by: made.how,
    temperature: null,
    candidate: made.code,
    reference,
    description: problem.description === "" ? null : problem.description,
    pass_ratio: run.passRatio,
    executable: run.executable,
    n_tests: run.verdicts.length,
    n_passed: run.verdicts.filter(({ outcome }) => outcome === "pass").length,
    n_opaque: run.verdicts.filter(({ opaque }) => opaque).length,
    passes_base: null,
    status: run.status,
    first_error: run.firstError,
    reason: run.reason,
    weight: 1,
    effect: made.effect,
    kind: made.kind,
  };
}
