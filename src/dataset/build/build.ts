/**
 * Builds complete sets from a folder of collected problems and samples in one call: chooses problems, expands tests, makes candidates, executes,
 * weights and splits them. Each step leaves a file in `OUT/NAME/work`. After a kill the same call resumes there.
 * Finished sets: `OUT/NAME/{train,dev,test}.arrow` with their manifests, and `stats.json`.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { settingsOf } from "../../execute/settings.ts";
import { locked } from "../../util/lock.ts";
import type { Defects } from "../defects.ts";
import { filesOf } from "./choose.ts";
import type { Finished } from "./finish.ts";
import { chooseProblems, expandUsable, leaveOutSlow, verifyExpanded } from "./problem-steps.ts";
import { divide, labelCandidates, makeCandidates } from "./program-steps.ts";
import { type Recipe, recipesOf, type SetName } from "./recipes.ts";
import { Steps } from "./steps.ts";
import type { BuildOptions, SetBuild, StepFiles } from "./types.ts";

export interface BuiltSet extends Finished {
  readonly name: SetName;
  readonly folder: string;
  readonly problems: { readonly chosen: number; readonly nearDuplicates: number };
  readonly candidates: number;
  readonly changed: number;
  readonly infra: number;
  /** Programs executed by labelling and the seconds it took, in this call or in an earlier one. */
  readonly executed: number;
  readonly seconds: number;
  /** Defects of problems that expansion showed. */
  readonly defects: Defects;
}

/** Builds one set or all sets. Throws `CodescoreError` for files that cannot be used. */
export async function buildSets(options: BuildOptions): Promise<BuiltSet[]> {
  const built: BuiltSet[] = [];
  for (const recipe of recipesOf(options.set)) {
    built.push(await locked(join(options.out, recipe.name), () => buildSet(recipe, options)));
  }
  return built;
}

async function buildSet(recipe: Recipe, options: BuildOptions): Promise<BuiltSet> {
  const build = await openBuild(recipe, options);
  const problems = await chooseProblems(build);
  const usable = await leaveOutSlow(build);
  const expanded = await expandUsable(build);
  const verified = await verifyExpanded(build);
  const candidates = await makeCandidates(build);
  const { changed, infra, executed, seconds } = await labelCandidates(build);
  const finished = await divide(build, { problems, usable, expanded, verified, changed_rewrites: changed });
  return {
    ...finished,
    name: recipe.name,
    folder: build.files.folder,
    problems,
    candidates: candidates.rows,
    changed,
    infra,
    executed,
    seconds,
    defects: expanded.defects,
  };
}

async function openBuild(recipe: Recipe, options: BuildOptions): Promise<SetBuild> {
  const { executor, seed = 0, progress = false, without = [] } = options;
  const { maxReferenceCpuS: maxCpuS } = recipe;
  const tests = recipe.tests === null ? null : (options.tests ?? recipe.tests);
  const folder = join(options.out, recipe.name);
  const work = join(folder, "work");
  await mkdir(work, { recursive: true });
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
  const bounds = maxCpuS === null || tests === null ? null : { maxCpuS, maxTests: tests };
  const files = stepFiles(folder, work);
  return { recipe, options, executor, seed, progress, tests, bounds, problemFiles, sampleFiles, steps, files };
}

const stepFiles = (folder: string, work: string): StepFiles => ({
  folder,
  removed: join(folder, "decontamination.jsonl"),
  problems: join(work, "problems.jsonl"),
  usable: join(work, "usable.jsonl"),
  expanded: join(work, "expanded.jsonl"),
  verified: join(work, "verified.jsonl"),
  candidates: join(work, "candidates.jsonl"),
  labelled: join(work, "labelled.arrow"),
  stats: join(folder, "stats.json"),
});
