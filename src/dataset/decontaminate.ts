/**
 * Finds problems that are near copies of problems that must not be trained on (HumanEval). It compares references (equal
 * normalised syntax trees, shared runs of normalised tokens) and descriptions (shared runs of words). It compares only with tasks
 * in the files of the other set. Other tasks are found only through a list of near-duplicates.
 */
import { type NormalFunction, normalForms } from "../mutate/index.ts";
import type { Problem } from "../types.ts";
import { readJsonLines, stringField } from "../util/jsonl.ts";

/** What makes two problems alike. */
export type Likeness = "same-tree" | "tokens" | "words" | "listed";

export interface Contamination {
  readonly taskId: string;
  readonly why: Likeness;
  /** The nearest problem of the other set; null if the problem was found through a list. */
  readonly nearest: string | null;
  /** Share of common runs, in [0, 1]; 1 for equal trees. For `listed`, the level that the list gives (`high`, `maybe`). */
  readonly score: number | string;
}

/**
 * Token similarity: the share of the smaller function's runs of 8 tokens that the other function has too. All variables count as
 * the same token. From a share of 0.6 on, the function counts as a modified copy. Functions of fewer than 20 tokens share runs by
 * chance, so only equality counts for them.
 */
export const tokenRun = 8;
export const tokenShare = 0.6;
const fewestTokens = 20;
/** Word similarity: the share of the shorter description's runs of 5 words that the other description has too. */
export const wordRun = 5;
export const wordShare = 0.5;
const fewestRuns = 6;
/** Equal trees of fewer tokens (`def f(x): return x`) prove nothing. */
const fewestEqual = 12;

interface Shape {
  readonly id: string;
  readonly trees: readonly string[];
  readonly tokens: readonly ReadonlySet<string>[];
  readonly words: ReadonlySet<string>;
}

/** Compares problems with every problem of another set. Returns the strongest likeness for each problem that is too similar. */
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
    let strongest = 0;
    for (const other of this.#others) {
      const words = shared(own.words, other.words);
      const tokens = Math.max(0, ...own.tokens.flatMap((a) => other.tokens.map((b) => shared(a, b))));
      const most = Math.max(tokens / tokenShare, words / wordShare);
      if (most < 1 || most <= strongest) continue;
      strongest = most;
      const why = tokens / tokenShare >= words / wordShare ? "tokens" : "words";
      found = { taskId, why, nearest: other.id, score: why === "tokens" ? tokens : words };
    }
    return found;
  }
}

/** Compares only the function that the tests call, because helpers (`gcd`, `is_prime`) occur everywhere. */
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

/** Words of a description, without the calls of its examples (`>>> f(1)`). */
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

/** Share of the smaller set's runs that the larger set has too; 0 if the smaller set has too few runs to tell. */
function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  if (small.size < fewestRuns) return 0;
  let common = 0;
  for (const run of small) if (large.has(run)) common += 1;
  return common / small.size;
}

/** Reads lists of near-duplicates (rows `{task_id, level}`, level `high` or `maybe`) into a map from task id to level. */
export async function readNearDuplicates(paths: readonly string[]): Promise<Map<string, string>> {
  const near = new Map<string, string>();
  for (const path of paths) {
    for await (const line of readJsonLines(path)) near.set(stringField(line, "task_id"), stringField(line, "level"));
  }
  return near;
}

export interface DecontaminateOptions {
  /** Problems that must not be trained on. */
  readonly against: Iterable<Problem>;
  /** Task ids and levels, as `readNearDuplicates` reads them. @default none */
  readonly listed?: ReadonlyMap<string, string>;
  /** Keep problems that the list calls `maybe`, unless the comparison finds them too. @default false */
  readonly keepMaybe?: boolean;
}

export interface Decontaminated {
  readonly clean: readonly Problem[];
  /** The removed problems, in input order. */
  readonly removed: readonly Contamination[];
}

/** Separates problems that may be trained on from those that resemble a forbidden one. `MBPPT/N` and `MBPP/N` share their fate. */
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

/** The ids under which the same problem also occurs. */
const relatives = (id: string): string[] =>
  /^MBPP\//.test(id) ? [id.replace("MBPP/", "MBPPT/")] : /^MBPPT\//.test(id) ? [id.replace("MBPPT/", "MBPP/")] : [];
