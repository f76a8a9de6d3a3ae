import { describe, expect, it } from "vitest";
import { pearsonInterval, permutationP } from "../../src/statistics/index.ts";
import { averageRanks, denseRanks } from "../../src/statistics/ranks.ts";

const ranks = (values: readonly number[]) => averageRanks(denseRanks(values));

// By scipy 1.17.1: stats.permutation_test((x,), lambda a: stats.pearsonr(a, y).statistic, permutation_type="pairings",
// n_resamples=inf).pvalue, and the same with spearmanr. The first two rows are Table 2 of Allamanis et al. 2024.
const cases: readonly [string, number[], number[], number, number][] = [
  [
    "seven models",
    [8.3, 10.6, 18.3, 18.9, 31.7, 34.8, 40.2],
    [19.5, 29.3, 37.6, 33.4, 46.3, 63.4, 75.6],
    0.0007936507936507937,
    0.002777777777777778,
  ],
  [
    "seven others",
    [2.7, 3.5, 6.5, 7.7, 11.1, 12.1, 15.1],
    [5.5, 8.2, 15.3, 14.4, 18.3, 25.4, 24.8],
    0.001984126984126984,
    0.006746031746031746,
  ],
  ["ties on both sides", [0.1, 0.2, 0.2, 0.5, 0.4], [1, 2, 3, 3, 5], 0.3, 0.2],
  ["three pairs", [1, 2, 3], [3, 1, 2], 1, 1],
];

describe("the permutation test", () => {
  it.each(cases)("goes through every order: %s", (_, x, y, p, pOfRanks) => {
    expect(permutationP(x, y)).toBeCloseTo(p, 12);
    expect(permutationP(ranks(x), ranks(y))).toBeCloseTo(pOfRanks, 12);
  });

  it("draws orders of many pairs, the same for the same seed", () => {
    // x: 14 normal numbers of numpy's default_rng(1); y: .5 x plus 14 others. p: scipy's, from 2,000,000 permutations.
    const x = [0.346, 0.822, 0.33, -1.303, 0.905, 0.446, -0.537, 0.581, 0.365, 0.294, 0.028, 0.547, -0.736, -0.163];
    const y = [-0.309, 1.01, 0.205, -0.944, -0.329, -0.034, -0.26, 0.015, 1.477, 1.154, -2.697, -1.616, -0.543, -0.504];
    const p = permutationP(x, y, 3);
    expect(permutationP(x, y, 3)).toBe(p);
    expect(p).not.toBe(permutationP(x, y, 4));
    expect(Math.abs(p - 0.28962)).toBeLessThan(0.006); // four standard errors of 99,999 permutations
  });

  it("has no p where nothing varies, and refuses columns of other lengths", () => {
    expect(permutationP([1, 1, 1], [1, 2, 3])).toBeNaN();
    expect(permutationP([1], [1])).toBeNaN();
    expect(() => permutationP([1, 2], [1])).toThrow("expected columns of one length");
  });
});

describe("the interval of r", () => {
  it("is Fisher's", () => {
    // scipy 1.17.1: stats.pearsonr(x, y).confidence_interval() for the first case.
    const interval = pearsonInterval(0.9591354489773724, 7)!;
    expect(interval.low).toBeCloseTo(0.7420453978031317, 12);
    expect(interval.high).toBeCloseTo(0.9941408239146818, 12);
  });

  it("is not to be had from three pairs", () => expect(pearsonInterval(0.9, 3)).toBeNull());
});
