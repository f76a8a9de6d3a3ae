/**
 * Reduces the test suites of problem files. Writes a problem file with the chosen tests and a report of what they keep. A killed
 * run resumes from its journal. The caller provides the mutants.
 */
import { settingsOf } from "../execute/settings.ts";
import type { Executor } from "../execute/types.ts";
import { assembleProgram, printProblem, readProblems, readSamples } from "../problems/index.ts";
import type { Problem } from "../types.ts";
import { packageVersion, sha256, writeAtomic } from "../util/files.ts";
import { mapInOrder } from "../util/ordered.ts";
import { startProgress } from "../util/progress.ts";
import { type Defects, defectsOf } from "./defects.ts";
import { Journal } from "./journal.ts";
import { manifestPath, writeCard } from "./manifest.ts";
import { type Criterion, type Kept, type Reduction, reduceDefaults, reduceTests } from "./reduce.ts";
import { outputFile, writeLines, writeWhole } from "./whole.ts";

export interface ReduceProblemsOptions {
  /** Problem files and folders. */
  readonly problems: readonly string[];
  /** The JSON-lines file to write. */
  readonly out: string;
  readonly executor: Executor;
  /** What the chosen tests must keep. @default all three criteria */
  readonly by?: readonly Criterion[];
  /** Returns mutants of a problem's references, as whole programs. @default none */
  readonly mutants?: (problem: Problem) => Promise<readonly string[]>;
  /** Sample files and folders. @default [] */
  readonly samples?: readonly string[];
  /** Models whose samples do not influence the choice and are only reported on. @default [] */
  readonly holdOut?: readonly string[];
  /** Number of tests a problem has after reduction; null: as few as the criteria need. @default null */
  readonly size?: number | null;
  /** Shows a progress bar on stderr. @default false */
  readonly progress?: boolean;
}

/** The sum of the reductions of all problems. */
export interface ReductionReport extends Omit<Reduction, "problem" | "defects"> {
  readonly problems: number;
}

export interface ReduceProblemsResult extends ReductionReport {
  readonly out: string;
  readonly manifest: string;
  /** `OUT.report.json`: the total, and one row per problem. */
  readonly report: string;
  readonly defects: Defects;
}

const window = 8;

/** Throws `CodescoreError("input")` for files that cannot be used. */
export async function reduceProblems(options: ReduceProblemsOptions): Promise<ReduceProblemsResult> {
  const { out, executor, mutants: makeMutants, samples: paths = [], holdOut = [], progress = false } = options;
  const { by, size } = { ...reduceDefaults, ...options };
  await outputFile(out);
  const problems = await readProblems(options.problems);
  const programs = await programsOf(paths, problems, new Set(holdOut));
  const journal = await Journal.open(`${out}.journal.jsonl`);
  const environment = [await packageVersion(), settingsOf(executor), by, size];
  const bar = startProgress({ label: "reduce", total: problems.size, unit: "problems", quiet: !progress });
  const work = async (problem: Problem): Promise<Reduction> => {
    const { samples, heldOut } = programs.get(problem.id) ?? { samples: [], heldOut: [] };
    const mutants = by.includes("mutants") ? ((await makeMutants?.(problem)) ?? []) : [];
    const key = sha256(JSON.stringify(["reduce", environment, printProblem(problem), mutants, samples, heldOut]));
    const known = journal.get(key) as Reduction | undefined;
    const reduction = known ?? (await reduceTests(problem, executor, { by, mutants, samples, heldOut, size }));
    if (known === undefined) journal.put(key, reduction);
    return reduction;
  };
  const rows: (Omit<Reduction, "problem"> & { readonly task_id: string })[] = [];
  async function* lines(): AsyncGenerator<string> {
    for await (const { problem, ...row } of mapInOrder(problems.values(), window, work)) {
      bar.tick();
      rows.push({ task_id: problem.id, ...row });
      yield printProblem(problem);
    }
  }
  try {
    await writeWhole(out, (part) => writeLines(part, lines()));
  } finally {
    bar.done();
    await journal.close();
  }
  const total = totalOf(rows);
  const defects = defectsOf(rows.map((row) => [row.task_id, row.defects]));
  const report = `${out}.report.json`;
  await writeAtomic(report, `${JSON.stringify({ by, size, hold_out: holdOut, total, problems: rows }, null, 2)}\n`);
  const how = { executor: settingsOf(executor), by, size, hold_out: holdOut, counts: total, defects };
  await writeCard(out, [...options.problems, ...paths], how);
  await journal.remove();
  return { ...total, out, manifest: manifestPath(out), report, defects };
}

/** The samples of each problem as whole programs, with those of held-out models separate. */
async function programsOf(
  paths: readonly string[],
  problems: ReadonlyMap<string, Problem>,
  holdOut: ReadonlySet<string>,
): Promise<Map<string, { readonly samples: string[]; readonly heldOut: string[] }>> {
  const out = new Map<string, { readonly samples: string[]; readonly heldOut: string[] }>();
  if (paths.length === 0) return out;
  for await (const sample of readSamples(paths, problems)) {
    const problem = problems.get(sample.taskId);
    if (problem === undefined) continue;
    const programs = out.get(problem.id) ?? { samples: [], heldOut: [] };
    programs[holdOut.has(sample.madeBy) ? "heldOut" : "samples"].push(assembleProgram(problem, sample));
    out.set(problem.id, programs);
  }
  return out;
}

function totalOf(rows: readonly Omit<ReductionReport, "problems">[]): ReductionReport {
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  const kept = (groups: readonly Kept[]): Kept => ({
    all: sum(groups.map(({ all }) => all)),
    kept: sum(groups.map((group) => group.kept)),
  });
  const coverage = rows.flatMap((row) => (row.coverage === null ? [] : [row.coverage]));
  return {
    problems: rows.length,
    before: sum(rows.map(({ before }) => before)),
    after: sum(rows.map(({ after }) => after)),
    coverage: coverage.length > 0 ? kept(coverage) : null,
    mutants: kept(rows.map(({ mutants }) => mutants)),
    samples: kept(rows.map(({ samples }) => samples)),
    heldOut: kept(rows.map(({ heldOut }) => heldOut)),
  };
}
