/** Expands problem files into our own format, one problem a line in input order; a killed run goes on where it was. */
import type { Executor } from "../execute/types.ts";
import { printProblem, readProblems } from "../problems/index.ts";
import type { Problem } from "../types.ts";
import { startProgress } from "../util/progress.ts";
import { type ExpandOptions, expandDefaults } from "./expand.ts";
import { Journal } from "./journal.ts";
import { manifestPath, writeCard } from "./manifest.ts";
import { mapInOrder } from "./ordered.ts";
import { Preparation } from "./prepare.ts";
import { writeLines, writeWhole } from "./whole.ts";

export interface ExpandProblemsOptions extends ExpandOptions {
  /** Problem files and folders. */
  readonly problems: readonly string[];
  /** A JSON-lines file. */
  readonly out: string;
  readonly executor: Executor;
  /** Shows a progress bar on stderr. @default false */
  readonly progress?: boolean;
}

export interface ExpandProblemsResult {
  readonly out: string;
  readonly manifest: string;
  readonly problems: number;
  readonly testsAdded: number;
  /** Problems with fewer tests than were asked for. */
  readonly short: readonly string[];
  /** Problems whose references disagree on some proposed input. */
  readonly disagreeing: readonly string[];
}

const window = 32;

/** Throws `CodescoreError("input")` for files that cannot be used. */
export async function expandProblems(options: ExpandProblemsOptions): Promise<ExpandProblemsResult> {
  const { out, executor, progress = false } = options;
  const { count, seed } = { ...expandDefaults, ...options };
  const problems = await readProblems(options.problems);
  const journal = await Journal.open(`${out}.journal.jsonl`);
  const preparation = new Preparation({ executor, expand: count, seed, journal });
  const bar = startProgress({ label: "expand", total: problems.size, unit: "problems", quiet: !progress });
  async function* lines(): AsyncGenerator<string> {
    const work = async (problem: Problem) => (await preparation.of(problem)).problem;
    for await (const problem of mapInOrder(problems.values(), window, work)) {
      bar.tick();
      yield printProblem(problem);
    }
  }
  try {
    await writeWhole(out, (part) => writeLines(part, lines()));
  } finally {
    bar.done();
    journal.close();
  }
  const { sandbox, python, limits } = executor;
  const { testsAdded, disagreeing, short } = preparation;
  await writeCard(out, options.problems, {
    executor: { sandbox, python, limits },
    expand: count,
    seed,
    counts: { problems: problems.size, tests_added: testsAdded, short: short.length, disagreeing: disagreeing.length },
  });
  await journal.remove();
  return { out, manifest: manifestPath(out), problems: problems.size, testsAdded, short, disagreeing };
}
