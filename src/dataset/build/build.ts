/**
 * Whole sets out of a folder of collected problems and samples, in one call: problems chosen, expanded, candidates made,
 * executed, weighted, divided. Each step leaves a file in `OUT/NAME/work`; the same call after a kill goes on where it
 * was. Finished sets: `OUT/NAME/{train,dev,test}.arrow` with their manifests, and `stats.json`.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { settingsOf } from "../../execute/settings.ts";
import type { Executor } from "../../execute/types.ts";
import { originalTests, printProblem, readProblems, streamProblems } from "../../problems/index.ts";
import type { Problem } from "../../types.ts";
import { writeAtomic } from "../../util/files.ts";
import { writeJsonLines } from "../../util/jsonl.ts";
import { locked } from "../../util/lock.ts";
import { startProgress } from "../../util/progress.ts";
import type { Defects } from "../defects.ts";
import { expandProblems } from "../expand-problems.ts";
import { Journal } from "../journal.ts";
import { label } from "../label.ts";
import { executorOf } from "../manifest.ts";
import { mapInOrder } from "../ordered.ts";
import { stats } from "../stats.ts";
import { writeLines, writeWhole } from "../whole.ts";
import { candidateRows } from "./candidates.ts";
import { cleaned, type DataFile, filesOf, limitedTo } from "./choose.ts";
import { type Finished, finish } from "./finish.ts";
import { readPool } from "./pool.ts";
import { type Recipe, recipesOf, type SetName } from "./recipes.ts";
import { Steps } from "./steps.ts";
import { nothingDropped, type Verified, verifyProblem } from "./verify.ts";

export interface BuildOptions {
  /** `mbpp-eval`, `apps-eval`, `train-mix`, `he-eval`, `he-llm`, or `all`. */
  readonly set: string;
  /** The folder of the collected data: `train/problems_*.jsonl.gz`, `train/samples_*.jsonl.gz`, `he-eval-dev/`. */
  readonly data: string;
  readonly out: string;
  readonly executor: Executor;
  /** Tests a problem is expanded to. @default the recipe's */
  readonly tests?: number;
  /** So many problems, drawn by a hash of their ids. @default all */
  readonly limitProblems?: number;
  /** Problems marked `maybe` among HumanEval's near-duplicates may be trained on. @default false */
  readonly keepMaybe?: boolean;
  /** Sample files to leave out, e.g. `mas_mbpp`. @default none */
  readonly without?: readonly string[];
  /** @default 0 */
  readonly seed?: number;
  /** Shows progress on stderr. @default false */
  readonly progress?: boolean;
}

export interface BuiltSet extends Finished {
  readonly name: SetName;
  readonly folder: string;
  readonly problems: { readonly chosen: number; readonly nearDuplicates: number };
  readonly candidates: number;
  readonly changed: number;
  readonly infra: number;
  /** Programs executed and seconds taken by labelling, whichever call did it. */
  readonly executed: number;
  readonly seconds: number;
  /** What expansion showed of the problems. */
  readonly defects: Defects;
}

/** Builds one set or all. Throws `CodescoreError` for files that cannot be used. */
export async function buildSets(options: BuildOptions): Promise<BuiltSet[]> {
  const built: BuiltSet[] = [];
  for (const recipe of recipesOf(options.set)) {
    built.push(await locked(join(options.out, recipe.name), () => buildSet(recipe, options)));
  }
  return built;
}

async function buildSet(recipe: Recipe, options: BuildOptions): Promise<BuiltSet> {
  const { executor, seed = 0, progress = false } = options;
  const tests = recipe.tests === null ? null : (options.tests ?? recipe.tests);
  const folder = join(options.out, recipe.name);
  const work = join(folder, "work");
  await mkdir(work, { recursive: true });
  const without = options.without ?? [];
  const problemFiles = await filesOf(join(options.data, recipe.folder), recipe.problems);
  const sampleFiles = (await filesOf(join(options.data, recipe.samplesFolder), recipe.samples)).filter(
    ({ name }) => !without.includes(name),
  );
  const steps = await Steps.open(join(work, "steps.json"), [
    recipe.name,
    seed,
    settingsOf(executor),
    ...[...problemFiles, ...sampleFiles].map(({ name, bytes }) => [name, bytes]),
  ]);
  const paths = {
    removed: join(folder, "decontamination.jsonl"),
    problems: join(work, "problems.jsonl"),
    expanded: join(work, "expanded.jsonl"),
    usable: join(work, "usable.jsonl"),
    verified: join(work, "verified.jsonl"),
    candidates: join(work, "candidates.jsonl"),
    labelled: join(work, "labelled.arrow"),
  };

  const chosen = await steps.run(
    "problems",
    { file: paths.problems, settings: [options.limitProblems ?? null, options.keepMaybe ?? false] },
    async () => {
      const all = await readProblems(problemFiles.map(({ path }) => path));
      const allowed = [...all.values()].filter(({ id }) => recipe.splitOf(id) !== null);
      const { clean, removed } = await cleaned(allowed, recipe, options);
      await writeJsonLines(
        paths.removed,
        removed.map(({ taskId, ...rest }) => ({ task_id: taskId, ...rest })),
      );
      const usable = clean.filter(({ tests, references }) => tests.length > 0 || references.length > 0);
      const limited = limitedTo(usable, options.limitProblems ?? null);
      // Counted here: later steps leave tests out.
      const counted = limited.map((problem) => ({ ...problem, originalTests: originalTests(problem) }));
      await writeWhole(paths.problems, (part) => writeLines(part, printed(counted)));
      return { chosen: limited.length, nearDuplicates: removed.length };
    },
  );
  const bounds =
    recipe.maxReferenceCpuS === null || tests === null ? null : { maxCpuS: recipe.maxReferenceCpuS, maxTests: tests };
  // Before expansion too: references that are too slow are the slowest part of it.
  const usable = await steps.run("usable", { file: paths.usable, settings: bounds }, () =>
    writeVerified(paths.problems, paths.usable, { executor, bounds, speedOnly: true, progress }),
  );
  const expanded = await steps.run("expanded", { file: paths.expanded, settings: tests }, async () => {
    if (tests === null) {
      await writeWhole(paths.expanded, (part) => writeLines(part, printed(streamProblems([paths.usable]))));
      return { testsAdded: 0, short: 0, defects: {} };
    }
    const { short, defects, testsAdded } = await expandProblems({
      problems: [paths.usable],
      out: paths.expanded,
      executor,
      count: tests,
      seed,
      progress,
    });
    return { testsAdded, short: short.length, defects };
  });
  const verified = await steps.run("verified", { file: paths.verified, settings: bounds }, () =>
    writeVerified(paths.expanded, paths.verified, { executor, bounds, speedOnly: false, progress }),
  );
  const made = await steps.run(
    "candidates",
    {
      file: recipe.llmPerProblem === null ? paths.verified : paths.candidates,
      settings: [recipe.llmPerProblem, recipe.madePerProblem],
    },
    async () =>
      recipe.llmPerProblem === null
        ? { rows: 0, offered: 0 }
        : await writeCandidates(recipe, recipe.llmPerProblem, paths, sampleFiles, seed, progress),
  );
  const samples = recipe.llmPerProblem === null ? sampleFiles.map(({ path }) => path) : [paths.candidates];
  const labels = await steps.run("labelled", { file: paths.labelled }, async () => {
    const found = await label({ problems: [paths.verified], samples, out: paths.labelled, executor, progress });
    const { rows, changed, infra, executed, seconds } = found;
    return { rows, changed, infra, executed, seconds, again: infra > 0 };
  });
  const finished = await steps.run("finished", { file: join(folder, "stats.json") }, async () => {
    const result = await finish({
      recipe,
      labelled: paths.labelled,
      out: folder,
      sources: [...problemFiles, ...sampleFiles].map(({ path }) => path),
      how: {
        set: recipe.name,
        executor: await executorOf(paths.labelled),
        tests,
        seed,
        problems: chosen,
        usable,
        expanded,
        verified,
        changed_rewrites: labels.changed,
      },
    });
    const described: Record<string, unknown> = {};
    for (const split of ["train", "dev", "test"] as const)
      described[split] = await stats(join(folder, `${split}.arrow`));
    await writeAtomic(join(folder, "stats.json"), `${JSON.stringify(described, null, 2)}\n`);
    return result;
  });
  const { changed, infra, executed, seconds } = labels;
  return {
    ...finished,
    name: recipe.name,
    folder,
    problems: chosen,
    candidates: made.rows,
    changed,
    infra,
    executed,
    seconds,
    defects: expanded.defects,
  };
}

async function* printed(problems: AsyncIterable<Problem> | Iterable<Problem>): AsyncGenerator<string> {
  for await (const problem of problems) yield printProblem(problem);
}

async function writeCandidates(
  recipe: Recipe,
  llmPerProblem: number,
  paths: { readonly verified: string; readonly candidates: string },
  samples: readonly DataFile[],
  seed: number,
  progress: boolean,
): Promise<{ rows: number; offered: number }> {
  const problems = [...(await readProblems([paths.verified])).values()];
  const pool = await readPool(samples, new Set(problems.map(({ id }) => id)), llmPerProblem);
  const bar = startProgress({ label: "candidates", total: problems.length, unit: "problems", quiet: !progress });
  let rows = 0;
  let last = "";
  async function* counted() {
    for await (const row of candidateRows(problems, { pool, madePerProblem: recipe.madePerProblem, seed })) {
      rows += 1;
      if (row.task_id !== last) bar.tick();
      last = row.task_id;
      yield row;
    }
  }
  try {
    await writeJsonLines(paths.candidates, counted());
  } finally {
    bar.done();
  }
  return { rows, offered: pool.rows };
}

interface VerifyStep {
  readonly executor: Executor;
  /** Null: problems are taken as they are. */
  readonly bounds: { readonly maxCpuS: number; readonly maxTests: number } | null;
  readonly speedOnly: boolean;
  readonly progress: boolean;
}

/** Counts of what became of the problems, by verdict. */
async function writeVerified(
  from: string,
  out: string,
  { executor, bounds, speedOnly, progress }: VerifyStep,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = { ...nothingDropped };
  const total = (await readProblems([from])).size;
  const journal = await Journal.open(`${out}.journal.jsonl`);
  const bar = startProgress({ label: "verify", total, unit: "problems", quiet: !progress });
  const check = async (problem: Problem): Promise<Verified> =>
    bounds === null
      ? { verdict: "kept", problem, ...nothingDropped }
      : verifyProblem(problem, { executor, journal, ...bounds, speedOnly });
  async function* lines(): AsyncGenerator<string> {
    for await (const { verdict, problem, ...dropped } of mapInOrder(streamProblems([from]), 32, check)) {
      bar.tick();
      counts[verdict] = (counts[verdict] ?? 0) + 1;
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
