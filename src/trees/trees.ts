/**
 * Trees that complement a model's network, stored as `trees.safetensors` in its folder. `codescore boost` trains them on counts of program
 * elements: one forest each for PassRatio and Executability, with a reference and without.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError, messageOf } from "../errors.ts";
import { loadForms } from "../languages/python/index.ts";
import type { Tensors } from "../model/parameters.ts";
import { parseSafetensors, writeSafetensors } from "../model/safetensors.ts";
import { checkModelFile, exists, LARGEST, sha256 } from "../util/files.ts";
import { remember } from "../util/remember.ts";
import { type Counts, countsOf } from "./counts.ts";
import { type Forest, forestOf, type Nodes, predictor } from "./forest.ts";

export const TREES_FILE = "trees.safetensors";

/** Forests over the same features. */
export interface Forests {
  readonly score: Forest;
  readonly exec: Forest;
}

/** Content of the file: for each forest three tensors, [nodes], named like its fields, and the element names in the metadata. */
export interface Grown {
  /** Names of the counted elements. */
  readonly elements: readonly string[];
  /** Features: the candidate's count of each element, then its difference to the reference's count. */
  readonly compared: Forests;
  /** Features: the candidate's count of each element. */
  readonly alone: Forests;
}

/** Predicted PassRatio and probability of Executability, both in (0, 1). */
export interface Judged {
  readonly score: number;
  readonly exec: number;
}

export interface Trees {
  /** First 8 hexadecimal digits of the file's SHA-256: its name in signatures. */
  readonly name: string;
  /** Null if one of the programs has no terms: it does not parse, or uses constructs that terms cannot express. */
  judge(candidate: string, reference: string | null): Judged | null;
}

/** A program's count of each element, in the order of the elements. */
export function vectorOf(counts: Counts, elements: readonly string[]): Float64Array {
  const vector = new Float64Array(elements.length);
  for (let i = 0; i < vector.length; i++) vector[i] = counts.get(elements[i]!) ?? 0;
  return vector;
}

/**
 * Returns a function that counts the elements of a program, given its text. Throws `CodescoreError("environment")` if the grammar cannot be
 * loaded.
 */
export async function loadCounts(): Promise<(source: string) => Counts | null> {
  const forms = await loadForms();
  return (source) => countsOf(forms(source).plain.terms);
}

/** Total characters of references, and of candidates, whose vectors are cached. References repeat for every candidate of a problem. */
const [REFERENCES, CANDIDATES] = [2 ** 16, 2 ** 16];

/** Throws `CodescoreError("model")` if the folder's file is missing or damaged, and the errors of `loadCounts`. */
export async function readTrees(folder: string): Promise<Trees> {
  const path = join(folder, TREES_FILE);
  const remedy = `create it again: codescore boost --model ${folder} --data TRAIN.arrow`;
  if (!(await exists(path))) {
    throw new CodescoreError("model", `${folder} has no ${TREES_FILE}, which its config.json requires; ${remedy}`);
  }
  await checkModelFile(path, LARGEST.weights);
  const bytes = await readFile(path);
  try {
    return makeTrees(parseGrown(bytes), sha256(bytes).slice(0, 8), await loadCounts());
  } catch (error) {
    if (error instanceof CodescoreError) throw error;
    throw new CodescoreError("model", `${path} contains no trees of this version: ${messageOf(error)}; ${remedy}`, {
      cause: error,
    });
  }
}

export function makeTrees(file: Grown, name: string, counts: (source: string) => Counts | null): Trees {
  const { elements, compared, alone } = file;
  const read = (source: string): { readonly vector: Float64Array | null } => {
    const found = counts(source);
    return { vector: found && vectorOf(found, elements) };
  };
  const [besideReference, byItself] = [judgeOf(compared), judgeOf(alone)];
  const [readCandidate, readReference] = [remember(read, CANDIDATES), remember(read, REFERENCES)];
  const judge = (candidate: string, reference: string | null): Judged | null => {
    const ours = readCandidate(candidate).vector;
    if (ours === null) return null;
    if (reference === null) return byItself(ours);
    const theirs = readReference(reference).vector;
    return theirs && besideReference(compare(ours, theirs));
  };
  return { name, judge };
}

function judgeOf({ score, exec }: Forests): (features: Float64Array) => Judged {
  const [predictScore, predictExec] = [predictor(score), predictor(exec)];
  return (features) => ({ score: predictScore(features), exec: predictExec(features) });
}

/** Features of a candidate compared with a reference, from the vectors of both. */
export function compare(ours: Float64Array, theirs: Float64Array): Float64Array {
  const size = ours.length;
  const features = new Float64Array(2 * size);
  features.set(ours);
  for (let i = 0; i < size; i++) features[size + i] = ours[i]! - theirs[i]!;
  return features;
}

const FIELDS = ["feature", "value", "right"] as const satisfies readonly (keyof Nodes)[];

/** Writes the whole file or nothing. */
export async function writeTrees(path: string, { elements, compared, alone }: Grown): Promise<void> {
  const tensors: Tensors = new Map();
  for (const [kind, forests] of Object.entries({ compared, alone })) {
    for (const [name, forest] of Object.entries<Forest>({ ...forests })) {
      for (const field of FIELDS) {
        const data = Float32Array.from(forest[field]);
        tensors.set(`${kind}.${name}.${field}`, { shape: [data.length], data });
      }
    }
  }
  await writeSafetensors(path, tensors, { elements: JSON.stringify(elements) });
}

function parseGrown(bytes: Buffer): Grown {
  const { tensors, metadata } = parseSafetensors(bytes);
  const elements: unknown = JSON.parse(metadata.elements ?? "null");
  if (!Array.isArray(elements) || !elements.every((one) => typeof one === "string")) {
    throw new Error("expected a list of texts `elements` in its metadata");
  }
  const forest = (name: string, features: number): Forest => {
    const [feature, value, right] = FIELDS.map((field) => tensors.get(`${name}.${field}`)?.data ?? []);
    const found = forestOf({ feature: feature!, value: value!, right: right! }, features);
    if (found === null) throw new Error(`expected \`${name}\` to be a forest over ${features} features`);
    return found;
  };
  const forests = (kind: string, features: number): Forests => ({
    score: forest(`${kind}.score`, features),
    exec: forest(`${kind}.exec`, features),
  });
  return { elements, compared: forests("compared", 2 * elements.length), alone: forests("alone", elements.length) };
}
