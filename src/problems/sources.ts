/**
 * What a path on the command line can be: files of rows, or one of the other entries of `SOURCES`. To support a new format that
 * is not rows, add an entry here. A new format of rows goes into formats.ts.
 */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import type { Problem } from "../types.ts";
import { counted, some } from "../util/counted.ts";
import { appsFiles, appsFolderProblem, isAppsFolder } from "./apps.ts";
import type { LeaveOut } from "./fields.ts";
import { isCodescore, problemOf } from "./formats.ts";
import { checkReferences, checkRowLanguage } from "./language.ts";
import { isNotebook, type NotebookOptions, notebookFiles, readNotebooks } from "./notebook/index.ts";
import { programFiles, programRows } from "./programs.ts";
import { sampleRows } from "./results.ts";
import { RowFiles } from "./row-files.ts";
import { type OnBroken, type Row, readRows } from "./rows.ts";
import { isRunFolder } from "./runs.ts";

export interface Source {
  /** Name of one such source, for errors that say what was found. */
  readonly what: string;
  /** Plural name, for errors that say what a folder should hold. */
  readonly expected: string;
  /** Whether a path is such a source. */
  readonly matches: (path: string, kind: "file" | "folder") => boolean | Promise<boolean>;
  /** The files that are read for it, in order. Manifests hash them. */
  readonly files: (path: string, notebooks?: NotebookOptions) => readonly string[] | Promise<readonly string[]>;
  /** Reads its problems; null if it holds none. */
  readonly problems: ((path: string, leaveOut: LeaveOut, notebooks?: NotebookOptions) => AsyncIterable<Problem>) | null;
  /** Reads its samples as rows with `task_id` and a program (samples.ts); null if it holds none. */
  readonly samples: ((path: string, onBroken?: OnBroken) => AsyncIterable<Row>) | null;
}

const rows: Source = {
  what: "a file of rows",
  expected: "*.jsonl[.gz] or *.parquet files",
  matches: (path, kind) =>
    kind === "file" && /\.(?:jsonl(?:\.gz)?|parquet)$/.test(path) && !/\.journal\.jsonl$/.test(path),
  files: (path) => [path],
  problems: rowProblems,
  samples: sampleRows,
};

/** The first source that a path matches is used. A file that matches none is read as rows if the user named it. */
export const SOURCES: readonly Source[] = [
  rows,
  {
    what: "an APPS problem",
    expected: "APPS folders (question.txt)",
    matches: (path, kind) => kind === "folder" && isAppsFolder(path),
    files: appsFiles,
    problems: appsFolderProblem,
    samples: null,
  },
  {
    what: "a folder of programs (TASK/0.py)",
    expected: "folders of programs (TASK/0.py)",
    matches: async (path, kind) => kind === "folder" && (await programFiles(path)).length > 0,
    files: programFiles,
    problems: null,
    samples: programRows,
  },
  {
    what: "a notebook",
    expected: "notebooks (.ipynb)",
    matches: isNotebook,
    files: notebookFiles,
    problems: notebookProblems,
    samples: null,
  },
];

async function* notebookProblems(path: string, _: LeaveOut, options?: NotebookOptions): AsyncGenerator<Problem> {
  for (const { problem } of await readNotebooks([path], options)) yield problem;
}

async function* rowProblems(path: string, leaveOut: LeaveOut): AsyncGenerator<Problem> {
  const files = new RowFiles(path);
  for await (const row of readRows(path)) yield await problemOfRow(row, leaveOut, files);
}

/**
 * The problem of one row. Throws `CodescoreError("input")` if the row is invalid or in another language, or if its data files cannot be read.
 */
export async function problemOfRow(row: Row, leaveOut: LeaveOut, read = new RowFiles(null)): Promise<Problem> {
  await checkRowLanguage(row);
  const problem = problemOf(row, leaveOut);
  await checkReferences(problem, row.where);
  const files = isCodescore(row) ? await read.of(row) : null;
  return files === null ? problem : { ...problem, files };
}

export interface Place {
  readonly path: string;
  readonly source: Source;
}

/**
 * The sources that a path stands for. A file stands for itself. A folder stands for itself if it matches a source, otherwise for
 * the matching entries in it and in its run folders, sorted by name, otherwise for its subfolder `data/`, as on the hub. Throws
 * `CodescoreError("usage")` for a missing path, "input" for a pipe and for a folder without sources.
 */
async function placesOf(path: string): Promise<Place[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new CodescoreError("usage", `cannot read ${path}: no such file or folder`);
  if (found.isFIFO() || found.isCharacterDevice()) {
    throw new CodescoreError(
      "input",
      `${path} is a pipe or a device: it is read more than once, so write it to a file`,
    );
  }
  if (!found.isDirectory()) return [{ path, source: (await sourceOf(path, "file")) ?? rows }];
  const own = await sourceOf(path, "folder");
  if (own !== null) return [{ path, source: own }];
  const entries = (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const places: Place[] = [];
  for (const entry of entries) {
    const inside = join(path, entry.name);
    const source = await sourceOf(inside, entry.isDirectory() ? "folder" : "file");
    if (source !== null) places.push({ path: inside, source });
    else if (entry.isDirectory() && isRunFolder(entry.name)) places.push(...(await placesOf(inside)));
  }
  if (places.length > 0) return places;
  if (entries.some((entry) => entry.isDirectory() && entry.name === "data")) return placesOf(join(path, "data"));
  const expected = SOURCES.map((source) => source.expected);
  throw new CodescoreError(
    "input",
    `${path}: expected ${expected.slice(0, -1).join(", ")} or ${expected.at(-1)} in this folder, got ${contentOf(path, entries)}`,
  );
}

/** What a folder without sources holds, for an error. */
function contentOf(path: string, entries: readonly Dirent[]): string {
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
  if (folders.length > 0) {
    const paths = folders.map(({ name }) => join(path, name));
    return `${counted(folders.length, "folder")}; folders in it are not read, so give one of them: ${some(paths)}`;
  }
  return entries.length === 0 ? "an empty folder" : some(entries.map(({ name }) => name));
}

async function sourceOf(path: string, kind: "file" | "folder"): Promise<Source | null> {
  for (const source of SOURCES) if (await source.matches(path, kind)) return source;
  return null;
}

/** All sources that the paths stand for, in order. */
export async function allPlaces(paths: readonly string[]): Promise<Place[]> {
  return (await Promise.all(paths.map(placesOf))).flat();
}

/** The files that are read for a path, in order. */
export async function sourceFiles(path: string, notebooks?: NotebookOptions): Promise<string[]> {
  const files = (await placesOf(path)).map(({ path, source }) => source.files(path, notebooks));
  return (await Promise.all(files)).flat();
}
