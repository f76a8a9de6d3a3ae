/**
 * Any Hugging Face `tokenizer.json` (BPE, WordPiece, Unigram) as an encoder of others was trained with it: the special
 * tokens around a text are those of its post-processor. No special token is recognised within a text, unlike in Python:
 * a program that contains `</s>` must not end there.
 */
import { Tokenizer as HubTokenizer } from "@huggingface/tokenizers";
import { CodescoreError, messageOf } from "../../errors.ts";

/** A text without and with a partner, to see what the post-processor puts before, between and after. */
const SOUNDING = "a";

export class TextTokenizer {
  /** Special tokens before a text, between two and after the last. */
  readonly head: readonly number[];
  readonly between: readonly number[];
  readonly tail: readonly number[];
  /** The largest id there is, and one. */
  readonly size: number;
  /** Each token is written byte by byte, so that nothing of a text is lost: RoBERTa's kind. */
  readonly byteLevel: boolean;
  readonly #plain: HubTokenizer;

  /** Throws `CodescoreError("model")` for a file of another kind. */
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

  /** Ids of a text, without special tokens. */
  encode(text: string): number[] {
    return text === "" ? [] : this.#plain.encode(text.toWellFormed(), { add_special_tokens: false }).ids;
  }

  /** A token as the vocabulary writes it. */
  token(id: number): string {
    return this.#plain.id_to_token(id) ?? "";
  }
}

/** What stands before and after `inner` where it comes first. Throws where it does not come. */
function splitAt(ids: readonly number[], inner: readonly number[]): [readonly number[], readonly number[]] {
  const at = ids.findIndex((_, i) => inner.every((id, k) => ids[i + k] === id));
  if (at < 0) throw new Error(`its post-processor makes ${ids.join(" ")} of the token ${inner.join(" ")}`);
  return [ids.slice(0, at), ids.slice(at + inner.length)];
}
