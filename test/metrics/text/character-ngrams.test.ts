import fc from "fast-check";
import { expect, it } from "vitest";
import { CharacterNgrams } from "../../../src/metrics/text/character-ngrams.ts";

/** N-grams of characters except white space, each with its count. */
function plainly(text: string, order: number): Map<string, number> {
  const chars = [...text.replace(/\s/gu, "")];
  const counts = new Map<string, number>();
  for (let i = 0; i + order <= chars.length; i++) {
    const ngram = chars.slice(i, i + order).join("");
    counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
  }
  return counts;
}

const sizeOf = (counts: Map<string, number>): number => [...counts.values()].reduce((sum, times) => sum + times, 0);

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b", " ", "\n") }),
  fc.string({ unit: fc.constantFrom("a", "é", "变", "🎉", "🎊") }),
  fc.string({ unit: "grapheme-ascii" }),
);

it("counts what both texts have, each n-gram as often as the one that has fewer", () => {
  fc.assert(
    fc.property(texts, texts, (reference, candidate) => {
      const counts = new CharacterNgrams(reference, 3).compare(candidate);
      const expected = [1, 2, 3].map((order) => {
        const [ours, theirs] = [plainly(candidate, order), plainly(reference, order)];
        const common = [...theirs].reduce((sum, [ngram, times]) => sum + Math.min(times, ours.get(ngram) ?? 0), 0);
        return { candidate: theirs.size > 0 ? sizeOf(ours) : 0, reference: sizeOf(theirs), common };
      });
      expect(counts).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

it("compares any number of texts", () => {
  const ngrams = new CharacterNgrams("abcabc", 2);
  const first = ngrams.compare("abab");
  expect(first).toEqual([
    { candidate: 4, reference: 6, common: 4 },
    { candidate: 3, reference: 5, common: 2 },
  ]);
  expect(ngrams.compare("abab")).toEqual(first);
});

it("holds texts that are long", () => {
  const long = Array.from({ length: 30_000 }, (_, i) => `x${i};`).join("");
  const [ones, twos] = new CharacterNgrams(long, 2).compare(long);
  expect(ones).toEqual({ candidate: long.length, reference: long.length, common: long.length });
  expect(twos!.common).toBe(long.length - 1);
});
