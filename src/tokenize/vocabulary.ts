/**
 * The tokenizer of a RoBERTa folder without `tokenizer.json`, e.g. UniXcoder's. Reads `vocab.json` and `merges.txt` (GPT-2's
 * files), and the tokens in `added_tokens.json` and `special_tokens_map.json` if these files exist. Ids do not change. Source:
 * `RobertaConverter` in transformers/convert_slow_tokenizer.py.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CodescoreError, messageOf } from "../errors.ts";
import { checkModelFile, exists, LARGEST, readJson } from "../util/files.ts";
import type { TokenizerFile } from "./tokenizer.ts";
import { SPECIAL_TOKENS, tokenizerFile } from "./train-bpe.ts";

/** Reads the folder. @throws `CodescoreError("model")` that names the file, the line or the token */
export async function tokenizerFromVocabulary(folder: string): Promise<TokenizerFile> {
  const added = idsOf((await readOptional(folder, "added_tokens.json")) ?? {}, join(folder, "added_tokens.json"));
  for (const name of ["vocab.json", "merges.txt"]) await checkModelFile(join(folder, name), LARGEST.tokenizer);
  const vocab = idsOf(await readJson(join(folder, "vocab.json")), join(folder, "vocab.json"));
  const ids: Record<string, number> = { ...vocab, ...added };
  const missing = SPECIAL_TOKENS.filter((token) => ids[token] === undefined);
  if (missing.length > 0) {
    throw new CodescoreError("model", `${join(folder, "vocab.json")} lacks RoBERTa's token ${missing.join(", ")}`);
  }
  const named = specialTokens(await readOptional(folder, "special_tokens_map.json"));
  const special = new Set([...SPECIAL_TOKENS, ...named, ...Object.keys(added)]);
  const config = (await readOptional(folder, "tokenizer_config.json")) as { add_prefix_space?: boolean } | null;
  return tokenizerFile(
    vocab,
    await readMerges(join(folder, "merges.txt")),
    Object.fromEntries([...special].flatMap((token) => (ids[token] === undefined ? [] : [[token, ids[token]]]))),
    config?.add_prefix_space === true,
  );
}

async function readOptional(folder: string, name: string): Promise<unknown> {
  const path = join(folder, name);
  await checkModelFile(path, LARGEST.tokenizer);
  return (await exists(path)) ? readJson(path) : null;
}

function idsOf(value: unknown, path: string): Record<string, number> {
  const entries = Object.entries(value as object);
  if (Array.isArray(value) || !entries.every(([, id]) => Number.isInteger(id) && id >= 0)) {
    throw new CodescoreError("model", `${path}: expected an object of tokens and their ids`);
  }
  return value as Record<string, number>;
}

/** The tokens in `special_tokens_map.json`. Each value is a string, `{content}` or a list of these. */
const specialTokens = (map: unknown): string[] =>
  Object.values((map ?? {}) as Record<string, unknown>)
    .flat()
    .flatMap((token) => (typeof token === "string" ? token : ((token as { content?: string } | null)?.content ?? [])));

/** Reads merges, one per line and best first, after an optional first line `#version`. */
async function readMerges(path: string): Promise<[string, string][]> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new CodescoreError("model", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  });
  const merges: [string, string][] = [];
  for (const [i, raw] of text.split("\n").entries()) {
    const line = raw.replace(/\r$/, "");
    if (line === "" || (i === 0 && line.startsWith("#version"))) continue;
    const pair = line.split(" ");
    if (pair.length !== 2) throw new CodescoreError("model", `${path}:${i + 1}: expected two tokens, got \`${line}\``);
    merges.push(pair as [string, string]);
  }
  return merges;
}
