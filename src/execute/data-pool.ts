/**
 * The pool for problems with data files. Its guards see one folder, read-only, with a copy of the files of each problem. Nothing else that lies
 * beside a problem is visible there.
 */
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodescoreError, messageOf } from "../errors.ts";
import type { DataFiles } from "../types.ts";
import { copyFiles } from "./notebook/files.ts";
import type { Pool } from "./pool.ts";

/** Characters of a hash that name the folder of a problem's files. */
const NAME = 16;

export interface Staged {
  readonly pool: Pool;
  /** The folder with the copy, inside the folder that the guards see. */
  readonly name: string;
}

export class DataPool {
  readonly #make: (folder: string) => Pool;
  #opened: Promise<{ readonly folder: string; readonly pool: Pool }> | null = null;
  readonly #copies = new Map<string, Promise<void>>();

  /** `make` makes a pool whose guards see a folder. It is called for the first problem with data files. */
  constructor(make: (folder: string) => Pool) {
    this.#make = make;
  }

  /** The pool in which the programs of a problem with these files run. Throws `CodescoreError("input")` if a file cannot be read. */
  async for(files: DataFiles): Promise<Staged> {
    this.#opened ??= this.#open();
    const { folder, pool } = await this.#opened;
    const name = files.sha256.slice(0, NAME);
    const copied = this.#copies.get(name) ?? mkdir(join(folder, name)).then(() => copyFiles(files, join(folder, name)));
    this.#copies.set(name, copied);
    await copied;
    return { pool, name };
  }

  async #open(): Promise<{ readonly folder: string; readonly pool: Pool }> {
    const folder = await mkdtemp(join(tmpdir(), "codescore-files-"));
    const pool = this.#make(folder);
    try {
      await chmod(folder, 0o755); // the sandbox may run as another user, who must read it
      await pool.start();
      return { folder, pool };
    } catch (error) {
      await pool.close();
      await rm(folder, { recursive: true, force: true });
      const why = `cannot show data files in ${tmpdir()} to programs: ${messageOf(error)}`;
      throw new CodescoreError("environment", why, { cause: error });
    }
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => null);
    if (!opened) return;
    await opened.pool.close();
    await Promise.allSettled(this.#copies.values());
    await rm(opened.folder, { recursive: true, force: true });
  }
}
