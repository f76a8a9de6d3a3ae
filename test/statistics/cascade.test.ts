import { describe, expect, it, test } from "vitest";
import { byDoubt, decisionThreshold, doubt } from "../../src/statistics/index.ts";
import { Random } from "../../src/util/random.ts";

test("the nearest to the threshold come first, equals in row order", () => {
  expect(byDoubt([0.1, 0.9, 0.5, 0.6, 0.4], 0.5)).toEqual([2, 3, 4, 0, 1]);
  expect(byDoubt([0.1, 0.9, 0.5, 0.6, 0.4], 0.9)).toEqual([1, 3, 2, 4, 0]);
  expect(doubt(0.75)).toBe(0.75);
  expect(() => byDoubt([0.1, Number.NaN], 0.5)).toThrow("row 1 of scores");
});

describe("the threshold of decisions", () => {
  it.each<[string, number[], boolean[], number]>([
    ["parts the classes", [0.1, 0.2, 0.8, 0.9], [false, false, true, true], 0.8],
    ["is above all where most fail", [0.5, 0.5, 0.5], [false, false, true], Number.POSITIVE_INFINITY],
    ["is the lowest score where most pass", [0.5, 0.5, 0.5], [true, false, true], 0.5],
    ["does not part equal scores", [0.2, 0.7, 0.7, 0.7], [false, true, false, true], 0.7],
    ["is the middle one of three as good", [0.1, 0.2, 0.3, 0.4], [true, false, true, false], 0.3],
  ])("%s", (_, scores, passes, expected) => {
    expect(decisionThreshold(scores, passes)).toBe(expected);
  });

  it("is as good as the best of all thresholds there are", () => {
    const random = new Random(5);
    for (let round = 0; round < 200; round++) {
      const scores = Array.from({ length: 15 }, () => random.int(0, 8) / 8);
      const passes = scores.map((score) => random.chance(0.2 + 0.6 * score));
      const right = (t: number) => scores.filter((score, i) => score >= t === passes[i]).length;
      const best = Math.max(...[...scores, Number.POSITIVE_INFINITY].map(right));
      expect(right(decisionThreshold(scores, passes))).toBe(best);
    }
  });

  it("needs rows", () => {
    expect(() => decisionThreshold([], [])).toThrow("got 0 scores and 0 classes");
  });
});
