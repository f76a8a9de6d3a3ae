/** The data files that rows in codescore's own format name (`files`). */
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { CodescoreError, messageOf } from "../errors.ts";
import type { DataFiles } from "../types.ts";
import { optionalString } from "../util/jsonl.ts";
import { dataFiles } from "./notebook/files.ts";
import type { Row } from "./rows.ts";

export class RowFiles {
  readonly #path: string | null;
  /** By folder: the problems of a set often share their files, which may be large. */
  readonly #known = new Map<string, Promise<DataFiles>>();

  /** `path`: the problem file. Relative folders begin where it is; without it, in the working folder. */
  constructor(path: string | null) {
    this.#path = path;
  }

  /** The data files of a row; null if it names none. Throws `CodescoreError("input")` if they cannot be read or are not those of its tests. */
  async of(row: Row): Promise<DataFiles | null> {
    const named = optionalString(row, "files");
    if (named === null) return null;
    const folder = resolve(this.#path === null ? "." : dirname(this.#path), named);
    const reading = this.#known.get(folder) ?? this.#read(folder);
    this.#known.set(folder, reading);
    const files = await reading.catch((error: unknown) => {
      throw new CodescoreError("input", `${row.where}, \`files\`: ${messageOf(error)}`, { cause: error });
    });
    const written = optionalString(row, "files_sha256");
    if (written === null || written === files.sha256) return files;
    const what = `the data files in ${folder} have changed since this row was written (\`files_sha256\`)`;
    throw new CodescoreError(
      "input",
      `${row.where}: ${what}; its tests may have answers from the old files, so make it again`,
    );
  }

  async #read(folder: string): Promise<DataFiles> {
    const problems = this.#path;
    if (problems !== null && (await isWithin(folder, problems))) {
      const why = "programs would see the tests; put the data files into a folder of their own";
      throw new CodescoreError("input", `${folder} also holds the problem file ${problems}: ${why}`);
    }
    const files = await dataFiles(folder, []);
    if (files === null) throw new CodescoreError("input", `expected data files in ${folder}, got none`);
    return files;
  }
}

/** Whether the file is in the folder or below it, with links resolved. False if there is none: a pipe has no path. */
async function isWithin(folder: string, file: string): Promise<boolean> {
  const [above, inner] = await Promise.all([folder, file].map((path) => realpath(path).catch(() => null)));
  if (!above || !inner) return false;
  const place = relative(above, inner);
  return !isAbsolute(place) && place.split(sep)[0] !== "..";
}
