/**
 * Trains a byte-level BPE (Sennrich et al. 2016; bytes as in GPT-2) and returns it in the format of `tokenizer.json`. Ids are
 * ordered as in Hugging Face's `tokenizers`: special tokens, the byte alphabet, then merges by count. Ties go to the smaller pair
 * of ids.
 */
import type { TokenizerFile } from "./tokenizer.ts";

export const SPECIAL_TOKENS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"] as const;

/** GPT-2's split into words: contractions, letters, digits, other symbols, white space. */
const WORDS = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

export interface TrainBpeOptions {
  /** Size of the vocabulary, including special tokens and the 256 bytes. */
  readonly vocabSize: number;
  /** Minimum count of a pair to be merged. @default 2 */
  readonly minFrequency?: number;
}

interface Word {
  ids: number[];
  readonly count: number;
}

export function trainBpe(texts: Iterable<string>, { vocabSize, minFrequency = 2 }: TrainBpeOptions): TokenizerFile {
  const alphabet = byteAlphabet();
  const tokens: string[] = [...SPECIAL_TOKENS, ...[...alphabet].sort((a, b) => a.codePointAt(0)! - b.codePointAt(0)!)];
  const idOf = new Map(tokens.map((token, id) => [token, id]));
  const words = countWords(texts, alphabet, idOf);
  const merges: [string, string][] = [];
  const pairs = countPairs(words);
  while (tokens.length < vocabSize) {
    const best = mostFrequent(pairs);
    if (best === null || best.count < minFrequency) break;
    const [a, b] = best.pair;
    merges.push([tokens[a]!, tokens[b]!]);
    const merged = tokens[a]! + tokens[b]!;
    let id = idOf.get(merged);
    if (id === undefined) {
      id = tokens.length;
      idOf.set(merged, id);
      tokens.push(merged);
    }
    applyMerge(pairs, words, best.key, a, b, id);
  }
  return tokenizerFile(
    Object.fromEntries(idOf),
    merges,
    Object.fromEntries(SPECIAL_TOKENS.map((token, id) => [token, id])),
  );
}

/** GPT-2's printable character for each byte: the byte itself if printable, otherwise a code point from 256 on. */
function byteAlphabet(): string[] {
  const printable = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
}

function countWords(texts: Iterable<string>, alphabet: readonly string[], idOf: Map<string, number>): Word[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const [word] of text.toWellFormed().matchAll(WORDS)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const encoder = new TextEncoder();
  return [...counts].map(([word, count]) => ({
    ids: Array.from(encoder.encode(word), (byte) => idOf.get(alphabet[byte]!)!),
    count,
  }));
}

interface PairCount {
  count: number;
  readonly pair: readonly [number, number];
  /** Indices of words that contain the pair, or did before a merge. */
  readonly words: Set<number>;
}

const keyOf = (a: number, b: number): number => a * 2 ** 24 + b;

function countPairs(words: readonly Word[]): Map<number, PairCount> {
  const pairs = new Map<number, PairCount>();
  for (const [index, word] of words.entries()) addPairs(pairs, word, index, 1);
  return pairs;
}

function addPairs(pairs: Map<number, PairCount>, { ids, count }: Word, index: number, sign: 1 | -1): void {
  for (let i = 0; i + 1 < ids.length; i++) {
    const [a, b] = [ids[i]!, ids[i + 1]!];
    const key = keyOf(a, b);
    let entry = pairs.get(key);
    if (entry === undefined) {
      entry = { count: 0, pair: [a, b], words: new Set() };
      pairs.set(key, entry);
    }
    entry.count += sign * count;
    if (sign > 0) entry.words.add(index);
  }
}

function mostFrequent(pairs: Map<number, PairCount>): (PairCount & { key: number }) | null {
  let best: PairCount | null = null;
  let bestKey = 0;
  for (const [key, entry] of pairs) {
    if (best === null || entry.count > best.count || (entry.count === best.count && key < bestKey)) {
      best = entry;
      bestKey = key;
    }
  }
  return best === null ? null : { ...best, key: bestKey };
}

function applyMerge(pairs: Map<number, PairCount>, words: Word[], key: number, a: number, b: number, id: number): void {
  const touched = pairs.get(key)!.words;
  for (const index of touched) {
    const word = words[index]!;
    addPairs(pairs, word, index, -1);
    const ids: number[] = [];
    for (let i = 0; i < word.ids.length; i++) {
      if (word.ids[i] === a && word.ids[i + 1] === b) {
        ids.push(id);
        i++;
      } else ids.push(word.ids[i]!);
    }
    word.ids = ids;
    addPairs(pairs, word, index, 1);
  }
  pairs.delete(key);
}

/** The `tokenizer.json` of a byte-level BPE, in RoBERTa's format. @param special ids of the tokens that text cannot produce */
export function tokenizerFile(
  vocab: Record<string, number>,
  merges: [string, string][],
  special: Record<string, number>,
  addPrefixSpace = false,
): TokenizerFile {
  const byteLevel = { type: "ByteLevel", add_prefix_space: addPrefixSpace, trim_offsets: true, use_regex: true };
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: Object.entries(special).map(([content, id]) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: {
      type: "RobertaProcessing",
      sep: ["</s>", vocab["</s>"]],
      cls: ["<s>", vocab["<s>"]],
      trim_offsets: true,
      add_prefix_space: addPrefixSpace,
    },
    decoder: byteLevel,
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab,
      merges,
    },
  };
}
