/** The tokenizer of an imported encoder: with our symbols added, and optionally reduced to the tokens that some rows use. */
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import {
  addTokens,
  makeReader,
  readTokenizer,
  symbolTokens,
  type Tokenizer,
  type TokenizerFile,
  tokenizerFromVocabulary,
  tokenizerOf,
  trimVocabulary,
} from "../tokenize/index.ts";
import type { ScoreInput } from "../types.ts";
import { exists } from "../util/files.ts";
import type { ModelConfig } from "./config.ts";
import type { UniceConfig } from "./unice.ts";

/** Files that hold a tokenizer. The first complete set is used. */
export const TOKENIZER_FILES = [["tokenizer.json"], ["vocab.json", "merges.txt"]] as const;

export async function firstOf<T extends string>(folder: string, names: readonly T[]): Promise<T> {
  for (const name of names) if (await exists(join(folder, name))) return name;
  throw new CodescoreError(
    "model",
    `${folder} has no ${names.join(" and no ")}: expected a Hugging Face folder with config.json, tokenizer.json (or vocab.json and merges.txt) and model.safetensors (or pytorch_model.bin)`,
  );
}

export interface Vocabulary {
  readonly file: TokenizerFile;
  readonly tokenizer: Tokenizer;
  readonly path: string;
}

/** Reads a folder's tokenizer. Throws `CodescoreError("model")` if its ids exceed the model's. */
export async function readVocabulary(folder: string, config: ModelConfig): Promise<Vocabulary> {
  const name = await firstOf(folder, ["tokenizer.json", "vocab.json"]);
  const path = join(folder, name);
  const found = name === "tokenizer.json" ? await readTokenizer(path) : await tokenizerFromVocabulary(folder);
  const file = { ...found, truncation: null, padding: null }; // those apply to one use of the model only
  const tokenizer = await tokenizerOf(file, path);
  if (tokenizer.vocabSize <= config.vocab_size) return { file, tokenizer, path };
  throw new CodescoreError(
    "model",
    `${path}: its ids go up to ${tokenizer.vocabSize - 1}, but config.json has \`vocab_size\` ${config.vocab_size}; do the files belong to the same model?`,
  );
}

export interface ImportedVocabulary {
  /** The text of `tokenizer.json`. */
  readonly tokenizer: string;
  /** The given config with the new vocabulary size and special token ids. */
  readonly config: ModelConfig;
  /** For each id, the rows of the encoder's table whose mean is its embedding. */
  readonly rows: readonly (readonly number[])[];
}

/**
 * Adds our symbols if the tokenizer drops white space or `unice` asks for them, removes tokens that `texts` do not use, and updates the
 * config. Throws `CodescoreError("model")` if config and tokenizer disagree about special tokens.
 */
export async function importVocabulary(
  { file, tokenizer, path }: Vocabulary,
  given: ModelConfig,
  unice: Partial<UniceConfig>,
  texts?: AsyncIterable<ScoreInput>,
): Promise<ImportedVocabulary> {
  const symbols = unice.symbols ?? !tokenizer.keepsText;
  const normalise = unice.normalise ?? (symbols ? "names" : given.codescore.normalise);
  const codescore = { ...given.codescore, symbols, normalise };
  if (symbols && normalise !== "names" && normalise !== "canonical") {
    throw new CodescoreError("usage", `expected \`normalise\` names or canonical for ${path}, got ${normalise}`);
  }
  checkSpecials(tokenizer, given, path);
  const added = symbols ? symbolTokens() : [];
  if (!tokenizer.has("start")) added.unshift(START);
  const first = tokenizer.vocabSize;
  // Rows that pad the table stay if nothing else changes, so that the checkpoint equals the original encoder.
  const rowCount = added.length > 0 || texts !== undefined ? first : given.vocab_size;
  let rows: (readonly number[])[] = Array.from({ length: rowCount }, (_, id) => [id]);
  for (const { gloss } of added) rows.push(tokenizer.encode(gloss));
  let extended = addTokens(file, added, first);
  if (texts !== undefined) {
    const used = await usedTokens(await tokenizerOf(extended, path), codescore, texts);
    const trimmed = trimVocabulary(extended, used);
    extended = trimmed.file;
    rows = trimmed.kept.map((id) => rows[id]!);
  }
  const final = await tokenizerOf(extended, path);
  const config: ModelConfig = {
    ...given,
    vocab_size: rows.length,
    bos_token_id: final.role("start"),
    pad_token_id: final.role("pad"),
    eos_token_id: final.role("end"),
    codescore,
  };
  return { tokenizer: `${JSON.stringify(extended)}\n`, config, rows };
}

/** Start token for an encoder that has none, such as T5. */
const START = { content: "<s>", gloss: "begin", isWord: false };

/** Checks that special tokens named in config.json have the same ids in the tokenizer. */
function checkSpecials(tokenizer: Tokenizer, config: ModelConfig, path: string): void {
  for (const [role, key] of [
    ["start", "bos_token_id"],
    ["pad", "pad_token_id"],
    ["end", "eos_token_id"],
  ] as const) {
    if (!tokenizer.has(role)) continue; // it is added, or reported as missing later
    const id = tokenizer.role(role);
    const said: number | undefined = config[key];
    if (said === undefined || said === id) continue;
    const token = tokenizer.nameOf(role);
    throw new CodescoreError("model", `${path}: ${token} is ${id}, but config.json has \`${key}\` ${said}`);
  }
}

/** The ids that occur in the rows, encoded as the model reads them. */
async function usedTokens(
  tokenizer: Tokenizer,
  { normalise, symbols }: UniceConfig,
  texts: AsyncIterable<ScoreInput>,
): Promise<Set<number>> {
  const read = await makeReader(tokenizer, { normalise, symbols, staticMarks: false });
  const [seen, used] = [new Set<string>(), new Set<number>()];
  const take = (text: string | null | undefined, idsOf: (text: string) => readonly number[]): void => {
    if (!text || seen.has(text)) return;
    seen.add(text);
    for (const id of idsOf(text)) used.add(id);
  };
  for await (const { candidate, reference, description } of texts) {
    for (const program of [candidate, reference]) take(program, (text) => read(text).ids);
    take(description, (text) => tokenizer.encode(text));
  }
  return used;
}
