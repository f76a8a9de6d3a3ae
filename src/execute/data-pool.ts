/**
 * The pool for problems with data files. Its guards see one folder, read-only, with a copy of the files of each problem. Nothing else that lies
 * beside a problem is visible there.
 */
import { tmpdir } from "node:os";
import { CodescoreError, messageOf } from "../errors.ts";
import type { DataFiles } from "../types.ts";
import { CopiedFiles } from "./copied-files.ts";
import type { Pool } from "./pool.ts";

export interface Staged {
  readonly pool: Pool;
  /** The folder with the copy, inside the folder that the guards see. */
  readonly name: string;
}

export class DataPool {
  readonly #make: (folder: string) => Pool;
  readonly #copies = new CopiedFiles();
  #pool: Promise<Pool> | null = null;

  /** `make` makes a pool whose guards see a folder. It is called for the first problem with data files. */
  constructor(make: (folder: string) => Pool) {
    this.#make = make;
  }

  /** The pool in which the programs of a problem with these files run. Throws `CodescoreError` if there is none, or a file cannot be read. */
  async for(files: DataFiles): Promise<Staged> {
    this.#pool ??= this.#open();
    const pool = await this.#pool;
    return { pool, name: await this.#copies.nameOf(files) };
  }

  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => null);
    await pool?.close();
    await this.#copies.close();
  }

  async #open(): Promise<Pool> {
    const pool = this.#make(await this.#copies.folder());
    try {
      await pool.start();
      return pool;
    } catch (error) {
      await pool.close();
      const why = `cannot show data files in ${tmpdir()} to programs: ${messageOf(error)}`;
      throw new CodescoreError("environment", why, { cause: error });
    }
  }
}
