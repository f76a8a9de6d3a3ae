/**
 * Records the finished steps of a build, so that a killed build can resume. `steps.json` holds for each step a hash of its inputs
 * and what it reported. A step runs again if the hash has changed.
 */
import { readFile } from "node:fs/promises";
import { exists, packageVersion, sha256, writeAtomic } from "../../util/files.ts";

type Done = Record<string, { readonly key: string; readonly report: unknown }>;

export class Steps {
  readonly #path: string;
  readonly #done: Done;
  #key: string;

  private constructor(path: string, done: Done, key: string) {
    this.#path = path;
    this.#done = done;
    this.#key = key;
  }

  /** @param from everything that the first step depends on */
  static async open(path: string, from: unknown): Promise<Steps> {
    const done = (await exists(path)) ? (JSON.parse(await readFile(path, "utf8")) as Done) : {};
    return new Steps(path, done, sha256(JSON.stringify([await packageVersion(), from])));
  }

  /**
   * Runs a step unless it is done. A step depends on all earlier steps and on `settings`. It is done if its hash is unchanged,
   * its file exists, and its report was not marked `again`.
   */
  async run<T>(
    name: string,
    { file, settings = null }: { readonly file: string; readonly settings?: unknown },
    work: () => Promise<T & { readonly again?: boolean }>,
  ): Promise<T> {
    this.#key = sha256(JSON.stringify([this.#key, name, settings]));
    const known = this.#done[name];
    if (known?.key === this.#key && (await exists(file))) return known.report as T;
    const report = await work();
    if (report.again === true) return report;
    this.#done[name] = { key: this.#key, report };
    await writeAtomic(this.#path, `${JSON.stringify(this.#done, null, 2)}\n`);
    return report;
  }
}
