/** How each of the two metrics turns a text into tokens, weighs them, and which it leaves out. */
import type { TextTokenizer } from "./text-tokenizer.ts";

export interface Reading {
  /** With the special tokens around them. */
  readonly ids: readonly number[];
  /** Positions of the tokens that are matched, special ones among them. */
  readonly kept: readonly number[];
  /** Tokens cut off its end. */
  readonly cut: number;
}

export interface ReadOptions {
  readonly maxLength: number;
  /** A text is read as `<description> \n<text>`, and the description's tokens are left out. */
  readonly context: boolean;
}

/** Reads a text, with the description of its pair where that is the context. */
export type ReadText = (text: string, description: string) => Reading;

/**
 * As bert-score: the text stripped, for byte-level BPE begun by a space as the slow tokenizers of RoBERTa and GPT-2 do,
 * cut at the encoder's last position.
 */
export const bertReader =
  (tokenizer: TextTokenizer, { maxLength }: ReadOptions): ReadText =>
  (text) => {
    const stripped = strip(text);
    const inner = tokenizer.encode(tokenizer.byteLevel && stripped !== "" ? ` ${stripped}` : stripped);
    const room = maxLength - tokenizer.head.length - tokenizer.tail.length;
    const ids = [...tokenizer.head, ...inner.slice(0, room), ...tokenizer.tail];
    return { ids, kept: ids.map((_, at) => at), cut: Math.max(0, inner.length - room) };
  };

/** As code_bert_score: nothing is cut, and tokens of nothing but white space and punctuation are left out. */
export const codeReader =
  (tokenizer: TextTokenizer, { context }: ReadOptions): ReadText =>
  (text, description) => {
    const before = strip(description);
    const source = context && before !== "" ? `${before} \n` : "";
    const inner = tokenizer.encode(strip(source + strip(text)));
    let bytes = Buffer.byteLength(source);
    const matters = inner.map((id) => {
      const token = tokenizer.token(id);
      bytes -= token.length; // one character a byte: context is for byte-level BPE
      return (source === "" || bytes < 0) && !isPunctuation(token);
    });
    const ids = [...tokenizer.head, ...inner, ...tokenizer.tail];
    const [from, to] = [tokenizer.head.length, ids.length - tokenizer.tail.length];
    const kept = ids.map((_, at) => at).filter((at) => at < from || at >= to || matters[at - from]);
    return { ids, kept, cut: 0 };
  };

/** Byte-level BPE's space, line feed and tab around nothing but punctuation, or nothing; + - * / & | ~ count as words. */
const isPunctuation = (token: string): boolean => /^[ĠĊĉ]*[!"#$%'(),.:;<=>?@[\\\]^_`{}]*[ĠĊĉ]*$/.test(token);

/** White space as Python's `str.strip` knows it. */
export const strip = (text: string): string => text.replace(LEADING, "").replace(TRAILING, "");
const BLANK = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const LEADING = new RegExp(`^${BLANK}+`);
const TRAILING = new RegExp(`(?<!${BLANK})${BLANK}+$`);
