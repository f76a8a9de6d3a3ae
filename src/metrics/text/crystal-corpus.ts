/** The trivially shared n-grams of a corpus, for CrystalBLEU: its 500 most frequent n-grams, found once and then cached. */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError, messageOf } from "../../errors.ts";
import { cacheFolder } from "../../util/cache.ts";
import { exists, readJson, sha256, writeAtomic } from "../../util/files.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import type { Language } from "../types.ts";
import { tokenizeCode } from "./tokens.ts";

/** Number of ignored n-grams: the authors' k. */
export const TRIVIAL = 500;
const ORDER = 4;

/** Minimum number of occurrences of the last of them. With fewer it is uncertain that programs share them. */
const LEAST = 5;

/** No further programs are read after this many tokens. The list of 500 does not change any more, and counting takes memory. */
const MOST_TOKENS = 1_000_000;

const EXTENSIONS: Readonly<Record<Language, readonly string[]>> = {
  python: [".py"],
  javascript: [".js", ".mjs", ".cjs", ".jsx"],
  typescript: [".ts", ".mts", ".cts", ".tsx"],
  java: [".java"],
  cpp: [".cpp", ".cc", ".cxx", ".hpp", ".hh", ".h"],
  go: [".go"],
};

export interface TrivialNgrams {
  /** Tokens joined by a space. */
  readonly ngrams: ReadonlySet<string>;
  /** Hash of the list. */
  readonly hash: string;
}

/**
 * Counts the n-grams of orders 1 to 4 in the programs of a folder (its files of that language, including subfolders) or of a
 * JSON-lines file (`code`, `reference`, `canonical_solution` or `references` of each row). Each distinct program counts once.
 * Ties are ordered by first appearance, as in Python's `Counter.most_common`. The list is cached in `CODESCORE_CACHE` under the
 * hash of the programs.
 * @throws `CodescoreError("input")` for a corpus that is missing, contains no program, or is too small.
 */
export async function loadTrivialNgrams(corpus: string, language: Language): Promise<TrivialNgrams> {
  const programs = await readPrograms(corpus, language);
  const hash = createHash("sha256").update(`${TRIVIAL} code\n`);
  for (const program of programs) hash.update(`${program.length}\n${program}`);
  const path = join(cacheFolder(), "crystalbleu", `${hash.digest("hex")}.json`);
  const cached = (await exists(path)) ? ((await readJson(path)) as string[]) : null;
  const ngrams = cached ?? mostFrequent(programs, corpus);
  if (cached === null) await writeAtomic(path, `${JSON.stringify(ngrams)}\n`);
  return { ngrams: new Set(ngrams), hash: sha256(ngrams.join("\n")) };
}

function mostFrequent(programs: ReadonlySet<string>, corpus: string): string[] {
  const counts = new Map<string, number>();
  let read = 0;
  for (const program of programs) {
    const tokens = tokenizeCode(program);
    for (let n = 1; n <= ORDER; n++) {
      for (let i = 0; i + n <= tokens.length; i++) {
        const ngram = tokens.slice(i, i + n).join(" ");
        counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
      }
    }
    read += tokens.length;
    if (read >= MOST_TOKENS) break;
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a).slice(0, TRIVIAL);
  const least = sorted.length < TRIVIAL ? 0 : sorted.at(-1)![1];
  if (least >= LEAST) return sorted.map(([ngram]) => ngram);
  throw new CodescoreError(
    "input",
    `${corpus}: too small to find the n-grams that programs share: in its ${programs.size} distinct programs (${read} tokens) the n-gram of rank ${TRIVIAL} occurs ${least} times, expected at least ${LEAST}; use a few hundred programs`,
  );
}

async function readPrograms(corpus: string, language: Language): Promise<Set<string>> {
  const found = await stat(corpus).catch((error: unknown) => {
    throw new CodescoreError("input", `cannot read the corpus ${corpus}: ${messageOf(error)}`, { cause: error });
  });
  const programs = found.isDirectory() ? await readSources(corpus, language) : await readRows(corpus);
  if (programs.size > 0) return programs;
  const wanted = found.isDirectory()
    ? `files ending in ${EXTENSIONS[language].join(", ")} (--language)`
    : "rows with `code`, `reference`, `canonical_solution` or `references`";
  throw new CodescoreError("input", `${corpus}: expected ${wanted}, found none`);
}

async function readSources(folder: string, language: Language): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && EXTENSIONS[language].some((extension) => entry.name.endsWith(extension)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const programs = new Set<string>();
  for (const path of paths) programs.add(await readFile(path, "utf8"));
  return programs;
}

async function readRows(path: string): Promise<Set<string>> {
  const programs = new Set<string>();
  for await (const { value } of readJsonLines(path)) {
    const { code, reference, canonical_solution, references } = value;
    const first = code ?? reference ?? canonical_solution;
    for (const text of typeof first === "string" ? [first] : Array.isArray(references) ? references : []) {
      if (typeof text === "string") programs.add(text);
    }
  }
  return programs;
}
