/** Reads the Python files below folders, as text to pretrain on. */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError } from "../../errors.ts";
import { stripPython } from "../../languages/python/index.ts";
import { sha256 } from "../../util/files.ts";

export interface SourceFile {
  readonly path: string;
  /** The source as found, with normalised line ends. */
  readonly source: string;
  /** The source without comments and docstrings, as the scorer sees a program. */
  readonly code: string;
}

export type SkipReason = "unreadable" | "huge" | "notUtf8" | "generated" | "empty" | "duplicate";

export interface SourceFiles {
  readonly files: readonly SourceFile[];
  /** Number of files left out, by reason. */
  readonly skipped: Readonly<Record<SkipReason, number>>;
}

/** Limits of Chen et al. 2021 (Codex), section 3.1: bytes per file, and maximum and average characters per line. */
const HUGE_BYTES = 1_000_000;
const LONGEST_LINE = 1000;
const AVERAGE_LINE = 100;
const GENERATED = /^#.*(?:@generated|auto-?generated|automatically generated|do not edit)/im;

/**
 * Reads every `*.py` below the folders. The order is that of the folders, then of the names, so that the same tree gives the same list.
 * Follows symlinks, but visits no folder twice. Throws `CodescoreError("input")` for a path that is not a folder, and if no file is left.
 */
export async function readSourceFiles(folders: readonly string[]): Promise<SourceFiles> {
  const skipped = { unreadable: 0, huge: 0, notUtf8: 0, generated: 0, empty: 0, duplicate: 0 };
  const files: SourceFile[] = [];
  const seen = new Set<string>();
  const visited = new Set<string>();
  for (const folder of folders) {
    if (!(await stat(folder).catch(() => null))?.isDirectory()) {
      throw new CodescoreError("input", `expected a folder of Python source, got ${folder}`);
    }
    for await (const path of pythonFiles(folder, visited)) {
      const file = await readSource(path);
      if (typeof file === "string") {
        skipped[file] += 1;
        continue;
      }
      const hash = sha256(file.code.trim());
      if (seen.has(hash)) skipped.duplicate += 1;
      else files.push(file);
      seen.add(hash);
    }
  }
  if (files.length === 0) {
    const reasons = Object.entries(skipped).flatMap(([reason, count]) => (count > 0 ? [`${count} ${reason}`] : []));
    const found = reasons.length === 0 ? "no file of that name" : `only ${reasons.join(", ")}`;
    throw new CodescoreError("input", `expected *.py files to train on in ${folders.join(", ")}, got ${found}`);
  }
  return { files, skipped };
}

async function* pythonFiles(folder: string, visited: Set<string>): AsyncGenerator<string> {
  const real = await realpath(folder);
  if (visited.has(real)) return;
  visited.add(real);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const kind = entry.isSymbolicLink() ? await stat(path).catch(() => null) : entry;
    if (kind?.isDirectory()) yield* pythonFiles(path, visited);
    else if (kind?.isFile() && entry.name.endsWith(".py")) yield path;
  }
}

async function readSource(path: string): Promise<SourceFile | SkipReason> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return "unreadable";
  if (bytes.length > HUGE_BYTES) return "huge";
  let source: string;
  try {
    source = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r\n?/g, "\n");
  } catch {
    return "notUtf8";
  }
  const lines = source.split("\n");
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  if (longest > LONGEST_LINE || source.length / lines.length > AVERAGE_LINE) return "generated";
  if (GENERATED.test(lines.slice(0, 20).join("\n"))) return "generated";
  const code = stripPython(source);
  return code === "" ? "empty" : { path, source, code };
}
