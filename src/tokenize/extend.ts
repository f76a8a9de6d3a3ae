/** Extends vocabularies by symbols, and reduces them to the tokens that given texts use. Reports the old id of each new id. */
import { CodescoreError } from "../errors.ts";
import type { NewToken } from "./symbols.ts";
import { type TokenizerFile, vocabularyOf } from "./tokenizer.ts";

/** Adds tokens with ids from `firstId`. Encoding a text never produces them. */
export function addTokens(file: TokenizerFile, tokens: readonly NewToken[], firstId: number): TokenizerFile {
  const taken = tokens.find(({ content }) => file.added_tokens.some((token) => token.content === content));
  if (taken !== undefined) {
    throw new CodescoreError("model", `the tokenizer has a token ${taken.content} already; is it a codescore model?`);
  }
  const added = tokens.map(({ content, isWord }, i) => ({
    id: firstId + i,
    content,
    single_word: isWord,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  return { ...file, added_tokens: [...file.added_tokens, ...added] };
}

/** The character that SentencePiece writes for a blank. */
const METASPACE = "\u2581";

export interface Trimmed {
  readonly file: TokenizerFile;
  /** The old id of each new one. */
  readonly kept: readonly number[];
}

/**
 * Removes all tokens except those in `used`, added tokens and single characters. So every text can still be encoded. Texts whose
 * tokens are all kept have the same tokens as before. @throws `CodescoreError("model")` for a tokenizer type that cannot be
 * reduced
 */
export function trimVocabulary(file: TokenizerFile, used: ReadonlySet<number>): Trimmed {
  const { model, added_tokens } = file;
  const { vocab } = model;
  if (model.type !== "WordPiece" && !Array.isArray(vocab)) {
    throw new CodescoreError(
      "model",
      `expected a WordPiece or Unigram vocabulary to leave tokens out of, got ${model.type}; import it whole`,
    );
  }
  const prefix = Array.isArray(vocab) ? METASPACE : String(model.continuing_subword_prefix ?? "##");
  const isCharacter = (token: string): boolean =>
    [...(token.startsWith(prefix) ? token.slice(prefix.length) : token)].length <= 1;
  const added = new Set(added_tokens.map(({ id }) => id));
  const entries = vocabularyOf(file).filter(
    ([token, id]) =>
      used.has(id) || added.has(id) || isCharacter(token) || token === model.unk_token || id === model.unk_id,
  );
  const kept = [...new Set([...entries.map(([, id]) => id), ...added])].sort((a, b) => a - b);
  const idOf = new Map(kept.map((old, id) => [old, id]));
  return {
    file: {
      ...file,
      added_tokens: added_tokens.map((token) => ({ ...token, id: idOf.get(token.id)! })),
      post_processor: renumbered(file.post_processor, idOf),
      model: Array.isArray(vocab)
        ? { ...model, unk_id: idOf.get(model.unk_id as number), vocab: entries.map(([, id]) => vocab[id]) }
        : { ...model, vocab: Object.fromEntries(entries.map(([token, id]) => [token, idOf.get(id)!])) },
    },
    kept,
  };
}

/** A post-processor with the new ids of its tokens: `ids: [n]` in a template, `["</s>", n]` in other types. */
function renumbered(value: unknown, idOf: ReadonlyMap<number, number>): unknown {
  if (Array.isArray(value)) {
    const isPair = value.length === 2 && typeof value[0] === "string" && typeof value[1] === "number";
    return isPair ? [value[0], idOf.get(value[1])] : value.map((item) => renumbered(item, idOf));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "ids" && Array.isArray(item) ? item.map((id: number) => idOf.get(id)) : renumbered(item, idOf),
    ]),
  );
}
