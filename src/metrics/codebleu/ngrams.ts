/**
 * The two n-gram matches of CodeBLEU (Ren et al. 2020, section 3.1), as in codebleu 0.7.0 (`bleu.py`, `weighted_ngram_match.py`,
 * both after NLTK). Tokens are separated by white space. An order without a match counts .1 of one (NLTK's smoothing method 1).
 * The plain match is BLEU-4. The weighted match is the share of the reference's n-grams that the candidate has (a recall, though
 * the paper's equation 2 is a precision). In it a keyword of the reference counts five times as much as another word. There the
 * package also takes each reference to be two words long, so that brevity costs nothing.
 */
import { splitWords, wordNgrams } from "../text/tokens.ts";

const ORDER = 4;
const OTHER_WEIGHT = 0.2;

/** The package mistakes the length of a pair (words, weights) for the number of words. */
const WEIGHTED_REFERENCE_LENGTH = 2;

/** Sums over pairs, divided only at the end. */
export interface NgramCounts {
  /** Number of matching n-grams and of all n-grams, by order. */
  readonly matched: number[];
  readonly all: number[];
  candidateLength: number;
  referenceLength: number;
}

export const noNgramCounts = (): NgramCounts => ({
  matched: new Array<number>(ORDER).fill(0),
  all: new Array<number>(ORDER).fill(0),
  candidateLength: 0,
  referenceLength: 0,
});

/** Adds one pair to the counts of the plain and the weighted match. */
export function countNgrams(
  candidate: string,
  reference: string,
  keywords: ReadonlySet<string>,
  plain: NgramCounts,
  weighted: NgramCounts,
): void {
  const [ours, theirs] = [splitWords(candidate), splitWords(reference)];
  plain.candidateLength += ours.length;
  plain.referenceLength += theirs.length;
  weighted.candidateLength += ours.length;
  weighted.referenceLength += WEIGHTED_REFERENCE_LENGTH;
  for (let n = 1; n <= ORDER; n++) {
    const given = wordNgrams(ours, n);
    let [matched, matchedWeight, allWeight] = [0, 0, 0];
    for (const [ngram, times] of wordNgrams(theirs, n)) {
      const weight = n > 1 || keywords.has(ngram) ? 1 : OTHER_WEIGHT;
      const common = Math.min(times, given.get(ngram) ?? 0);
      matched += common;
      matchedWeight += common * weight;
      allWeight += times * weight;
    }
    plain.matched[n - 1]! += matched;
    plain.all[n - 1]! += Math.max(1, ours.length - n + 1);
    weighted.matched[n - 1]! += matchedWeight;
    weighted.all[n - 1]! += Math.max(1, allWeight);
  }
}

/** The score in [0, 1]. */
export function ngramScore({ matched, all, candidateLength, referenceLength }: NgramCounts): number {
  if (matched[0] === 0) return 0;
  const brevity = candidateLength > referenceLength ? 1 : Math.exp(1 - referenceLength / candidateLength);
  const logs = matched.reduce((sum, count, i) => sum + Math.log((count === 0 ? 0.1 : count) / all[i]!), 0);
  return brevity * Math.exp(logs / ORDER);
}
