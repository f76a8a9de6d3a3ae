/**
 * Finds problems that are near copies of others that must not be trained on (HumanEval): by their references, as equal
 * normalised syntax trees and as shared runs of normalised tokens, and by their descriptions, as shared runs of words.
 * Only what the files of the other set hold is compared: tasks that are not in them are found by a list alone.
 */
import { type NormalFunction, normalForms } from "../mutate/index.ts";
import type { Problem } from "../types.ts";
import { readJsonLines, stringField } from "../util/jsonl.ts";

/** How two problems are alike. */
export type Likeness = "same-tree" | "tokens" | "words" | "listed";

export interface Contamination {
  readonly taskId: string;
  readonly why: Likeness;
  /** The nearest problem of the other set; null for one that a list names. */
  readonly nearest: string | null;
  /** Share of common runs, in [0, 1]; 1 for equal trees. For `listed`, the list's own word. */
  readonly score: number | string;
}

/**
 * Runs of 8 tokens (variables all alike) of the smaller function, found in the other: half of them or more is a copy with
 * changes. Functions of fewer than 20 tokens are alike by chance and count only when they are equal.
 */
export const tokenRun = 8;
export const tokenShare = 0.6;
const fewestTokens = 20;
/** Runs of 5 words of the shorter description, found in the other. */
export const wordRun = 5;
export const wordShare = 0.5;
const fewestRuns = 6;
/** Equal trees of fewer tokens (`def f(x): return x`) say nothing. */
const fewestEqual = 12;

interface Shape {
  readonly id: string;
  readonly trees: readonly string[];
  readonly tokens: readonly ReadonlySet<string>[];
  readonly words: ReadonlySet<string>;
}

/** Compares problems with all of another set; for each that is too much alike the strongest likeness. */
class Decontaminator {
  readonly #shape: (problem: Problem) => Shape;
  readonly #others: readonly Shape[];
  readonly #trees: ReadonlyMap<string, string>;

  private constructor(shape: (problem: Problem) => Shape, others: readonly Shape[]) {
    this.#shape = shape;
    this.#others = others;
    this.#trees = new Map(others.flatMap(({ id, trees }) => trees.map((tree) => [tree, id] as const)));
  }

  static async against(others: Iterable<Problem>): Promise<Decontaminator> {
    const forms = await normalForms();
    const shape = (problem: Problem): Shape => shapeOf(problem, forms);
    return new Decontaminator(shape, [...others].map(shape));
  }

  check(problem: Problem): Contamination | null {
    const own = this.#shape(problem);
    const taskId = problem.id;
    for (const tree of own.trees) {
      const nearest = this.#trees.get(tree);
      if (nearest !== undefined) return { taskId, why: "same-tree", nearest, score: 1 };
    }
    let found: Contamination | null = null;
    for (const other of this.#others) {
      const words = shared(own.words, other.words);
      const tokens = Math.max(0, ...own.tokens.flatMap((a) => other.tokens.map((b) => shared(a, b))));
      const most = Math.max(tokens / tokenShare, words / wordShare);
      if (most < 1 || (found !== null && most <= (found.score as number))) continue;
      const why = tokens / tokenShare >= words / wordShare ? "tokens" : "words";
      found = { taskId, why, nearest: other.id, score: why === "tokens" ? tokens : words };
    }
    return found;
  }
}

/** Only the function that the tests call is compared: helpers (`gcd`, `is_prime`) are everywhere. */
function shapeOf(
  { id, entryPoint, references, description }: Problem,
  forms: (code: string) => NormalFunction[],
): Shape {
  const entry = entryPoint?.replace(/^.*\./, "") ?? null;
  const functions = references
    .flatMap((code) => {
      const all = forms(code);
      const called = all.filter(({ name }) => name === entry);
      return called.length > 0 ? called : all;
    })
    .map(({ tokens }) => tokens);
  return {
    id,
    trees: functions.filter(({ length }) => length >= fewestEqual).map((tokens) => tokens.join(" ")),
    tokens: functions
      .filter(({ length }) => length >= fewestTokens)
      .map((tokens) =>
        runs(
          tokens.map((token) => (token.startsWith("$") ? "$" : token)),
          tokenRun,
        ),
      ),
    words: runs(wordsOf(description), wordRun),
  };
}

/** Words of a description without the calls of its examples (`>>> f(1)`). */
const wordsOf = (text: string): string[] =>
  text
    .replace(/^[ \t]*>>>[^\n]*/gm, " ")
    .toLowerCase()
    .match(/[\p{L}\p{N}_]+/gu) ?? [];

function runs(items: readonly string[], length: number): Set<string> {
  const out = new Set<string>();
  for (let i = 0; i + length <= items.length; i++) out.add(items.slice(i, i + length).join(" "));
  return out;
}

/** Share of the smaller set's runs that the other has too; 0 where one is too small to tell. */
function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size < fewestRuns) return 0;
  let common = 0;
  for (const run of small) if (large.has(run)) common += 1;
  return common / small.size;
}

/** Task id to the word that a list of near-duplicates has for it (`{task_id, level}` rows: `high`, `maybe`). */
export async function readNearDuplicates(paths: readonly string[]): Promise<Map<string, string>> {
  const near = new Map<string, string>();
  for (const path of paths) {
    for await (const line of readJsonLines(path)) near.set(stringField(line, "task_id"), stringField(line, "level"));
  }
  return near;
}

export interface DecontaminateOptions {
  /** What must not be trained on. */
  readonly against: Iterable<Problem>;
  /** Task ids and levels, as `readNearDuplicates` reads them. @default none */
  readonly listed?: ReadonlyMap<string, string>;
  /** Keep problems that a list calls `maybe`, unless they are found here too. @default false */
  readonly keepMaybe?: boolean;
}

export interface Decontaminated {
  readonly clean: readonly Problem[];
  /** What was taken out, in the old order. */
  readonly removed: readonly Contamination[];
}

/** Divides problems into those that may be trained on and those that resemble one that may not. `MBPPT/N` goes with `MBPP/N`. */
export async function decontaminate(
  problems: Iterable<Problem>,
  { against, listed = new Map(), keepMaybe = false }: DecontaminateOptions,
): Promise<Decontaminated> {
  const compare = await Decontaminator.against(against);
  const all = [...problems];
  const found = new Map(all.map((problem) => [problem.id, compare.check(problem)]));
  const clean: Problem[] = [];
  const removed: Contamination[] = [];
  for (const problem of all) {
    const ids = [problem.id, ...relatives(problem.id)];
    const level = ids
      .map((id) => listed.get(id))
      .find((word) => word !== undefined && !(keepMaybe && word === "maybe"));
    const own = ids.map((id) => found.get(id) ?? null).find((contamination) => contamination !== null);
    if (own) removed.push({ ...own, taskId: problem.id });
    else if (level !== undefined) removed.push({ taskId: problem.id, why: "listed", nearest: null, score: level });
    else clean.push(problem);
  }
  return { clean, removed };
}

/** The same problem under its other name. */
const relatives = (id: string): string[] =>
  /^MBPP\//.test(id) ? [id.replace("MBPP/", "MBPPT/")] : /^MBPPT\//.test(id) ? [id.replace("MBPPT/", "MBPP/")] : [];
