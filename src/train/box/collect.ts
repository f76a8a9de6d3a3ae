/** Writes the results of a box into files that are small enough to transfer. */
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { createTar } from "nanotar";
import { exists, readJson, sha256 } from "../../util/files.ts";
import type { RunState } from "../checkpoint.ts";

/** Maximum bytes per file of results. */
export const PART_BYTES = 16 * 2 ** 20;

export interface Collected {
  /** Names of the files: the parts, in the order in which they are joined, then the list of their hashes. */
  readonly files: readonly string[];
  readonly bytes: number;
}

/**
 * Writes the folders `models` and the files `notes` as one `.tar.gz`, cut into parts of at most 16 MiB, with `SHA256SUMS`. Empties the
 * folder `to` first. Leaves out `last/`, from which a run continues, unless `resumable` is set.
 */
export async function collect(
  models: readonly string[],
  notes: readonly string[],
  to: string,
  { top, resumable, partBytes = PART_BYTES }: { top: string; resumable: boolean; partBytes?: number },
): Promise<Collected> {
  const items: { name: string; data: Uint8Array }[] = [];
  const add = async (name: string, path: string): Promise<void> =>
    void items.push({ name: `${top}/${name}`, data: await readFile(path) });
  for (const model of models) {
    const below = models.length === 1 ? "" : `${basename(model)}/`;
    for (const path of await filesOf(model)) {
      const name = relative(model, path);
      if (resumable || !name.startsWith(`last${sep}`)) await add(`${below}${name}`, path);
    }
  }
  for (const path of notes) if (await exists(path)) await add(`box/${basename(path)}`, path);
  // Weights hardly compress at any level.
  const packed = await promisify(gzip)(createTar(items, { attrs: { mode: "644", mtime: 0, uid: 0, gid: 0 } }), {
    level: 1,
  });
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  const count = Math.ceil(packed.length / partBytes);
  const files: string[] = [];
  let sums = "";
  for (let i = 0; i < count; i++) {
    const name = `${top}.tar.gz.${String(i).padStart(3, "0")}`;
    const part = packed.subarray(i * partBytes, (i + 1) * partBytes);
    await writeFile(join(to, name), part);
    sums += `${sha256(part)}  ${name}\n`;
    files.push(name);
  }
  await writeFile(join(to, "SHA256SUMS"), sums);
  return { files: [...files, "SHA256SUMS"], bytes: packed.length };
}

/**
 * If a run was stopped before its first evaluation, copies its last parameters to the place of the best ones. Returns the last step, or
 * null if there are best ones already, or no state.
 */
export async function lastAsBest(model: string): Promise<number | null> {
  const best = join(model, "model.safetensors");
  const state = join(model, "last", "state.json");
  if ((await exists(best)) || !(await exists(state))) return null;
  const { step } = (await readJson(state)) as RunState;
  const last = join(model, "last", `step-${step}`);
  const average = join(last, "average.safetensors");
  await cp((await exists(average)) ? average : join(last, "model.safetensors"), best);
  return step;
}

/** Sorted, so that the same files give the same archive. */
async function filesOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).sort();
  const paths = names.map((name) => join(folder, name));
  const isFile = await Promise.all(paths.map(async (path) => (await stat(path)).isFile()));
  return paths.filter((_, i) => isFile[i]);
}
