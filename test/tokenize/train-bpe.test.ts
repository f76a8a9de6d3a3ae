/** Vocabularies compared with those that Hugging Face's tokenizers learns from the same texts (scripts/record/bpe.py). */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Tokenizer, trainBpe } from "../../src/tokenize/index.ts";
import { vocabularyOf } from "../../src/tokenize/tokenizer.ts";

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../fixtures/bpe/${name}`, import.meta.url)), "utf8");
const texts = read("corpus.txt").split("\n%%\n");
const expected: Record<string, { vocabulary: string[]; merges: number; ids: number[][] }> = JSON.parse(
  read("expected.json"),
);

describe.each(Object.entries(expected))("a vocabulary of %s", (size, { vocabulary, merges, ids }) => {
  const file = trainBpe(texts, { vocabSize: Number(size) });

  it("is Python's, in its order", () => {
    const vocab = Object.fromEntries(vocabularyOf(file));
    expect(Object.keys(vocab).sort((a, b) => vocab[a]! - vocab[b]!)).toEqual(vocabulary);
    expect(file.model.merges?.length).toBe(merges);
  });

  it("encodes the texts as Python does", () => {
    const tokenizer = new Tokenizer(file);
    expect(texts.map((text) => tokenizer.encode(text))).toEqual(ids);
  });
});
