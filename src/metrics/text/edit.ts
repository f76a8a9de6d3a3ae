/**
 * Edit similarity as CodeXGLUE's code completion reports it: `fuzz.ratio` (of `rapidfuzz`, over 100). This is the Levenshtein
 * similarity of characters, where a substitution is a deletion and an insertion: 1 - edits / characters of both sides.
 */
import { LCS_LIMIT, lcsLength } from "./lcs.ts";

/** In [0, 1]; two empty texts have similarity 1. Of each side only the first 65,536 characters are read (`LCS_LIMIT`). */
export function editSimilarity(candidate: string, reference: string): number {
  const [ours, theirs] = [characters(candidate), characters(reference)];
  const length = ours.length + theirs.length;
  return length === 0 ? 1 : (2 * lcsLength(ours, theirs)) / length;
}

/** The Unicode characters of a text. It is cut before it is split, because a character has at most two UTF-16 units. */
const characters = (text: string): string[] => Array.from(text.slice(0, 2 * LCS_LIMIT)).slice(0, LCS_LIMIT);
