/**
 * BLEU-4 with one reference (Papineni et al. 2002), equal to sacreBLEU 2.6.0 (Post 2018, `sacrebleu/metrics/bleu.py`), with
 * exponential smoothing. For sentences it uses the effective order, so that texts of fewer than four tokens can score. Not
 * supported: several references, other smoothings, other orders.
 */
import { CodescoreError } from "../../errors.ts";
import { counted } from "../../util/counted.ts";
import { overlap, tokenize13a, tokenizeCode, wordNgrams } from "./tokens.ts";

const ORDER = 4;

/** `13a`: sacreBLEU's default, for prose. `code`: words and single other characters. */
export type BleuTokenization = "13a" | "code";

interface Counts {
  /** Number of matching n-grams, and of all n-grams of the candidate, by order. */
  readonly correct: number[];
  readonly total: number[];
  candidateLength: number;
  referenceLength: number;
}

const tokenizers: Record<BleuTokenization, (text: string) => string[]> = { "13a": tokenize13a, code: tokenizeCode };

/** BLEU of one candidate, in 0..100. */
export function sentenceBleu(candidate: string, reference: string, tokenization: BleuTokenization = "code"): number {
  return score(add(noCounts(), candidate, reference, tokenization), true);
}

/**
 * BLEU of a whole set with pooled n-grams, in 0..100.
 * @throws `CodescoreError("input")` if the lengths differ.
 */
export function corpusBleu(
  candidates: readonly string[],
  references: readonly string[],
  tokenization: BleuTokenization = "code",
): number {
  if (candidates.length !== references.length) {
    throw new CodescoreError(
      "input",
      `corpusBleu: expected one reference per candidate, got ${counted(candidates.length, "candidate")} and ${counted(references.length, "reference")}`,
    );
  }
  const counts = noCounts();
  candidates.forEach((candidate, i) => {
    add(counts, candidate, references[i] as string, tokenization);
  });
  return score(counts, false);
}

function noCounts(): Counts {
  return {
    correct: new Array<number>(ORDER).fill(0),
    total: new Array<number>(ORDER).fill(0),
    candidateLength: 0,
    referenceLength: 0,
  };
}

function add(counts: Counts, candidate: string, reference: string, tokenization: BleuTokenization): Counts {
  const words = tokenizers[tokenization](candidate);
  const wanted = tokenizers[tokenization](reference);
  counts.candidateLength += words.length;
  counts.referenceLength += wanted.length;
  for (let n = 0; n < ORDER; n++) {
    counts.correct[n]! += overlap(wordNgrams(words, n + 1), wordNgrams(wanted, n + 1));
    counts.total[n]! += Math.max(0, words.length - n);
  }
  return counts;
}

function score({ correct, total, candidateLength, referenceLength }: Counts, effectiveOrder: boolean): number {
  if (!correct.some((n) => n > 0)) return 0;
  const brevity = candidateLength < referenceLength ? Math.exp(1 - referenceLength / candidateLength) : 1;
  let logs = 0;
  let order = 0;
  let smoothing = 1;
  for (let n = 0; n < ORDER && total[n]! > 0; n++) {
    order = n + 1;
    if (correct[n] === 0) smoothing *= 2; // an order without a match counts as half, a quarter, ... of one
    logs += Math.log(correct[n] === 0 ? 100 / (smoothing * total[n]!) : (100 * correct[n]!) / total[n]!);
  }
  if (order < ORDER && !effectiveOrder) return 0; // no n-gram of the highest order anywhere in the corpus
  return brevity * Math.exp(logs / order);
}
