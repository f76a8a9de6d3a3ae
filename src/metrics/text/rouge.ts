/**
 * ROUGE-L (Lin 2004) with one reference, equal to Google's `rouge-score` without stemming: the F1 of the longest common
 * subsequence of lower-case runs of ASCII letters and digits. Operators and brackets therefore do not count.
 */
import { LCS_LIMIT, lcsLength } from "./lcs.ts";

/** In [0, 1]; 0 if a side has no such run. Of each side only the first 65,536 words are read (`LCS_LIMIT`). */
export function rougeL(candidate: string, reference: string): number {
  const [ours, theirs] = [words(candidate), words(reference)];
  if (ours.length === 0 || theirs.length === 0) return 0;
  const common = lcsLength(ours, theirs);
  if (common === 0) return 0;
  const precision = common / ours.length;
  const recall = common / theirs.length;
  return (2 * precision * recall) / (precision + recall);
}

const words = (text: string): string[] => (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).slice(0, LCS_LIMIT);
