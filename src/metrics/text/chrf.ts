/**
 * chrF and chrF++ (Popovic 2015, 2017) with one reference, equal to sacreBLEU 2.6.0 (`sacrebleu/metrics/chrf.py`) at its
 * defaults: characters up to 6-grams, words up to bigrams for chrF++, beta 2, white space ignored, no epsilon smoothing.
 */
import { CodescoreError } from "../../errors.ts";
import { counted } from "../../util/counted.ts";
import { CharacterNgrams, type NgramCounts } from "./character-ngrams.ts";
import { type Ngrams, overlap, splitWords, wordNgrams } from "./tokens.ts";

const CHAR_ORDER = 6;
const BETA_SQUARED = 4;

export interface ChrfOptions {
  /** Word n-grams up to this order count too; 2 gives chrF++. @default 0 */
  readonly wordOrder?: number;
}

/** A reference whose n-grams are counted once for several candidates. */
export const chrfReference = (reference: string): CharacterNgrams => new CharacterNgrams(reference, CHAR_ORDER);

/** chrF of one candidate, in 0..100: `sentenceChrf` with a reference from `chrfReference`. */
export const chrfOf = (candidate: string, reference: CharacterNgrams): number => fScore(reference.compare(candidate));

/** chrF of one candidate, in 0..100. */
export function sentenceChrf(candidate: string, reference: string, { wordOrder = 0 }: ChrfOptions = {}): number {
  return fScore(count(candidate, reference, wordOrder));
}

/**
 * chrF of a whole set with pooled n-grams, in 0..100.
 * @throws `CodescoreError("input")` if the lengths differ.
 */
export function corpusChrf(
  candidates: readonly string[],
  references: readonly string[],
  { wordOrder = 0 }: ChrfOptions = {},
): number {
  if (candidates.length !== references.length) {
    throw new CodescoreError(
      "input",
      `corpusChrf: expected one reference per candidate, got ${counted(candidates.length, "candidate")} and ${counted(references.length, "reference")}`,
    );
  }
  const sums = Array.from({ length: CHAR_ORDER + wordOrder }, () => ({ candidate: 0, reference: 0, common: 0 }));
  candidates.forEach((candidate, i) => {
    count(candidate, references[i] as string, wordOrder).forEach((counts, n) => {
      const sum = sums[n]!;
      sum.candidate += counts.candidate;
      sum.reference += counts.reference;
      sum.common += counts.common;
    });
  });
  return fScore(sums);
}

function count(candidate: string, reference: string, wordOrder: number): NgramCounts[] {
  const counts = chrfReference(reference).compare(candidate);
  if (wordOrder === 0) return counts;
  const words = splitPunctuation(candidate);
  const wantedWords = splitPunctuation(reference);
  for (let n = 1; n <= wordOrder; n++) counts.push(compare(wordNgrams(words, n), wordNgrams(wantedWords, n)));
  return counts;
}

function compare(candidate: Ngrams, reference: Ngrams): NgramCounts {
  return {
    candidate: reference.size > 0 ? size(candidate) : 0, // n-grams of an order for which the reference is too short do not count
    reference: size(reference),
    common: overlap(candidate, reference),
  };
}

function size(ngrams: Ngrams): number {
  let sum = 0;
  for (const times of ngrams.values()) sum += times;
  return sum;
}

/** Python's `string.punctuation`. */
const PUNCTUATION = new Set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~");

/** Words with one punctuation mark split off, at the end or otherwise at the start: `(hi)` gives `(hi` and `)`. */
function splitPunctuation(text: string): string[] {
  return splitWords(text).flatMap((word) => {
    const chars = Array.from(word);
    if (chars.length === 1) return [word];
    if (PUNCTUATION.has(chars.at(-1)!)) return [chars.slice(0, -1).join(""), chars.at(-1)!];
    if (PUNCTUATION.has(chars[0]!)) return [chars[0]!, chars.slice(1).join("")];
    return [word];
  });
}

/** The F score of the mean precision and the mean recall, over the orders for which both texts are long enough. */
function fScore(counts: readonly NgramCounts[]): number {
  const usable = counts.filter(({ candidate, reference }) => candidate > 0 && reference > 0);
  if (usable.length === 0) return 0;
  const precision = usable.reduce((sum, { common, candidate }) => sum + common / candidate, 0) / usable.length;
  const recall = usable.reduce((sum, { common, reference }) => sum + common / reference, 0) / usable.length;
  if (precision + recall === 0) return 0;
  return (100 * (1 + BETA_SQUARED) * precision * recall) / (BETA_SQUARED * precision + recall);
}
