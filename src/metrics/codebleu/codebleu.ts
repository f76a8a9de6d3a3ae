/**
 * CodeBLEU (Ren et al. 2020, "CodeBLEU: a Method for Automatic Evaluation of Code Synthesis", equation 1): a weighted mean of
 * n-gram match, n-gram match with weighted keywords, syntactic match and data-flow match. Each part equals codebleu 0.7.0
 * (k4black), the packaged form of the paper's own code, except for what the headers of `comments.ts` and `flow.ts` say.
 *
 * A part that does not apply is null, and the other parts share its weight. Data flow does not apply if the reference has none,
 * or if its language is not Python. Other implementations give a number there: CodeXGLUE gives 0. codebleu gives 1, also for
 * every data-flow match of 0, so that programs with nothing in common score .25.
 */
import { CodescoreError } from "../../errors.ts";
import { loadGrammar, type Parse } from "../../languages/grammar/tree.ts";
import type { Bag } from "../static/structure.ts";
import { overlap } from "../text/tokens.ts";
import type { Language } from "../types.ts";
import { withoutComments } from "./comments.ts";
import { dataFlowOf } from "./flow.ts";
import { keywordsOf } from "./keywords.ts";
import { countNgrams, type NgramCounts, ngramScore, noNgramCounts } from "./ngrams.ts";
import { countSubtrees, type Subtrees, subtreesOf } from "./subtrees.ts";

export interface CodeBleuOptions {
  /** @default "python" */
  readonly language?: Language;
  /** Weights of n-gram, weighted n-gram, syntactic and data-flow match, in any unit. @default [0.25, 0.25, 0.25, 0.25] */
  readonly weights?: readonly number[];
}

/** All in [0, 1]. */
export interface CodeBleu {
  /** Null if all parts with a weight are null. */
  readonly score: number | null;
  readonly ngram: number;
  readonly weightedNgram: number;
  readonly syntax: number;
  /** Null if no reference has any data flow, and for languages other than Python. */
  readonly dataFlow: number | null;
}

/** Scores a set of pairs with pooled counts, as the paper does. A single pair is a set of one. */
export type ScoreCodeBleu = (pairs: readonly { readonly candidate: string; readonly reference: string }[]) => CodeBleu;

export const EQUAL_WEIGHTS: readonly number[] = [0.25, 0.25, 0.25, 0.25];

/** Number of references whose trees are cached. Candidates of a problem usually follow each other. */
const CACHED = 100;

interface Reference {
  readonly trees: Subtrees;
  readonly flow: Bag;
}

/**
 * Loads the language's grammar.
 * @throws `CodescoreError("usage")` for weights that are negative or all 0.
 * @throws `CodescoreError("environment")` if the grammar cannot be loaded.
 */
export async function loadCodeBleu({
  language = "python",
  weights = EQUAL_WEIGHTS,
}: CodeBleuOptions = {}): Promise<ScoreCodeBleu> {
  checkWeights(weights);
  const parse = await loadGrammar(language);
  const parseBare: Parse = (code) => parse(withoutComments(code.trim(), language));
  const keywords = keywordsOf(language);
  const references = new Map<string, Reference>();
  const referenceOf = (code: string): Reference => {
    let known = references.get(code);
    if (known === undefined) {
      const program = parseBare(code);
      known = { trees: subtreesOf(program), flow: language === "python" ? dataFlowOf(program) : new Map() };
      if (references.size >= CACHED) references.delete(references.keys().next().value!);
      references.set(code, known);
    }
    return known;
  };
  return (pairs) => {
    const [plain, weighted]: NgramCounts[] = [noNgramCounts(), noNgramCounts()];
    const [syntax, flow] = [new Share(), new Share()];
    for (const { candidate, reference } of pairs) {
      countNgrams(candidate, reference, keywords, plain!, weighted!);
      const program = parseBare(candidate);
      const theirs = referenceOf(reference);
      syntax.add(countSubtrees(program, theirs.trees), theirs.trees.all.length);
      if (theirs.flow.size === 0) continue;
      const edges = [...theirs.flow.values()].reduce((sum, times) => sum + times, 0);
      flow.add(overlap(dataFlowOf(program), theirs.flow), edges);
    }
    const parts = {
      ngram: ngramScore(plain!),
      weightedNgram: ngramScore(weighted!),
      syntax: syntax.value() ?? 0,
      dataFlow: flow.value(),
    };
    return { score: weightedMean(Object.values(parts), weights), ...parts };
  };
}

/** A ratio of two counts, each summed over pairs. */
class Share {
  #some = 0;
  #all = 0;

  add(some: number, all: number): void {
    this.#some += some;
    this.#all += all;
  }

  value(): number | null {
    return this.#all === 0 ? null : this.#some / this.#all;
  }
}

function weightedMean(values: readonly (number | null)[], weights: readonly number[]): number | null {
  let [sum, weight] = [0, 0];
  values.forEach((value, i) => {
    if (value === null) return;
    sum += weights[i]! * value;
    weight += weights[i]!;
  });
  return weight === 0 ? null : sum / weight;
}

/** @throws `CodescoreError("usage")` for weights that are negative or all 0. */
export function checkWeights(weights: readonly number[]): void {
  const usable = weights.length === 4 && weights.every((weight) => weight >= 0 && Number.isFinite(weight));
  if (usable && weights.some((weight) => weight > 0)) return;
  throw new CodescoreError(
    "usage",
    `expected the weights of CodeBLEU to be four numbers of at least 0, not all 0 (n-gram, weighted n-gram, syntax, data flow), got ${weights.join(", ")}`,
  );
}
