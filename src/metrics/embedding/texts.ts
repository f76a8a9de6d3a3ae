/** How BERTScore and CodeBERTScore turn a text into tokens, and which tokens they leave out. */
import type { TextTokenizer } from "./text-tokenizer.ts";

export interface Reading {
  /** The ids, including the special tokens around them. */
  readonly ids: readonly number[];
  /** Positions of the tokens that are matched, including special ones. */
  readonly kept: readonly number[];
  /** Number of tokens cut off at the end. */
  readonly cut: number;
}

export interface ReadOptions {
  readonly maxLength: number;
  /** Whether a text is read as `<description> \n<text>`, with the description's tokens left out. */
  readonly context: boolean;
}

/** Reads a text, preceded by the description of its pair if that is the context. */
export type ReadText = (text: string, description: string) => Reading;

/**
 * Reads as bert-score does. The text is stripped. For byte-level BPE it begins with a space, as with the slow tokenizers of
 * RoBERTa and GPT-2. It is cut at the encoder's last position.
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

/** Reads as code_bert_score does: nothing is cut, and tokens of only white space and punctuation are left out. */
export const codeReader =
  (tokenizer: TextTokenizer, { context }: ReadOptions): ReadText =>
  (text, description) => {
    const before = strip(description);
    const source = context && before !== "" ? `${before} \n` : "";
    const inner = tokenizer.encode(strip(source + strip(text)));
    let bytes = Buffer.byteLength(source);
    const matters = inner.map((id) => {
      const token = tokenizer.token(id);
      bytes -= token.length; // one character per byte: context requires byte-level BPE
      return (source === "" || bytes < 0) && !isPunctuation(token);
    });
    const ids = [...tokenizer.head, ...inner, ...tokenizer.tail];
    const [from, to] = [tokenizer.head.length, ids.length - tokenizer.tail.length];
    const kept = ids.map((_, at) => at).filter((at) => at < from || at >= to || matters[at - from]);
    return { ids, kept, cut: 0 };
  };

/** Whether a token is empty or only punctuation, with byte-level BPE's space, line feed and tab around it; + - * / & | ~ count as words. */
const isPunctuation = (token: string): boolean => /^[ĠĊĉ]*[!"#$%'(),.:;<=>?@[\\\]^_`{}]*[ĠĊĉ]*$/.test(token);

/** Strips white space as Python's `str.strip` defines it. */
export const strip = (text: string): string => text.replace(LEADING, "").replace(TRAILING, "");
const BLANK = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const LEADING = new RegExp(`^${BLANK}+`);
const TRAILING = new RegExp(`(?<!${BLANK})${BLANK}+$`);
