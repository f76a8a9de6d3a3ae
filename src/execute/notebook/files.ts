/** Copies data files of notebooks to where a sandbox may read them. Nothing else that lies beside a notebook is visible there. */
import { chmod, constants, copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CodescoreError, messageOf } from "../../errors.ts";
import type { DataFiles } from "../../types.ts";
import { hashOfFiles } from "../../util/files.ts";

export class StagedFiles {
  readonly #staged = new Map<string, Promise<string>>();

  /** The folder with a copy of these files, which is made once. Throws `CodescoreError("input")` if a file cannot be read. */
  folderOf(files: DataFiles): Promise<string> {
    const known = this.#staged.get(files.sha256) ?? stage(files);
    this.#staged.set(files.sha256, known);
    return known;
  }

  async close(): Promise<void> {
    const folders = await Promise.allSettled(this.#staged.values());
    this.#staged.clear();
    for (const folder of folders) {
      if (folder.status === "fulfilled") await rm(folder.value, { recursive: true, force: true });
    }
  }
}

async function stage(files: DataFiles): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "codescore-files-"));
  await copyFiles(files, copy);
  return copy;
}

/** Copies data files into an empty folder. If that fails, removes the folder and throws `CodescoreError("input")`. */
export async function copyFiles({ folder, paths, sha256 }: DataFiles, copy: string): Promise<void> {
  try {
    for (const path of paths) {
      const target = join(copy, path);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(join(folder, path), target, constants.COPYFILE_FICLONE);
    }
    // The sandbox may run as another user, who must read all of it, whatever the umask.
    await chmod(copy, 0o755);
    for (const entry of await readdir(copy, { recursive: true, withFileTypes: true }))
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o444);
    if ((await hashOfFiles(copy, paths)) !== sha256) throw new Error("they have changed since they were read");
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    throw new CodescoreError("input", `cannot copy the data files in ${folder}: ${messageOf(error)}`, { cause: error });
  }
}
