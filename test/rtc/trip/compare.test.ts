import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CodescoreError } from "../../../src/errors.ts";
import { type Comparison, compareAll } from "../../../src/rtc/trip/compare.ts";
import type { SignedSimilarity } from "../../../src/rtc/trip/similarity.ts";
import type { SimilarityPair } from "../../../src/types.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "compare-"));
});
afterEach(() => rm(folder, { recursive: true }));

const run = (comparisons: readonly Comparison[], similarities: readonly SignedSimilarity[]) =>
  compareAll(comparisons, similarities, { journal: join(folder, "comparisons.jsonl"), quiet: true });

const of = (candidate: string, fingerprint = "tests-1"): Comparison => ({
  pair: { reference: "r", candidate, problemId: "t" },
  fingerprint,
});

/** Reads the candidate's text as a number, and records its inputs. */
const reading = (over: Partial<SignedSimilarity> = {}) => {
  const seen: string[] = [];
  const similarity: SignedSimilarity = {
    name: "read",
    compare: async (pairs: readonly SimilarityPair[]) =>
      pairs.map(({ candidate }) => {
        seen.push(candidate);
        return Number(candidate);
      }),
    ...over,
  };
  return { similarity, seen };
};

describe("comparing", () => {
  it("looks at equal pairs once, within a run and over runs", async () => {
    const { similarity, seen } = reading();
    const comparisons = [of("0.5"), of("0.25"), of("0.5")];
    for (let i = 0; i < 2; i++) {
      expect((await run(comparisons, [similarity])).get("read")).toEqual({ values: [0.5, 0.25, 0.5], unscored: null });
    }
    expect(seen).toEqual(["0.5", "0.25"]);
  });

  it("looks again when the tests, the signature or the similarity are others", async () => {
    const first = reading();
    await run([of("0.5")], [first.similarity]);
    await run([of("0.5", "tests-2")], [first.similarity]);
    const signed = reading({ signature: "v2" });
    const named = reading({ name: "other" });
    await run([of("0.5")], [signed.similarity, named.similarity]);
    expect([first.seen.length, signed.seen.length, named.seen.length]).toEqual([2, 1, 1]);
  });

  it("goes on after a failure with what was compared before it", async () => {
    let calls = 0;
    const seen: string[] = [];
    const similarity = reading({
      compare: async (pairs) => {
        calls += 1;
        if (calls === 2) throw new Error("killed");
        return pairs.map(({ candidate }) => {
          seen.push(candidate);
          return Number(candidate);
        });
      },
    }).similarity;
    const comparisons = Array.from({ length: 70 }, (_, i) => of(String(i / 100)));
    await expect(run(comparisons, [similarity])).rejects.toThrow("killed");
    expect((await run(comparisons, [similarity])).get("read")!.values).toEqual(comparisons.map((_, i) => i / 100));
    expect(new Set(seen).size).toBe(70);
    expect(seen).toHaveLength(70);
  });

  it("counts a candidate that is empty as 0 without looking", async () => {
    const { similarity, seen } = reading();
    expect((await run([of("")], [similarity])).get("read")!.values).toEqual([0]);
    expect(seen).toEqual([]);
  });

  it("keeps what cannot be scored as null, counts it, and tries it again the next time", async () => {
    const { similarity, seen } = reading({ name: "read" });
    const comparisons = [of("0.5"), of("nan"), of("nan")];
    for (let i = 0; i < 2; i++) {
      expect((await run(comparisons, [similarity])).get("read")).toEqual({
        values: [0.5, null, null],
        unscored: { count: 2, reason: "read gave no value" },
      });
    }
    expect(seen).toEqual(["0.5", "nan", "nan"]);
  });

  it("does not let one pair that is refused cost the others their values", async () => {
    const { similarity } = reading({
      compare: async (pairs) => {
        if (pairs.some(({ candidate }) => candidate === "bad")) throw new CodescoreError("input", "too long");
        return pairs.map(({ candidate }) => Number(candidate));
      },
    });
    expect((await run([of("0.5"), of("bad"), of("1")], [similarity])).get("read")).toEqual({
      values: [0.5, null, 1],
      unscored: { count: 1, reason: "too long" },
    });
  });

  it.each([
    ["too few values", async () => [], "expected 1 values, got 0"],
    ["a value out of range", async () => [1.5], "expected values in [0, 1], got 1.5"],
  ])("stops at a similarity that gives %s", async (_, compare, message) => {
    await expect(run([of("1")], [reading({ compare }).similarity])).rejects.toThrow(message);
  });
});
