/** Problems from files and folders; see sources.ts and formats.ts for what is understood. */
import { CodescoreError } from "../errors.ts";
import type { Problem } from "../types.ts";
import { distinct, type LeaveOut } from "./fields.ts";
import type { NotebookOptions } from "./notebook/index.ts";
import { allPlaces } from "./sources.ts";

export interface ReadOptions {
  /** Told of problems some of whose tests cannot be made runnable. @default nobody */
  readonly leaveOut?: LeaveOut;
  /** How notebooks are read. @default as `readNotebooks` does */
  readonly notebooks?: NotebookOptions;
}

/**
 * The problems of files and folders, one after another, as they stand there.
 * Throws `CodescoreError("input")` that names file and line for anything that is no problem.
 */
export async function* streamProblems(
  paths: readonly string[],
  { leaveOut = () => {}, notebooks }: ReadOptions = {},
): AsyncGenerator<Problem> {
  for (const { path, source } of await allPlaces(paths)) {
    if (source.problems === null) {
      throw new CodescoreError("input", `${path}: expected problem files, got ${source.what}`);
    }
    yield* source.problems(path, leaveOut, notebooks);
  }
}

/**
 * All problems by id, in order of first appearance. Two rows of one id are one problem: the one that tests more (of
 * equals the first) gives everything, and references of the others join it where they are called by the same name
 * (collections overlap).
 * Throws `CodescoreError("input")` when there is none.
 */
export async function readProblems(paths: readonly string[], options: ReadOptions = {}): Promise<Map<string, Problem>> {
  const problems = new Map<string, Problem>();
  for await (const problem of streamProblems(paths, options)) {
    const known = problems.get(problem.id);
    problems.set(problem.id, known === undefined ? problem : merged(known, problem));
  }
  if (problems.size === 0)
    throw new CodescoreError("input", `no problems in ${paths.join(", ")}: expected at least one`);
  return problems;
}

function merged(first: Problem, second: Problem): Problem {
  const [kept, other] = testWeight(second) > testWeight(first) ? [second, first] : [first, second];
  if (kept.entryPoint !== other.entryPoint) return kept;
  return { ...kept, references: distinct([...kept.references, ...other.references]) };
}

/** How much a problem's tests ask: a text counts its asserts. */
const testWeight = ({ tests }: Problem): number =>
  tests.reduce((sum, test) => sum + ("code" in test ? (test.code.match(/\bassert\b/g)?.length ?? 1) : 1), 0);
