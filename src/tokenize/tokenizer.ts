/**
 * The tokenizer of a Hugging Face `tokenizer.json`. `@huggingface/tokenizers` encodes, with the same ids as Python's
 * `tokenizers`. A program that contains the text `</s>` must not end its own part, so no special token is recognised in text.
 * `encodeWithSpecials` exists only to compare with Python.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer as HubTokenizer } from "@huggingface/tokenizers";
import { CodescoreError, messageOf } from "../errors.ts";
import { checkModelFile, LARGEST } from "../util/files.ts";
import { remember } from "../util/remember.ts";

export interface AddedToken {
  id: number;
  content: string;
  /** Whether encoding a text never produces it. */
  special?: boolean;
  [key: string]: unknown;
}

export interface TokenizerFile {
  added_tokens: AddedToken[];
  /** `vocab`: the ids of tokens or, for Unigram, tokens with their scores in the order of their ids. */
  model: { type: string; vocab: Vocab; merges?: unknown[]; [key: string]: unknown };
  [key: string]: unknown;
}

export type Vocab = Readonly<Record<string, number>> | readonly (readonly [string, number])[];

/** The supported types of `model`. */
export const TOKENIZERS = ["BPE", "WordPiece", "Unigram"] as const;

/** The names of the special tokens that every sequence needs, in RoBERTa's and in BERT's family. */
const ROLES = { start: ["<s>", "[CLS]"], end: ["</s>", "[SEP]"], pad: ["<pad>", "[PAD]"] } as const;
export type Role = keyof typeof ROLES;

/**
 * The words within which byte-level BPE merges (GPT-2's pattern, as in `@huggingface/tokenizers`). A word on its own is not split
 * further.
 */
const WORDS = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/** Size of the cache of words, in characters. Programs consist of few different words. */
const REMEMBERED = 2 ** 20;

export class Tokenizer {
  readonly vocabSize: number;
  readonly file: TokenizerFile;
  /** Whether tokens preserve every byte of a text. Other tokenizers drop white space, and some also the case of letters. */
  readonly keepsText: boolean;
  /** Whether capitals become lower case. */
  readonly lowersCase: boolean;
  readonly #plain: HubTokenizer;
  /** The ids of a word, or of a whole text if the tokenizer does not work word by word. */
  readonly #idsOf: (text: string) => readonly number[];
  readonly #isByWord: boolean;
  #special: HubTokenizer | undefined; // created on demand, because a large vocabulary takes 0.1 s
  readonly #ids: Map<string, number>;
  /** Bytes of each token. Byte-level BPE writes each byte as one character. */
  readonly #bytes: Uint16Array;

  constructor(file: TokenizerFile) {
    this.file = file;
    this.#plain = new HubTokenizer(withoutSpecials(file), {});
    this.keepsText = isByteLevel(file.pre_tokenizer);
    this.#isByWord = isByWord(file);
    const idsOf = (text: string): number[] => this.#plain.encode(text, { add_special_tokens: false }).ids;
    this.#idsOf = this.#isByWord ? remember(idsOf, REMEMBERED) : idsOf;
    this.#ids = new Map(file.added_tokens.map(({ id, content }) => [content, id]));
    let largest = 0;
    const entries = vocabularyOf(file);
    for (const [, id] of entries) largest = Math.max(largest, id);
    for (const id of this.#ids.values()) largest = Math.max(largest, id);
    this.vocabSize = largest + 1;
    this.#bytes = new Uint16Array(this.vocabSize);
    for (const [token, id] of entries) this.#bytes[id] = token.length;
    for (const { id, content } of file.added_tokens) this.#bytes[id] = Buffer.byteLength(content);
    this.lowersCase = !this.keepsText && `${this.encode("A")}` === `${this.encode("a")}`;
  }

  /** Token ids of plain text. Special tokens are not recognised. */
  encode(text: string): number[] {
    // Lone surrogates have no UTF-8 form. Python's tokenizers rejects them, but a metric must not fail.
    const whole = text.toWellFormed();
    if (!this.#isByWord) return [...this.#idsOf(whole)];
    const ids: number[] = [];
    for (const word of whole.match(WORDS) ?? []) for (const id of this.#idsOf(word)) ids.push(id);
    return ids;
  }

  /** For a text that was encoded to `ids`: its bytes up to the end of each token. Only for tokenizers that keep the text. */
  byteEnds(ids: readonly number[]): number[] {
    let end = 0;
    return ids.map((id) => {
      end += this.#bytes[id]!;
      return end;
    });
  }

  /** Like Python's `Tokenizer.encode(text, add_special_tokens=False)`: `<s>` in the text is the special token. */
  encodeWithSpecials(text: string): number[] {
    this.#special ??= new HubTokenizer(this.file, {});
    return this.#special.encode(text, { add_special_tokens: false }).ids;
  }

  /** Id of the token that starts a sequence, ends a part, or pads. @throws `CodescoreError("model")` if there is none */
  role(role: Role): number {
    return this.special(this.nameOf(role));
  }

  /** Whether there is a token for a role. */
  has(role: Role): boolean {
    return ROLES[role].some((token) => this.#ids.has(token));
  }

  /** The name of a role's token. */
  nameOf(role: Role): string {
    return ROLES[role].find((token) => this.#ids.has(token)) ?? ROLES[role].join(" or ");
  }

  /** Id of a special token such as `<s>`. @throws `CodescoreError("model")` if the vocabulary lacks it */
  special(token: string): number {
    const id = this.#ids.get(token);
    if (id !== undefined) return id;
    throw new CodescoreError(
      "model",
      `expected the tokenizer to have the special token ${token}, got ${[...this.#ids.keys()].join(" ")}`,
    );
  }
}

/** The model's tokens and their ids. */
export const vocabularyOf = ({ model: { vocab } }: TokenizerFile): readonly (readonly [string, number])[] =>
  Array.isArray(vocab) ? vocab.map(([token], id) => [token, id] as const) : Object.entries(vocab);

/**
 * The file changed so that no text produces a special token. Unigram also finds them among its ordinary tokens, so there they are
 * replaced by strings that no well-formed text contains.
 */
function withoutSpecials(file: TokenizerFile): TokenizerFile {
  const added_tokens = file.added_tokens.filter(isOfText);
  const { vocab, unk_id } = file.model as { vocab: Vocab; unk_id?: number };
  if (!Array.isArray(vocab)) return { ...file, added_tokens };
  const special = new Set(file.added_tokens.filter((token) => !isOfText(token)).map(({ id }) => id));
  const own = vocab.map(
    ([token, score], id) => [special.has(id) && id !== unk_id ? `\ud800${id}` : token, score] as [string, number],
  );
  return { ...file, added_tokens, model: { ...file.model, vocab: own } };
}

/** Whether an added token may be found in text, such as a run of blanks. Only we insert the other added tokens. */
const isOfText = ({ special }: AddedToken): boolean => special === false;

/** Whether each byte is written as one character before encoding. */
function isByteLevel(before: unknown): boolean {
  const { type, pretokenizers } = (before ?? {}) as { type?: string; pretokenizers?: unknown[] };
  return type === "ByteLevel" || (type === "Sequence" && (pretokenizers ?? []).some(isByteLevel));
}

/** Whether byte-level BPE is the only step, so that a text can be encoded word by word. */
function isByWord({ normalizer, pre_tokenizer, model, added_tokens }: TokenizerFile): boolean {
  const before = pre_tokenizer as { type?: string; add_prefix_space?: boolean; use_regex?: boolean } | null;
  return (
    (normalizer ?? null) === null &&
    before?.type === "ByteLevel" &&
    before.add_prefix_space !== true &&
    before.use_regex !== false &&
    model.type === "BPE" &&
    model.fuse_unk !== true &&
    !added_tokens.some(isOfText)
  );
}

/** Reads `tokenizer.json` in a model folder. @throws `CodescoreError("model")` that names the file */
export async function loadTokenizer(folder: string): Promise<Tokenizer> {
  const path = join(folder, "tokenizer.json");
  return tokenizerOf(await readTokenizer(path), path);
}

/** Reads and checks a `tokenizer.json`. @throws `CodescoreError("model")` that names the file */
export async function readTokenizer(path: string): Promise<TokenizerFile> {
  await checkModelFile(path, LARGEST.tokenizer);
  return naming(path, async () => {
    const file = JSON.parse(await readFile(path, "utf8")) as TokenizerFile;
    if (TOKENIZERS.some((type) => type === file.model?.type)) return file;
    throw new Error(`expected a model of the type ${TOKENIZERS.join(", ")}, got ${file.model?.type}`);
  });
}

/** Creates a tokenizer. @throws `CodescoreError("model")` that names the file */
export const tokenizerOf = (file: TokenizerFile, path: string): Promise<Tokenizer> =>
  naming(path, async () => new Tokenizer(file));

async function naming<T>(path: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof CodescoreError) throw error;
    throw new CodescoreError("model", `cannot use ${path}: ${messageOf(error)}`, { cause: error });
  }
}
