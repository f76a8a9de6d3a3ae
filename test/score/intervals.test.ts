import { describe, expect, it } from "vitest";
import { isPassRatios, STEPS, shortestIntervals } from "../../src/score/intervals.ts";
import { passRatios } from "./pass-ratios.ts";

const tenths = [0, 0, 0, 0, 0, 0.1, 0.2, 0.4, 0.7, 1];

describe("the shortest interval", () => {
  it("leaves out the far side of a skewed distribution, which a pair of quantiles would not", () => {
    const table = passRatios([0, tenths]);
    expect(shortestIntervals(table, 0.5)(0)).toEqual({ low: 0, high: 0.1 });
    expect(shortestIntervals(table, 0.79)(0)).toEqual({ low: 0, high: 0.4 });
    const mirrored = passRatios([1, tenths.map((one) => 1 - one).reverse()]);
    expect(shortestIntervals(mirrored, 0.79)(1)).toEqual({ low: 0.6, high: 1 });
  });

  it("is wider where fewer problems are known, and says nothing where they are too few for the coverage", () => {
    const table = passRatios([0, Array.from({ length: STEPS + 1 }, (_, i) => i / STEPS)]);
    const widthOf = (problems: number, coverage: number): number => {
      const { low, high } = shortestIntervals({ ...table, problems: [problems] }, coverage)(0);
      return high - low;
    };
    expect(widthOf(10_000, 0.8)).toBeCloseTo(0.8, 1);
    expect(widthOf(8, 0.8)).toBeCloseTo(0.9, 1); // .8 (1 + 1/8)
    expect(widthOf(9, 0.9)).toBeCloseTo(1, 1);
    expect(widthOf(8, 0.9)).toBe(1); // .9 (1 + 1/8) > 1
  });

  it("lies between those of the nearest scores, and contains the score", () => {
    const table = passRatios([0.2, [0.1, 0.2]], [0.4, [0.5, 0.6]]);
    const of = shortestIntervals(table, 0.9);
    expect(of(0.3).low).toBeCloseTo(0.3);
    expect(of(0.3).high).toBeCloseTo(0.4);
    expect(of(0.4)).toEqual({ low: 0.4, high: 0.6 });
    expect(of(0)).toEqual({ low: 0, high: 0.2 });
    expect(of(1)).toEqual({ low: 0.5, high: 1 });
  });
});

describe("a table of a file", () => {
  const table = passRatios([0, [0, 1]], [1, [1]]);

  it("is taken as it is written", () => {
    expect(isPassRatios(table)).toBe(true);
  });

  it.each([
    ["no scores", { ...table, scores: [] }],
    ["scores that fall", { ...table, scores: [1, 0] }],
    ["a distribution less", { ...table, quantiles: table.quantiles.slice(1) }],
    ["a distribution that falls", { ...table, quantiles: [[...table.quantiles[0]!].reverse(), table.quantiles[1]!] }],
    ["a short distribution", { ...table, quantiles: [[0, 1], table.quantiles[1]!] }],
    ["a PassRatio above 1", { ...table, quantiles: [table.quantiles[0]!.map((one) => 2 * one), table.quantiles[1]!] }],
    ["no problems", { ...table, problems: [0, 5] }],
    ["nothing", {} as typeof table],
  ])("is refused with %s", (_, wrong) => {
    expect(isPassRatios(wrong)).toBe(false);
  });
});
