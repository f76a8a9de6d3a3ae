/** Reads notebooks: .ipynb files, and splits as JSON (ARCADE). A turn is a code cell that models or samples write again. */
import { open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import type { DataFiles } from "../../types.ts";
import { dataFiles } from "./files.ts";
import { readIpynb } from "./ipynb.ts";
import { readSplit, type SplitFields } from "./split.ts";
import type { NotebookProblem } from "./turns.ts";

export { type SplitFields, splitFields } from "./split.ts";
export type { NotebookProblem } from "./turns.ts";

export interface NotebookOptions {
  /** The folder with the data files. @default the folder of the notebook or split */
  readonly files?: string;
  /** Names of the fields of a split. @default `splitFields` */
  readonly fields?: Partial<SplitFields>;
}

/**
 * The turns of notebooks, splits, and folders with notebooks, in order. Throws `CodescoreError("input")` if something
 * cannot be read or has no turns.
 */
export async function readNotebooks(
  paths: readonly string[],
  options: NotebookOptions = {},
): Promise<NotebookProblem[]> {
  const turns: NotebookProblem[] = [];
  const from = new Map<string, string>();
  for (const path of paths) {
    for (const turn of await turnsAt(path, options)) {
      const { id } = turn.problem;
      if (from.has(id)) {
        const both = `${from.get(id)} and ${path}`;
        throw new CodescoreError(
          "input",
          `expected notebooks of different names, got \`${turn.problem.notebook!.name}\` in ${both}`,
        );
      }
      from.set(id, path);
      turns.push(turn);
    }
  }
  if (turns.length === 0) {
    const expected = "expected code cells that do more than import, or cells tagged `turn`";
    throw new CodescoreError("input", `no turns in ${paths.join(", ")}: ${expected}`);
  }
  return turns;
}

async function turnsAt(path: string, { files, fields }: NotebookOptions): Promise<NotebookProblem[]> {
  if (path.endsWith(".ipynb")) return readIpynb(path, files);
  if (path.endsWith(".json")) return readSplit(path, { files, fields });
  const turns: NotebookProblem[] = [];
  for (const notebook of await notebooksIn(path)) turns.push(...(await readIpynb(notebook, files)));
  return turns;
}

/** The .ipynb files in a folder and in its direct subfolders. Throws `CodescoreError("input")` if it cannot be read. */
async function notebooksIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new CodescoreError(
      "input",
      `${folder}: expected a notebook (.ipynb), a split (.json) or a folder of notebooks`,
    );
  });
  const found = await Promise.all(
    entries
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isFile() && entry.name.endsWith(".ipynb")) return [path];
        if (!entry.isDirectory() || entry.name.startsWith(".")) return [];
        const inside = await readdir(path);
        return inside
          .filter((name) => name.endsWith(".ipynb"))
          .sort()
          .map((name) => join(path, name));
      }),
  );
  return found.flat();
}

const ROWS = /\.(?:jsonl(?:\.gz)?|parquet)$/;

/** Whether a path is a notebook, a split or a folder of notebooks. For `SOURCES` (sources.ts). */
export async function isNotebook(path: string, kind: "file" | "folder"): Promise<boolean> {
  if (kind === "folder") {
    const names = await readdir(path);
    return !names.some((name) => ROWS.test(name)) && (await notebooksIn(path)).length > 0;
  }
  if (path.endsWith(".ipynb")) return true;
  return path.endsWith(".json") && !path.endsWith("eval_results.json") && /"turns"/.test(await startOf(path));
}

const LOOKED_AT = 2 ** 20; // bytes at the start of a file

async function startOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The notebooks of a path and the data files that are read for them, for manifests. */
export async function notebookFiles(path: string, options: NotebookOptions = {}): Promise<string[]> {
  if (path.endsWith(".json")) {
    const turns = await turnsAt(path, options); // each episode of a split may have a folder of its own
    return [...new Set([path, ...turns.flatMap(({ problem }) => pathsOf(problem.notebook!.files))])];
  }
  const notebooks = path.endsWith(".ipynb") ? [path] : await notebooksIn(path);
  const all = await Promise.all(
    notebooks.map(async (notebook) => [
      notebook,
      ...pathsOf(await dataFiles(options.files ?? dirname(notebook), [notebook])),
    ]),
  );
  return all.flat();
}

const pathsOf = (data: DataFiles | null): string[] => data?.paths.map((file) => join(data.folder, file)) ?? [];
