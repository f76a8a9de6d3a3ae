/** Finds data files: everything in a folder except notebooks, hidden files and environments. */
import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { CodescoreError, messageOf } from "../../errors.ts";
import type { DataFiles } from "../../types.ts";
import { hashOfFiles } from "../../util/files.ts";

const SKIPPED = new Set(["__pycache__", "venv", "env", "node_modules"]);
const MOST_FILES = 10_000;
const MOST_BYTES = 2 ** 30;

/**
 * Lists and hashes the data files. Null if there are none. Throws `CodescoreError("input")` if the folder cannot be read or holds too much.
 * @param without paths to leave out, such as the file with the answers
 */
export async function dataFiles(folder: string, without: readonly string[]): Promise<DataFiles | null> {
  const left = new Set(without.map((path) => resolve(path)));
  const paths: string[] = [];
  let bytes = 0;
  const look = async (inside: string): Promise<void> => {
    const entries = await readdir(inside, { withFileTypes: true }).catch((error: unknown) => {
      throw new CodescoreError("input", `cannot read the data files in ${inside}: ${messageOf(error)}`, {
        cause: error,
      });
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(inside, entry.name);
      if (entry.name.startsWith(".") || SKIPPED.has(entry.name) || left.has(resolve(path))) continue;
      if (entry.isDirectory()) await look(path);
      else if (entry.isFile() && !entry.name.endsWith(".ipynb")) {
        paths.push(relative(folder, path).split(sep).join("/"));
        bytes += (await stat(path)).size;
      }
      if (paths.length > MOST_FILES || bytes > MOST_BYTES) {
        throw new CodescoreError(
          "input",
          `${folder}: expected at most ${MOST_FILES} data files of together 1 GiB, got more; ` +
            "put them into a folder of their own, and name it: --files for notebooks, `files` in codescore's format",
        );
      }
    }
  };
  await look(folder);
  if (paths.length === 0) return null;
  return { folder: resolve(folder), paths, sha256: await hashOfFiles(folder, paths) };
}

/** A notebook's name: the name of its file without the ending. */
export const nameOf = (path: string): string => basename(path).replace(/\.(?:ipynb|json)$/, "");
