import { describe, expect, it } from "vitest";
import {
  aboveThreshold,
  agreement,
  baselineByProblem,
  estimate,
  liftByProblem,
  rtcByProblem,
  type TripValue,
} from "../../src/rtc/arithmetic.ts";

/*
 * Worked by hand. Values of the backward samples, by problem and forward sample:
 *
 *   problem  forward 0   forward 1   forward 2   baseline
 *   p        1.0  0.0    0.5         -           0.2 0.4
 *   q        0.9         (none)      0.3         -
 *   r        (none)                              0.5
 *
 * RTC(p) = mean(mean(1, 0), 0.5) = 0.5, not the pooled mean (1 + 0 + 0.5) / 3; RTC(q) = mean(0.9, 0.3) = 0.6.
 * Baseline(p) = 0.3, lift(p) = 0.2; q has no baseline, r no round trip.
 */
const values: TripValue[] = [
  { task: "p", forward: 0, value: 1 },
  { task: "p", forward: 0, value: 0 },
  { task: "p", forward: 1, value: 0.5 },
  { task: "q", forward: 0, value: 0.9 },
  { task: "q", forward: 1, value: null },
  { task: "q", forward: 2, value: 0.3 },
  { task: "r", forward: 0, value: null },
  { task: "p", forward: null, value: 0.2 },
  { task: "p", forward: null, value: 0.4 },
  { task: "r", forward: null, value: 0.5 },
];

const close = (map: ReadonlyMap<string, number>): [string, number][] =>
  [...map].map(([key, value]) => [key, Number(value.toFixed(12))]);

describe("RTC", () => {
  it("is the mean over forward samples of the mean over backward ones, and leaves out what is missing", () => {
    expect(close(rtcByProblem(values))).toEqual([
      ["p", 0.5],
      ["q", 0.6],
    ]);
  });

  it("has its lift where there are both a round trip and a baseline", () => {
    expect(close(baselineByProblem(values))).toEqual([
      ["p", 0.3],
      ["r", 0.5],
    ]);
    expect(close(liftByProblem(values))).toEqual([["p", 0.2]]);
  });

  it("counts a value at the threshold as a yes and a smaller one above zero as a no", () => {
    // p: mean(mean(1, 0), 1) = 0.75; q: mean(1, 0) = 0.5; r: nothing
    expect(close(rtcByProblem(aboveThreshold(values, 0.5)))).toEqual([
      ["p", 0.75],
      ["q", 0.5],
    ]);
  });

  it("weighs problems alike and gives them an interval", () => {
    const found = estimate(rtcByProblem(values), 0)!;
    expect(found.value).toBeCloseTo(0.55, 12);
    expect(found.problems).toBe(2);
    // Two problems: a resample has mean 0.5, 0.55 or 0.6, the outer ones a quarter of the time each.
    expect(found.interval![0]).toBeCloseTo(0.5, 12);
    expect(found.interval![1]).toBeCloseTo(0.6, 12);
  });

  it("has no interval from one problem and no value from none", () => {
    expect(estimate(new Map([["p", 0.5]]), 0)).toEqual({ value: 0.5, interval: null, problems: 1 });
    expect(estimate(new Map(), 0)).toBeNull();
  });
});

describe("agreement", () => {
  it("is Spearman's correlation, and accuracy and kappa where both have thresholds", () => {
    // By hand: yes/no of a at 0.5 is 1 1 0 1, of b is 1 1 0 0. Agreement 3/4; chance 3/4 * 2/4 + 1/4 * 2/4 = 1/2;
    // kappa (3/4 - 1/2) / (1/2) = 1/2. Spearman by scipy.stats.spearmanr: 0.894427190999916
    const a = [0.9, 0.8, 0.1, 0.6, 0.7];
    const b = [1, 1, 0, 0, null];
    const found = agreement(a, b, { a: 0.5, b: 1 });
    expect(found.pairs).toBe(4);
    expect(found.spearman).toBeCloseTo(0.894427190999916, 12);
    expect(found.accuracy).toBeCloseTo(0.75, 12);
    expect(found.kappa).toBeCloseTo(0.5, 12);
  });

  it("has no kappa without thresholds and no correlation with what does not vary", () => {
    expect(agreement([0.1, 0.2], [0.3, 0.1], { a: undefined, b: 1 })).toEqual({
      pairs: 2,
      spearman: expect.closeTo(-1, 12),
      accuracy: null,
      kappa: null,
    });
    expect(agreement([1, 1], [0.3, 0.1], { a: 1, b: 0.05 })).toMatchObject({
      spearman: null,
      accuracy: 1,
      kappa: null,
    });
  });
});
