/**
 * Trees beside a model's network, `trees.json` in its folder: what `codescore boost` learned of what programs are made of, a
 * forest each for PassRatio and Executability, with a reference and without.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError, messageOf } from "../errors.ts";
import { loadForms } from "../tokenize/index.ts";
import { exists, readJson, sha256 } from "../util/files.ts";
import { remember } from "../util/remember.ts";
import { type Counts, countsOf } from "./counts.ts";
import { type Forest, isForest, predict } from "./forest.ts";

export const TREES_FILE = "trees.json";

/** Forests over the same features. */
export interface Forests {
  readonly score: Forest;
  readonly exec: Forest;
}

export interface TreesFile {
  readonly version: 1;
  /** Names of the elements that are counted. */
  readonly elements: readonly string[];
  /** Features: how often the candidate has each element; then, how much more often than the reference. */
  readonly compared: Forests;
  /** Features: how often the candidate has each element. */
  readonly alone: Forests;
}

/** Predicted PassRatio and chance of Executability, both in (0, 1). */
export interface Judged {
  readonly score: number;
  readonly exec: number;
}

export interface Trees {
  /** First 8 hexadecimal digits of the file's SHA-256: its name in signatures. */
  readonly name: string;
  /** null where one of the programs cannot be read as terms: it does not parse, or needs what they have no words for. */
  judge(candidate: string, reference: string | null): Judged | null;
}

/** How often a program has each of the elements, in their order. */
export function vectorOf(counts: Counts, elements: readonly string[]): Float64Array {
  return Float64Array.from(elements, (element) => counts.get(element) ?? 0);
}

/** What a program is made of, by its text. Throws `CodescoreError("environment")` where the grammar cannot be loaded. */
export async function loadCounts(): Promise<(source: string) => Counts | null> {
  const forms = await loadForms();
  return (source) => countsOf(forms(source).plain.terms);
}

/** Characters of programs whose vectors are kept. */
const REMEMBERED = 2 ** 17;

/** Throws `CodescoreError("model")` where the folder has none or a damaged one, and as `loadCounts`. */
export async function readTrees(folder: string): Promise<Trees> {
  const path = join(folder, TREES_FILE);
  const remedy = `make it anew: codescore boost --model ${folder} --data TRAIN.arrow`;
  if (!(await exists(path))) {
    throw new CodescoreError("model", `${folder} has no ${TREES_FILE}, which its config.json asks for; ${remedy}`);
  }
  const file = await readJson(path).catch((error: unknown) => {
    throw new CodescoreError("model", `${messageOf(error)}; ${remedy}`, { cause: error });
  });
  if (!isTreesFile(file)) throw new CodescoreError("model", `${path} holds no trees of this version; ${remedy}`);
  return makeTrees(file, sha256(await readFile(path)).slice(0, 8), await loadCounts());
}

export function makeTrees(file: TreesFile, name: string, counts: (source: string) => Counts | null): Trees {
  const { elements, compared, alone } = file;
  const read = remember((source) => {
    const found = counts(source);
    return { vector: found && vectorOf(found, elements) };
  }, REMEMBERED);
  const judge = (candidate: string, reference: string | null): Judged | null => {
    const ours = read(candidate).vector;
    if (ours === null) return null;
    const of = (index: number): number => ours[index]!;
    if (reference === null) return { score: predict(alone.score, of), exec: predict(alone.exec, of) };
    const theirs = read(reference).vector;
    if (theirs === null) return null;
    const difference = (index: number): number => {
      const element = index - elements.length;
      return element < 0 ? ours[index]! : ours[element]! - theirs[element]!;
    };
    return { score: predict(compared.score, difference), exec: predict(compared.exec, difference) };
  };
  return { name, judge };
}

function isTreesFile(value: unknown): value is TreesFile {
  const { version, elements, compared, alone } = (value ?? {}) as Partial<TreesFile>;
  if (version !== 1 || !Array.isArray(elements)) return false;
  const areForests = (forests: Partial<Forests> | undefined, features: number): boolean =>
    isForest(forests?.score, features) && isForest(forests?.exec, features);
  return areForests(compared, 2 * elements.length) && areForests(alone, elements.length);
}
