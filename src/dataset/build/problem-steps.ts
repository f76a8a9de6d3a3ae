/** The build steps that make a set's problems: choose, expand, verify. */
import { originalTests, printProblem, readProblems, streamProblems } from "../../problems/index.ts";
import type { Problem } from "../../types.ts";
import { writeJsonLines } from "../../util/jsonl.ts";
import { mapInOrder } from "../../util/ordered.ts";
import { startProgress } from "../../util/progress.ts";
import type { Defects } from "../defects.ts";
import { expandProblems } from "../expand-problems.ts";
import { Journal } from "../journal.ts";
import { writeLines, writeWhole } from "../whole.ts";
import { cleaned, limitedTo } from "./choose.ts";
import type { SetBuild } from "./types.ts";
import { nothingDropped, type Verified, verifyProblem } from "./verify.ts";

export interface Chosen {
  readonly chosen: number;
  readonly nearDuplicates: number;
}

/** Writes `problems.jsonl`: the recipe's problems without near-duplicates of HumanEval. `decontamination.jsonl` lists the removed ones. */
export const chooseProblems = (build: SetBuild): Promise<Chosen> => {
  const { recipe, options, files, steps, problemFiles } = build;
  const settings = [options.limitProblems ?? null, options.keepMaybe ?? false];
  return steps.run("problems", { file: files.problems, settings }, async () => {
    const all = await readProblems(problemFiles.map(({ path }) => path));
    const allowed = [...all.values()].filter(({ id }) => recipe.splitOf(id) !== null);
    const { clean, removed } = await cleaned(allowed, recipe, options);
    await writeJsonLines(
      files.removed,
      removed.map(({ taskId, ...rest }) => ({ task_id: taskId, ...rest })),
    );
    const usable = clean.filter(({ tests, references }) => tests.length > 0 || references.length > 0);
    const limited = limitedTo(usable, options.limitProblems ?? null);
    // Store the number of original tests now, because later steps drop tests.
    const counted = limited.map((problem) => ({ ...problem, originalTests: originalTests(problem) }));
    await writeProblems(files.problems, counted);
    return { chosen: limited.length, nearDuplicates: removed.length };
  });
};

/** Number of problems by status, with totals of dropped tests and references and of original tests. */
export type StatusCounts = Readonly<Record<string, number>>;

/** Writes `usable.jsonl`: the problems whose reference is fast enough. Slow ones would take most of the expansion's time. */
export const leaveOutSlow = (build: SetBuild): Promise<StatusCounts> =>
  build.steps.run("usable", { file: build.files.usable, settings: build.bounds }, () =>
    writeVerified(build, { from: build.files.problems, out: build.files.usable, speedOnly: true }),
  );

export interface Expanded {
  readonly testsAdded: number;
  /** Number of problems with fewer tests than requested. */
  readonly short: number;
  readonly defects: Defects;
}

/** Writes `expanded.jsonl`: the usable problems with as many tests as the set asks for. */
export const expandUsable = ({ tests, files, steps, executor, seed, progress }: SetBuild): Promise<Expanded> =>
  steps.run("expanded", { file: files.expanded, settings: tests }, async () => {
    const [problems, out] = [[files.usable], files.expanded];
    if (tests === null) {
      await writeProblems(out, streamProblems(problems));
      return { testsAdded: 0, short: 0, defects: {} };
    }
    const expanded = await expandProblems({ problems, out, executor, count: tests, seed, progress });
    const { testsAdded, short, defects } = expanded;
    return { testsAdded, short: short.length, defects };
  });

/** Writes `verified.jsonl`: the expanded problems with the tests and references that can be trusted. */
export const verifyExpanded = (build: SetBuild): Promise<StatusCounts> =>
  build.steps.run("verified", { file: build.files.verified, settings: build.bounds }, () =>
    writeVerified(build, { from: build.files.expanded, out: build.files.verified, speedOnly: false }),
  );

async function writeVerified(
  { executor, bounds, progress }: SetBuild,
  { from, out, speedOnly }: { readonly from: string; readonly out: string; readonly speedOnly: boolean },
): Promise<StatusCounts> {
  const counts: Record<string, number> = { ...nothingDropped };
  const total = (await readProblems([from])).size;
  const journal = await Journal.open(`${out}.journal.jsonl`);
  const bar = startProgress({ label: "verify", total, unit: "problems", quiet: !progress });
  const check = async (problem: Problem): Promise<Verified> =>
    bounds === null
      ? { status: "kept", problem, ...nothingDropped }
      : verifyProblem(problem, { executor, journal, ...bounds, speedOnly });
  async function* lines(): AsyncGenerator<string> {
    for await (const { status, problem, ...dropped } of mapInOrder(streamProblems([from]), 32, check)) {
      bar.tick();
      counts[status] = (counts[status] ?? 0) + 1;
      for (const [what, n] of Object.entries(dropped)) counts[what] = (counts[what] ?? 0) + n;
      if (problem === null) continue;
      counts.originalTests = (counts.originalTests ?? 0) + originalTests(problem);
      yield printProblem(problem);
    }
  }
  try {
    await writeWhole(out, (part) => writeLines(part, lines()));
  } finally {
    bar.done();
    await journal.close();
  }
  await journal.remove();
  return counts;
}

const writeProblems = (out: string, problems: AsyncIterable<Problem> | Iterable<Problem>): Promise<void> =>
  writeWhole(out, (part) => writeLines(part, printed(problems)));

async function* printed(problems: AsyncIterable<Problem> | Iterable<Problem>): AsyncGenerator<string> {
  for await (const problem of problems) yield printProblem(problem);
}
