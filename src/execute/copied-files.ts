/** Copies data files to where a sandbox may read them. Nothing else that lies beside them is visible there. */
import { chmod, constants, copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CodescoreError, messageOf } from "../errors.ts";
import type { DataFiles } from "../types.ts";
import { hashOfFiles } from "../util/files.ts";
import { type TemporaryFolder, temporaryFolder } from "../util/temporary.ts";

/** Characters of a hash that name the folder of a copy. */
const NAME = 16;

export class CopiedFiles {
  #folder: Promise<TemporaryFolder> | null = null;
  readonly #copies = new Map<string, Promise<string>>();

  /** The folder with all copies. */
  async folder(): Promise<string> {
    this.#folder ??= open();
    return (await this.#folder).path;
  }

  /**
   * The name of the folder with a copy of these files, in the folder of all copies. The copy is made once. Throws `CodescoreError("input")` if a
   * file cannot be read, or has changed.
   */
  nameOf(files: DataFiles): Promise<string> {
    const name = files.sha256.slice(0, NAME);
    const known = this.#copies.get(name) ?? this.#copy(files, name);
    this.#copies.set(name, known);
    return known;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#copies.values());
    this.#copies.clear();
    const folder = await this.#folder?.catch(() => null);
    await folder?.remove();
  }

  async #copy(files: DataFiles, name: string): Promise<string> {
    const copy = join(await this.folder(), name);
    await mkdir(copy);
    await copyFiles(files, copy);
    return name;
  }
}

async function open(): Promise<TemporaryFolder> {
  const folder = await temporaryFolder("codescore-files-");
  await chmod(folder.path, 0o755); // the sandbox may run as another user, who must read it
  return folder;
}

/** Copies data files into an empty folder. If that fails, removes the folder and throws `CodescoreError("input")`. */
async function copyFiles({ folder, paths, sha256 }: DataFiles, copy: string): Promise<void> {
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
