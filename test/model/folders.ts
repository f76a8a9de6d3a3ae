/** Encoder folders in Hugging Face's formats, made from the fixture. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const fixture = fileURLToPath(new URL("../fixtures/unixcoder-tiny", import.meta.url));

export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "codescore-import-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A new folder with these files of the fixture. */
export function encoderOf(...names: string[]): string {
  const folder = scratch();
  for (const name of names) cpSync(join(fixture, name), join(folder, name));
  return folder;
}

export const edit = (path: string, change: (content: Record<string, unknown>) => void): void => {
  const content = JSON.parse(readFileSync(path, "utf8"));
  change(content);
  writeFileSync(path, JSON.stringify(content));
};

/** Writes vocab.json, merges.txt and related files from the fixture's tokenizer.json, in the format of Python's tokenizers. */
export function writeVocabulary(folder: string): void {
  const { model } = JSON.parse(readFileSync(join(fixture, "tokenizer.json"), "utf8"));
  writeFileSync(join(folder, "vocab.json"), JSON.stringify(model.vocab));
  const merges = model.merges.map((pair: string[]) => pair.join(" "));
  writeFileSync(
    join(folder, "merges.txt"),
    `${["#version: 0.2 - Trained by `huggingface/tokenizers`", ...merges].join("\n")}\n`,
  );
  const special = {
    bos_token: "<s>",
    mask_token: { content: "<mask>", lstrip: true },
    additional_special_tokens: ["<encoder-only>"],
  };
  writeFileSync(join(folder, "special_tokens_map.json"), JSON.stringify(special));
}
