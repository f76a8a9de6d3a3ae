/** The statistics for ratings by people, compared with scipy and NLTK (scripts/record/ratings.py). */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { krippendorffAlpha, signedRank } from "../../src/statistics/index.ts";

const recorded = JSON.parse(readFileSync(new URL("../fixtures/metrics/ratings.json", import.meta.url), "utf8")) as {
  signed_rank: { name: string; differences: number[]; statistic: number; p: number }[];
  krippendorff_ordinal: { name: string; units: number[][]; alpha: number }[];
};

it.each(recorded.signed_rank)("signed rank test as scipy's: $name", ({ differences, statistic, p }) => {
  const found = signedRank(differences);
  expect(found.statistic).toBe(statistic);
  expect(found.pValue).toBeCloseTo(p, 12);
  expect(signedRank(differences.map((difference) => -difference)).pValue).toBe(found.pValue);
});

it("says nothing where nothing differs, and refuses what is no number", () => {
  expect(signedRank([0, 0])).toEqual({ n: 0, statistic: 0, pValue: 1 });
  expect(signedRank([])).toEqual({ n: 0, statistic: 0, pValue: 1 });
  expect(() => signedRank([1, Number.NaN])).toThrow("row 1 of differences");
});

it("counts the signs of hundreds of pairs", () => {
  const { pValue } = signedRank(Array.from({ length: 500 }, (_, i) => (i % 10 < 6 ? 1 : -1)));
  // All ranks are equal, so this is the sign test for 300 of 500: scipy.stats.binomtest(300, 500).pvalue
  expect(pValue / 8.940066542253288e-6).toBeCloseTo(1, 9);
});

it.each(recorded.krippendorff_ordinal)("Krippendorff's alpha as NLTK's: $name", ({ units, alpha }) => {
  expect(krippendorffAlpha(units)).toBeCloseTo(alpha, 12);
});

it("has no alpha where values cannot differ", () => {
  expect(krippendorffAlpha([[1], [2]])).toBeNaN();
  expect(krippendorffAlpha([[3, 3], [3]])).toBeNaN();
});
