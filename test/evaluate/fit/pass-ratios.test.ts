import { describe, expect, it } from "vitest";
import { passRatiosNear, type ScoredProgram } from "../../../src/evaluate/fit/pass-ratios.ts";
import { isPassRatios, shortestIntervals } from "../../../src/score/intervals.ts";
import { Random } from "../../../src/util/random.ts";

/** Ten programs a problem. A third passes nothing, a third everything; between, PassRatio is near the score, or anything for a twentieth. */
function programs(count: number, seed: number): ScoredProgram[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i) => {
    const problem = `p${Math.floor(i / 10)}`;
    if (random.chance(1 / 3)) return { problem, score: 0, passRatio: random.chance(0.02) ? 0.5 : 0 };
    if (random.chance(1 / 2)) return { problem, score: 1, passRatio: 1 };
    const score = random.float();
    const near = Math.min(1, Math.max(0, score + 0.2 * (random.float() - 0.5)));
    return { problem, score, passRatio: random.chance(0.05) ? random.float() : near };
  });
}

describe("PassRatios of programs with similar scores", () => {
  it("give intervals that hold at least what they say, on other problems, and are not much wider", () => {
    const table = passRatiosNear(programs(6000, 1))!;
    expect(isPassRatios(table)).toBe(true);
    const between = programs(6000, 2).filter(({ score }) => score > 0 && score < 1);
    for (const [coverage, widest] of [
      [0.5, 0.2],
      [0.9, 0.35],
    ] as const) {
      const of = shortestIntervals(table, coverage);
      const held = between.filter(({ score, passRatio }) => of(score).low <= passRatio && passRatio <= of(score).high);
      expect(held.length / between.length).toBeGreaterThan(coverage);
      const width = between.reduce((sum, { score }) => sum + of(score).high - of(score).low, 0) / between.length;
      expect(width).toBeLessThan(widest);
    }
  });

  it("keep programs that agree on nothing, or on everything, apart from all others, unless they are few", () => {
    const random = new Random(3);
    const between = Array.from({ length: 1000 }, (_, i): ScoredProgram => {
      const score = (i + 1) / 1002;
      return { problem: `p${i}`, score, passRatio: Math.min(1, Math.max(0, score + 0.3 * (random.float() - 0.5))) };
    });
    const at = (score: number, count: number): ScoredProgram[] =>
      Array.from({ length: count }, (_, i) => ({ problem: `${score} ${i}`, score, passRatio: score }));
    const of = (count: number) =>
      shortestIntervals(passRatiosNear([...at(0, count), ...between, ...at(1, count)])!, 0.9);
    expect(of(60)(0)).toEqual({ low: 0, high: 0 });
    expect(of(60)(1)).toEqual({ low: 1, high: 1 });
    expect(of(10)(0).high).toBeGreaterThan(0.05);
    expect(of(10)(1).low).toBeLessThan(0.95);
  });

  it("count problems, not programs", () => {
    const { scores, problems } = passRatiosNear(programs(1000, 4))!;
    expect(problems[scores.indexOf(1)]).toBeLessThanOrEqual(100);
    expect(problems[scores.indexOf(1)]).toBeGreaterThan(80);
  });

  it("are none without a program, and one distribution with one", () => {
    expect(passRatiosNear([])).toBeNull();
    const table = passRatiosNear([{ problem: "p", score: 0.5, passRatio: 0.25 }])!;
    expect(new Set(table.quantiles.flat())).toEqual(new Set([0.25]));
    expect(shortestIntervals(table, 0.9)(0.5)).toEqual({ low: 0, high: 1 }); // one problem is too few
  });
});
