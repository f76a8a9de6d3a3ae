/**
 * Yields a set's candidates as rows of a sample file, problem by problem: its references, programs of models, solutions of other
 * problems, and mutants and rewrites of references and of programs said to pass. Programs of one problem that differ only in
 * comments, docstrings and blank space count once. Executes nothing.
 */
import { crossCandidates, keywordsOf, makeCandidates, seedFor } from "../../mutate/index.ts";
import type { Problem } from "../../types.ts";
import { type Pool, programKey } from "./pool.ts";

/** A row of a sample file. `sample_id` names its origin: `mas_mbpp:17` is row 17 of that file. */
export interface CandidateRow {
  readonly task_id: string;
  readonly sample_id: string;
  readonly solution: string;
  readonly made_by: string;
  /** For a rewrite: the program that it must behave like. */
  readonly original?: string;
}

export interface CandidateOptions {
  readonly pool: Pool;
  readonly madePerProblem: number;
  readonly seed: number;
}

/** Share of the made programs that are solutions of other problems. Most real wrong programs do not resemble the reference. */
const crossShare = 0.15;
/** Maximum number of programs per problem that mutants and rewrites are made from: references first, then programs said to pass. */
const basesPerProblem = 4;
/** A problem with fewer tests can hardly tell how wrong a program is, so it gets a quarter of the made programs. */
const fewTests = 3;

/** Skips problems without tests, because their programs would get no label. */
export async function* candidateRows(
  problems: readonly Problem[],
  { pool, madePerProblem, seed }: CandidateOptions,
): AsyncGenerator<CandidateRow> {
  const testable = problems.filter(({ tests }) => tests.length > 0);
  const perProblem = Math.round(madePerProblem * crossShare);
  const cross = perProblem === 0 ? [] : await crossCandidates(testable, { count: perProblem, seed });
  const crossOf = new Map<string, { code: string; madeBy: string }[]>();
  for (const made of cross) {
    if (made.madeBy !== "reference") crossOf.set(made.problemId, [...(crossOf.get(made.problemId) ?? []), made]);
  }
  for (const problem of testable) {
    const task_id = problem.id;
    const taken = new Set<string>();
    const isNew = (code: string): boolean => {
      const key = programKey(task_id, code);
      return !taken.has(key) && taken.add(key) !== undefined;
    };
    const llm = pool.take(task_id);
    if (madePerProblem > 0) {
      for (const [i, code] of problem.references.entries()) {
        if (isNew(code))
          yield { task_id, sample_id: `${task_id}#reference-${i}`, solution: code, made_by: "reference" };
      }
    }
    for (const { code, origin, madeBy } of llm) {
      if (isNew(code)) yield { task_id, sample_id: origin, solution: code, made_by: madeBy };
    }
    const wanted = problem.tests.length < fewTests ? Math.round(madePerProblem / 4) : madePerProblem;
    const passing = llm.filter(({ hint }) => hint === "one").map(({ code }) => code);
    const bases = [...problem.references.slice(0, 3), ...passing].slice(0, basesPerProblem);
    if (wanted === 0 || bases.length === 0) continue;
    let made = 0;
    const whole = (crossOf.get(task_id) ?? [])
      .slice(0, Math.round(wanted * crossShare))
      .map(({ code, madeBy }) => ({ code, madeBy, original: null }));
    for (const { code, madeBy, original } of [...whole, ...(await madeOf(problem, bases, wanted, seed))]) {
      if (made >= wanted) break;
      if (!isNew(code)) continue;
      const row = { task_id, sample_id: `${task_id}#made-${made}`, solution: code, made_by: madeBy };
      yield original === null ? row : { ...row, original };
      made += 1;
    }
  }
}

interface Made {
  readonly code: string;
  readonly madeBy: string;
  readonly original: string | null;
}

/** Makes programs from each base and interleaves them. Makes 30 % more than wanted, because some turn out alike. */
async function madeOf(problem: Problem, bases: readonly string[], wanted: number, seed: number): Promise<Made[]> {
  const each = Math.ceil((1.3 * wanted) / bases.length);
  const keep = keywordsOf(problem);
  const lists: Made[][] = [];
  for (const [i, base] of bases.entries()) {
    const made = await makeCandidates(base, { count: each, seed: seedFor(`${problem.id}\n${i}`, seed), keep });
    lists.push(made.map(({ code, madeBy, kind }) => ({ code, madeBy, original: kind === "rewrite" ? base : null })));
  }
  return Array.from({ length: each }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
