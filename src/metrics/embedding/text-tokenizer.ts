/**
 * Reads any Hugging Face `tokenizer.json` (BPE, WordPiece, Unigram), as a pretrained encoder uses it. The special tokens around
 * a text are those of its post-processor. Unlike in Python, special tokens within a text are not recognized: a program that
 * contains `</s>` must not end there.
 */
import { Tokenizer as HubTokenizer } from "@huggingface/tokenizers";
import { CodescoreError, messageOf } from "../../errors.ts";

/** A text to encode with and without a partner, which shows what the post-processor puts before, between and after. */
const SOUNDING = "a";

export class TextTokenizer {
  /** Special tokens before a text, between two texts, and after the last. */
  readonly head: readonly number[];
  readonly between: readonly number[];
  readonly tail: readonly number[];
  /** The largest token id plus one. */
  readonly size: number;
  /** Whether each token is written byte by byte, so that no part of a text is lost, as in RoBERTa. */
  readonly byteLevel: boolean;
  readonly #plain: HubTokenizer;

  /** @throws `CodescoreError("model")` for a file of another kind. */
  constructor(file: { readonly [key: string]: unknown }, path: string) {
    try {
      const full = new HubTokenizer(file, {});
      this.#plain = new HubTokenizer({ ...file, added_tokens: [] }, {});
      const inner = full.encode(SOUNDING, { add_special_tokens: false }).ids;
      const [head, tail] = splitAt(full.encode(SOUNDING).ids, inner);
      const pair = full.encode(SOUNDING, { text_pair: SOUNDING }).ids;
      [this.head, this.tail] = [head, tail];
      this.between = splitAt(pair.slice(head.length + inner.length), inner)[0];
      this.size = [...full.get_vocab(true).values()].reduce((most, id) => Math.max(most, id + 1), 0);
    } catch (error) {
      throw new CodescoreError("model", `cannot use ${path}: ${messageOf(error)}`, { cause: error });
    }
    this.byteLevel = JSON.stringify(file.pre_tokenizer ?? null).includes('"ByteLevel"');
  }

  /** The ids of a text, without special tokens. */
  encode(text: string): number[] {
    return text === "" ? [] : this.#plain.encode(text.toWellFormed(), { add_special_tokens: false }).ids;
  }

  /** A token as written in the vocabulary. */
  token(id: number): string {
    return this.#plain.id_to_token(id) ?? "";
  }
}

/** The ids before and after the first occurrence of `inner`. Throws if there is none. */
function splitAt(ids: readonly number[], inner: readonly number[]): [readonly number[], readonly number[]] {
  const at = ids.findIndex((_, i) => inner.every((id, k) => ids[i + k] === id));
  if (at < 0) throw new Error(`its post-processor changes the token ${inner.join(" ")} to ${ids.join(" ")}`);
  return [ids.slice(0, at), ids.slice(at + inner.length)];
}
