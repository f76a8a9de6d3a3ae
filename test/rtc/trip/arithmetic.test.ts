import { describe, expect, it } from "vitest";
import {
  aboveThreshold,
  agreement,
  baselineByProblem,
  estimate,
  liftByProblem,
  rtcByProblem,
  sigma,
  type TripValue,
} from "../../../src/rtc/trip/arithmetic.ts";

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
    // p: mean(mean(1, 0), 1) = 0.75; q: mean(1, 0) = 0.5; r: none
    expect(close(rtcByProblem(aboveThreshold(values, 0.5)))).toEqual([
      ["p", 0.75],
      ["q", 0.5],
    ]);
  });

  it("weighs problems alike and gives them an interval", () => {
    const found = estimate(rtcByProblem(values), 0)!;
    expect(found.value).toBeCloseTo(0.55, 12);
    expect(found.problems).toBe(2);
    // Two problems: a resample has mean 0.5, 0.55 or 0.6. Each outer mean has probability 1/4.
    expect(found.interval![0]).toBeCloseTo(0.5, 12);
    expect(found.interval![1]).toBeCloseTo(0.6, 12);
  });

  it("has no interval from one problem and no value from none", () => {
    expect(estimate(new Map([["p", 0.5]]), 0)).toEqual({ value: 0.5, interval: null, problems: 1 });
    expect(estimate(new Map(), 0)).toBeNull();
  });
});

describe("sigma", () => {
  const row = (repeat: number, task: string, value: number | null, forward = repeat): TripValue => ({
    ...{ task, forward, repeat, value },
  });

  it("is the sample standard deviation of the RTC of whole runs", () => {
    // RTC of the three runs: .375, .625 and .5; numpy: std([.375, .625, .5], ddof=1)
    const runs = [
      [0.5, 0.25],
      [0.75, 0.5],
      [1, 0],
    ].flatMap(([p, q], i) => [row(i, "p", p!), row(i, "q", q!)]);
    expect(sigma(runs)).toEqual({ value: expect.closeTo(0.125, 12), of: "repeats", count: 3 });
    // A problem that one run lacks is left out of all: p alone has std([.5, .75, 1], ddof=1).
    const fewer = runs.map((one) => (one.task === "q" && one.repeat === 1 ? { ...one, value: null } : one));
    expect(sigma(fewer)).toEqual({ value: expect.closeTo(0.25, 12), of: "repeats", count: 3 });
  });

  it("is estimated from the forward samples of a single run", () => {
    // numpy: sqrt((var([1, .5, 0], ddof=1) / 3 + var([.9, .3], ddof=1) / 2) / 4); r has only one sample and does not count
    const run = [[1, 0.5, 0], [0.9, 0.3], [0.2]].flatMap((values, t) =>
      values.map((value, forward) => row(0, "pqr"[t]!, value, forward)),
    );
    expect(sigma(run)).toEqual({ value: expect.closeTo(0.20816659994661327, 12), of: "forward samples", count: 2 });
  });

  it("is not known where nothing was drawn twice", () => {
    expect(sigma([row(0, "p", 1), row(0, "q", 0)])).toBeNull();
    expect(sigma([])).toBeNull();
  });
});

describe("agreement", () => {
  it("is Spearman's correlation, and accuracy and kappa where both have thresholds", () => {
    // By hand: yes/no of a at 0.5 is 1 1 0 1, and of b 1 1 0 0. Agreement 3/4; chance 3/4 * 2/4 + 1/4 * 2/4 = 1/2;
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
