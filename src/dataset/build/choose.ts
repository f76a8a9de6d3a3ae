/** Chooses the files and the problems of a set. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { readProblems } from "../../problems/index.ts";
import type { Problem } from "../../types.ts";
import { sha256 } from "../../util/files.ts";
import { type Decontaminated, decontaminate, readNearDuplicates } from "../decontaminate.ts";
import { type Recipe, recipesOf } from "./recipes.ts";

export interface DataFile {
  readonly path: string;
  /** The file name without `problems_` or `samples_` and without its ending. */
  readonly name: string;
  readonly bytes: number;
}

/** The JSON-lines files of a folder whose names match, sorted. Throws `CodescoreError("input")` if there are none. */
export async function filesOf(folder: string, pattern: RegExp): Promise<DataFile[]> {
  const names = await readdir(folder).catch(() => {
    throw new CodescoreError("input", `cannot read ${folder}: expected a folder of collected problems and samples`);
  });
  const found = names.filter((name) => pattern.test(name) && /\.jsonl(?:\.gz)?$/.test(name)).sort();
  if (found.length === 0) throw new CodescoreError("input", `${folder}: expected files whose names match ${pattern}`);
  return Promise.all(
    found.map(async (file) => ({
      path: join(folder, file),
      name: file.replace(/^(?:problems|samples)_/, "").replace(/\.jsonl(?:\.gz)?$/, ""),
      bytes: (await stat(join(folder, file))).size,
    })),
  );
}

/**
 * Removes problems that resemble a problem of HumanEval, as the recipe's `nearDuplicates` says. `drop`: those that the comparison
 * or the data's list of near-duplicates finds. `drop-high`: only those that the list is sure of. `keep`: none.
 */
export async function cleaned(
  problems: readonly Problem[],
  recipe: Recipe,
  options: { readonly data: string; readonly keepMaybe?: boolean },
): Promise<Decontaminated> {
  if (recipe.nearDuplicates === "keep") return { clean: problems, removed: [] };
  const folder = join(options.data, recipe.folder);
  const names = (await readdir(folder)).filter((name) => /^humaneval_near_duplicates\.jsonl(?:\.gz)?$/.test(name));
  const listed = await readNearDuplicates(names.map((name) => join(folder, name)));
  if (recipe.nearDuplicates === "drop-high") {
    return decontaminate(problems, { against: [], listed, keepMaybe: true });
  }
  const humanEval = recipesOf("he-eval")[0]!;
  const files = await filesOf(join(options.data, humanEval.folder), humanEval.problems);
  const against = (await readProblems(files.map(({ path }) => path))).values();
  return decontaminate(problems, { against, listed, keepMaybe: options.keepMaybe ?? false });
}

/** Keeps the `limit` problems with the smallest hashes of their ids, in input order; null: all. */
export function limitedTo(problems: readonly Problem[], limit: number | null): readonly Problem[] {
  if (limit === null || limit >= problems.length) return problems;
  const kept = new Set(
    problems
      .map(({ id }) => [sha256(id), id] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([, id]) => id),
  );
  return problems.filter(({ id }) => kept.has(id));
}
