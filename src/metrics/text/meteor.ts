/**
 * METEOR (Banerjee and Lavie 2005; parameters of Lavie and Agarwal 2007) with one reference, equal to nltk 3.10.3
 * (`nltk/translate/meteor_score.py`) on the tokens of `tokenizeCode`, in lower case. Tokens are matched in three stages (the
 * same word, the same Porter stem, a synonym in WordNet 3.0), with alpha .9, beta 3, gamma .5. This is not METEOR 1.5, which
 * also has paraphrases, weights function words, and searches for the alignment with the fewest chunks, where nltk takes matches
 * from the end.
 */
import { porterStem } from "./porter.ts";
import { tokenizeCode } from "./tokens.ts";
import { loadSynonyms, type Synonyms } from "./wordnet.ts";

const ALPHA = 0.9;
const BETA = 3;
const GAMMA = 0.5;

let synonyms: Synonyms | undefined;

/** Must be awaited once before `meteor`. */
export async function loadMeteor(): Promise<void> {
  synonyms ??= await loadSynonyms();
}

interface Token {
  readonly text: string;
  readonly position: number;
}

/** The positions of a candidate's token and of the matching token of the reference. */
type Match = readonly [candidate: number, reference: number];

/** In [0, 1]; 0 without a match. Takes linear time in the number of tokens, so long programs need no limit. */
export function meteor(candidate: string, reference: string): number {
  if (synonyms === undefined) throw new Error("call loadMeteor() before meteor()");
  const [ours, theirs] = [tokens(candidate), tokens(reference)];
  const matches = align(ours, theirs, synonyms);
  if (matches.length === 0) return 0;
  const precision = matches.length / ours.length;
  const recall = matches.length / theirs.length;
  const mean = (precision * recall) / (ALPHA * precision + (1 - ALPHA) * recall);
  return (1 - GAMMA * (chunks(matches) / matches.length) ** BETA) * mean;
}

const tokens = (text: string): Token[] =>
  tokenizeCode(text).map((token, position) => ({ text: token.toLowerCase(), position }));

/**
 * Matches in order of position. Each stage sees the tokens that the previous ones left. Synonyms are looked up for the stems, as
 * in nltk.
 */
function align(ours: readonly Token[], theirs: readonly Token[], synonymsOf: Synonyms): Match[] {
  const exact = match(ours, theirs, () => []);
  const stem = match(exact.ours.map(stemmed), exact.theirs.map(stemmed), () => []);
  const synonym = match(stem.ours, stem.theirs, synonymsOf);
  return [...exact.matches, ...stem.matches, ...synonym.matches].sort(([a], [b]) => a - b);
}

const stemmed = ({ text, position }: Token): Token => ({ text: porterStem(text), position });

/** Matches tokens from the last to the first. Each takes the last free token of the reference that equals it or one of its synonyms. */
function match(ours: readonly Token[], theirs: readonly Token[], synonymsOf: Synonyms) {
  const free = new Map<string, number[]>(); // indices into `theirs`, ascending
  theirs.forEach(({ text }, j) => {
    const known = free.get(text);
    if (known === undefined) free.set(text, [j]);
    else known.push(j);
  });
  const taken = new Set<number>();
  const matches: Match[] = [];
  const left: Token[] = [];
  for (const token of ours.toReversed()) {
    let best: number[] | undefined;
    for (const word of [token.text, ...synonymsOf(token.text)]) {
      const places = free.get(word);
      if (places !== undefined && (places.at(-1) ?? -1) > (best?.at(-1) ?? -1)) best = places;
    }
    const j = best?.pop();
    if (j === undefined) left.push(token);
    else {
      taken.add(j);
      matches.push([token.position, theirs[j]!.position]);
    }
  }
  return { matches, ours: left.reverse(), theirs: theirs.filter((_, j) => !taken.has(j)) };
}

/** Number of runs of matches that are adjacent on both sides. */
const chunks = (matches: readonly Match[]): number =>
  matches.filter(([a, b], i) => {
    const before = matches[i - 1];
    return before === undefined || a !== before[0] + 1 || b !== before[1] + 1;
  }).length;
