import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEncoderFolder } from "../../../src/metrics/embedding/folder.ts";
import { matchTokens, normalizeRows } from "../../../src/metrics/embedding/match.ts";
import { keptWindows } from "../../../src/metrics/embedding/windows.ts";
import type { Pair } from "../../../src/metrics/index.ts";
import { expectedFile, recordedFolder } from "./folders.ts";

describe("a tokenizer of others gives the ids of Python's tokenizers", () => {
  const expected = JSON.parse(readFileSync(expectedFile, "utf8")) as {
    pairs: Pair[];
    tokens: Record<string, number[][]>;
  };
  const texts = expected.pairs.flatMap(({ candidate, reference, description }) => [candidate, reference, description!]);

  it.each([
    ["bert", "WordPiece", [3]],
    ["comet", "Unigram", [2, 2]],
  ])("%s: %s", async (name, _, between) => {
    const { tokenizer } = await readEncoderFolder(recordedFolder(name));
    const { head, tail } = tokenizer;
    expect(texts.map((text) => [...head, ...tokenizer.encode(text), ...tail])).toEqual(expected.tokens[name]);
    expect(tokenizer.between).toEqual(between);
  });
});

it("windows keep each token once, in order, of a full window that holds it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 4, max: 600 }), (total, size) => {
      const windows = keptWindows(total, size);
      expect(windows.map(({ keepFrom }) => keepFrom)).toEqual([0, ...windows.slice(0, -1).map(({ keepTo }) => keepTo)]);
      expect(windows.at(-1)!.keepTo).toBe(total);
      for (const { from, to, keepFrom, keepTo } of windows) {
        expect(to - from).toBe(Math.min(size, total));
        expect(from <= keepFrom && keepFrom < keepTo && keepTo <= to).toBe(true);
      }
    }),
  );
});

it("greedy matching equals its definition, for any numbers of tokens and sizes", () => {
  const side = (tokens: number, size: number) =>
    fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: tokens * size, maxLength: tokens * size });
  const sides = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 7 }))
    .chain(([n, m, size]) => fc.tuple(fc.constant(size), side(n, size), side(m, size)));
  fc.assert(
    fc.property(sides, ([size, ours, theirs]) => {
      const [a, b] = [ours, theirs].map((values) => normalizeRows(Float32Array.from(values), size));
      const rows = (all: Float32Array) =>
        Array.from({ length: all.length / size }, (_, i) => all.slice(i * size, i * size + size));
      const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, k) => sum + value * y[k]!, 0);
      const best = (from: Float32Array, to: Float32Array) =>
        rows(from).map((x) => Math.max(...rows(to).map((y) => dot(x, y))));
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const tokens = (vectors: Float32Array) => ({
        vectors,
        weights: new Float64Array(vectors.length / size).fill(1),
        content: vectors.length / size,
      });
      const { p, r, f1, f3 } = matchTokens(tokens(a!), tokens(b!), size);
      expect(p).toBeCloseTo(mean(best(a!, b!)), 9);
      expect(r).toBeCloseTo(mean(best(b!, a!)), 9);
      expect(1 / f1).toBeCloseTo((1 / p + 1 / r) / 2, 9);
      expect(1 / f3).toBeCloseTo((1 / p + 9 / r) / 10, 9);
    }),
  );
});
