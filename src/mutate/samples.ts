/** All candidates made for problems, as rows of a sample file. */
import type { Problem } from "../types.ts";
import { type CrossCandidate, crossCandidates, seedFor } from "./cross.ts";
import { makeCandidates } from "./make.ts";

/** A row of a sample file; `model` says how the program was made. */
export interface MadeSample {
  readonly task_id: string;
  readonly sample_id: string;
  readonly solution: string;
  readonly model: string;
  /** For a rewrite: the reference it was made from. `codescore label` drops the row unless both behave alike. */
  readonly original?: string;
}

export interface SampleOptions {
  /** Rows per problem, including its references. @default 40 */
  readonly perProblem?: number;
  /** @default 0 */
  readonly seed?: number;
}

export const sampleDefaults = { perProblem: 40, seed: 0 } as const satisfies Required<SampleOptions>;

/**
 * Share of solutions of other problems. Without them all wrong programs would be near copies of right ones, and a
 * model would learn that similarity means nothing. Real wrong programs are mostly unlike the reference.
 */
const otherShare = 0.2;

/**
 * The rows of one problem after another: its references, solutions of other problems, then mutants and rewrites of each
 * reference in turn. Fewer than `perProblem` if the references have no more places to change; none without a reference.
 */
export async function* makeSamples(
  problems: readonly Problem[],
  options: SampleOptions = {},
): AsyncGenerator<{ readonly problem: Problem; readonly rows: readonly MadeSample[] }> {
  const { perProblem, seed } = { ...sampleDefaults, ...options };
  const cross = await crossCandidates(problems, { count: Math.round(perProblem * otherShare), seed });
  const wholeOf = new Map<string, CrossCandidate[]>();
  for (const made of cross) wholeOf.set(made.problemId, [...(wholeOf.get(made.problemId) ?? []), made]);
  for (const problem of problems) {
    const whole = wholeOf.get(problem.id) ?? [];
    const programs = new Map<string, Made>(whole.map(({ code, madeBy }) => [code.trim(), { code, madeBy }]));
    for (const made of await interleaved(problem, perProblem, seedFor(problem.id, seed))) {
      if (programs.size >= perProblem) break;
      if (!programs.has(made.code.trim())) programs.set(made.code.trim(), made);
    }
    const rows = [...programs.values()].slice(0, perProblem).map(({ code, madeBy, original }, i) => ({
      task_id: problem.id,
      sample_id: `${problem.id}#${i}`,
      solution: code,
      model: madeBy,
      ...(original === undefined ? {} : { original }),
    }));
    yield { problem, rows };
  }
}

interface Made {
  readonly code: string;
  readonly madeBy: string;
  readonly original?: string;
}

/** The candidates made from each reference, one of each in turn. */
async function interleaved(problem: Problem, count: number, seed: number): Promise<Made[]> {
  const keep = keywordsOf(problem);
  const each = Math.min(count, Math.ceil((1.5 * count) / problem.references.length)); // more than needed, because some are equal
  const lists = await Promise.all(
    problem.references.map(async (reference, i) => {
      const made = await makeCandidates(reference, { count: each, seed: seed + i, keep });
      return made.map(
        ({ code, madeBy, kind }): Made =>
          kind === "rewrite" ? { code, madeBy, original: reference } : { code, madeBy },
      );
    }),
  );
  return Array.from({ length: each }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}

/** The names of arguments that the tests pass by keyword. */
export function keywordsOf({ tests }: Problem): string[] {
  const texts = tests.map((test) => (test.kind === "call" ? test.args : test.kind === "stdio" ? "" : test.code));
  return texts.flatMap((text) =>
    [...text.matchAll(/(?:^|[(,])\s*([A-Za-z_]\w*)\s*=(?!=)/g)].map((match) => match[1] as string),
  );
}
