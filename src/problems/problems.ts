/** Reads problems from files and folders. sources.ts and formats.ts list what is supported. */
import { CodescoreError } from "../errors.ts";
import type { Problem } from "../types.ts";
import { distinct, type LeaveOut } from "./fields.ts";
import type { NotebookOptions } from "./notebook/index.ts";
import { allPlaces } from "./sources.ts";

export interface ReadOptions {
  /** Called for problems with tests that cannot be made runnable. @default nothing */
  readonly leaveOut?: LeaveOut;
  /** How notebooks are read. @default as `readNotebooks` does */
  readonly notebooks?: NotebookOptions;
}

/**
 * Streams the problems of files and folders in order.
 * Throws `CodescoreError("input")` naming file and line if something is not a problem.
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
 * All problems by id, in order of first appearance. Rows with the same id are merged, because collections overlap: the problem
 * with more tests is kept (the first if equal), and references of the others are added if they have the same entry point.
 * Throws `CodescoreError("input")` if there are no problems.
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

/** Weight of a problem's tests: source text counts its asserts. */
const testWeight = ({ tests }: Problem): number =>
  tests.reduce((sum, test) => sum + ("code" in test ? (test.code.match(/\bassert\b/g)?.length ?? 1) : 1), 0);
