/** The build steps that make a set's programs: collect or make, execute, split. */
import { join } from "node:path";
import { readProblems } from "../../problems/index.ts";
import { writeAtomic } from "../../util/files.ts";
import { writeJsonLines } from "../../util/jsonl.ts";
import { startProgress } from "../../util/progress.ts";
import { type LabelResult, label } from "../label.ts";
import { executorOf } from "../manifest.ts";
import { stats } from "../stats.ts";
import { candidateRows } from "./candidates.ts";
import { type Finished, finish } from "./finish.ts";
import { readPool } from "./pool.ts";
import type { SetBuild } from "./types.ts";

export interface Candidates {
  readonly rows: number;
  /** Number of programs of models to choose from. */
  readonly offered: number;
}

/** Writes `candidates.jsonl`: selected programs of models, and made programs. Writes nothing if the recipe takes all samples. */
export const makeCandidates = (build: SetBuild): Promise<Candidates> => {
  const { llmPerProblem, madePerProblem } = build.recipe;
  const file = llmPerProblem === null ? build.files.verified : build.files.candidates;
  return build.steps.run("candidates", { file, settings: [llmPerProblem, madePerProblem] }, async () =>
    llmPerProblem === null ? { rows: 0, offered: 0 } : await writeCandidates(build, llmPerProblem),
  );
};

async function writeCandidates(
  { recipe, files, sampleFiles, seed, progress }: SetBuild,
  llmPerProblem: number,
): Promise<Candidates> {
  const problems = [...(await readProblems([files.verified])).values()];
  const pool = await readPool(sampleFiles, new Set(problems.map(({ id }) => id)), llmPerProblem);
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
    await writeJsonLines(files.candidates, counted());
  } finally {
    bar.done();
  }
  return { rows, offered: pool.rows };
}

export type Labels = Pick<LabelResult, "rows" | "changed" | "infra" | "executed" | "seconds">;

/** Writes `labelled.arrow`: every candidate executed on its verified problem. Runs again as long as a row is `infra`. */
export const labelCandidates = ({ recipe, files, steps, sampleFiles, executor, progress }: SetBuild): Promise<Labels> =>
  steps.run("labelled", { file: files.labelled }, async () => {
    const samples = recipe.llmPerProblem === null ? sampleFiles.map(({ path }) => path) : [files.candidates];
    const found = await label({ problems: [files.verified], samples, out: files.labelled, executor, progress });
    const { rows, changed, infra, executed, seconds } = found;
    return { rows, changed, infra, executed, seconds, again: infra > 0 };
  });

/** Writes `train.arrow`, `dev.arrow` and `test.arrow` with their manifests, and `stats.json`. `how` holds the reports of earlier steps. */
export const divide = (build: SetBuild, how: Readonly<Record<string, unknown>>): Promise<Finished> => {
  const { recipe, files, steps, problemFiles, sampleFiles, tests, seed } = build;
  return steps.run("finished", { file: files.stats }, async () => {
    const result = await finish({
      recipe,
      labelled: files.labelled,
      out: files.folder,
      sources: [...problemFiles, ...sampleFiles].map(({ path }) => path),
      how: { set: recipe.name, executor: await executorOf(files.labelled), tests, seed, ...how },
    });
    const described: Record<string, unknown> = {};
    for (const split of ["train", "dev", "test"] as const)
      described[split] = await stats(join(files.folder, `${split}.arrow`));
    await writeAtomic(files.stats, `${JSON.stringify(described, null, 2)}\n`);
    return result;
  });
};
