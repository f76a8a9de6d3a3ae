/**
 * CrystalBLEU (Eghbali and Pradel 2022): BLEU-4 that ignores the n-grams that programs share regardless of their task, i.e. the
 * 500 most frequent ones of a corpus (`crystal-corpus.ts`). It equals the authors' `crystalbleu`, a fork of nltk's
 * `sentence_bleu`, on the tokens of `tokenizeCode`, with the smoothing of their scripts: an order without a match counts .0001
 * of one (`SmoothingFunction(epsilon=0.0001).method1`).
 *
 * As in the original, lengths count all tokens, and the score is 0 if no nontrivial word is in common. An order whose n-grams
 * are all trivial counts as one without a match, so a program that is too short scores low even against itself.
 */
import { CodescoreError } from "../../errors.ts";
import type { MetricOptions, TextMetric } from "../types.ts";
import { loadTrivialNgrams, TRIVIAL, type TrivialNgrams } from "./crystal-corpus.ts";
import { type Ngrams, overlap, tokenizeCode, wordNgrams } from "./tokens.ts";

const ORDER = 4;
const EPSILON = 0.0001;

/**
 * The score in [0, 1].
 * @param trivial n-grams of all orders, their tokens joined by a space
 */
export function crystalBleu(candidate: string, reference: string, trivial: ReadonlySet<string>): number {
  const [ours, theirs] = [tokenizeCode(candidate), tokenizeCode(reference)];
  if (ours.length === 0) return 0;
  let logs = 0;
  for (let n = 1; n <= ORDER; n++) {
    const mine = telling(wordNgrams(ours, n), trivial);
    const common = overlap(mine, telling(wordNgrams(theirs, n), trivial));
    if (n === 1 && common === 0) return 0;
    const total = [...mine.values()].reduce((sum, times) => sum + times, 0);
    logs += Math.log((common === 0 ? EPSILON : common) / Math.max(1, total));
  }
  const brevity = ours.length > theirs.length ? 1 : Math.exp(1 - theirs.length / ours.length);
  return brevity * Math.exp(logs / ORDER);
}

function telling(ngrams: Ngrams, trivial: ReadonlySet<string>): Ngrams {
  return new Map([...ngrams].filter(([ngram]) => !trivial.has(ngram)));
}

/**
 * The registry's entry.
 * @throws `CodescoreError("usage")` without a corpus.
 */
export function crystalMetric(name: string, { corpus, language = "python" }: MetricOptions): TextMetric {
  if (corpus === undefined) {
    throw new CodescoreError(
      "usage",
      `\`${name}\` needs a corpus with the n-grams that all programs share: set --crystal-corpus PATH (option \`corpus\`)`,
    );
  }
  let list: TrivialNgrams | undefined;
  return {
    name,
    get signature() {
      return `crystalbleu|order:4|tok:code|k:${TRIVIAL}|smooth:floor-.0001|eff:no|ngrams:${list?.hash.slice(0, 12) ?? "?"}`;
    },
    async prepare() {
      list ??= await loadTrivialNgrams(corpus, language);
    },
    score(candidate, reference) {
      if (list === undefined) throw new Error("call prepare() before score()");
      return crystalBleu(candidate, reference, list.ngrams);
    },
  };
}
