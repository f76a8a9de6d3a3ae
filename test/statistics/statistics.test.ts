import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  bestThreshold,
  detection,
  kendallTauB,
  kendallTauBOfRows,
  meanAbsoluteError,
  passAtK,
  pearson,
  pearsonOfRows,
  rocAuc,
  rocAucOfRows,
  rocCurve,
  spearman,
  spearmanOfRows,
} from "../../src/statistics/index.ts";
import { Random } from "../../src/util/random.ts";

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/metrics/${name}`, import.meta.url), "utf8"));

/** Expects equality to 1e-9 of the expected value. null stands for NaN. */
function expectEqual(got: number, expected: number | null): void {
  if (expected === null) expect(got).toBeNaN();
  else {
    const message = `got ${got}, expected ${expected}`;
    expect(Math.abs(got - expected), message).toBeLessThanOrEqual(1e-9 * Math.abs(expected));
  }
}

interface Recorded {
  readonly name: string;
  readonly x: number[];
  readonly y: number[];
  readonly kendall_tau_b: number | null;
  readonly spearman: number | null;
  readonly pearson: number | null;
  readonly mae: number | null;
}

describe.each(["correlations.json", "correlations-hard.json"])("scipy's recorded values, %s", (file) => {
  const { cases } = fixture(file) as { cases: Recorded[] };
  test.each(cases.map((row) => [row.name, row] as const))("%s", (_, row) => {
    expectEqual(kendallTauB(row.x, row.y), row.kendall_tau_b);
    expectEqual(spearman(row.x, row.y), row.spearman);
    expectEqual(pearson(row.x, row.y), row.pearson);
    expectEqual(meanAbsoluteError(row.x, row.y), row.mae);
  });
});

describe("pass@k", () => {
  const cases = fixture("pass_at_k.json") as { n: number; c: number; k: number; value: number }[];
  test.each(cases.map((row) => [row.n, row.c, row.k, row.value]))("n=%d, c=%d, k=%d is %d", (n, c, k, value) => {
    expect(passAtK(n, c, k)).toBeCloseTo(value, 9);
  });

  test.each([
    [5, 6, 1],
    [5, -1, 1],
    [5, 1, 0],
    [5, 1, 6],
    [5.5, 1, 1],
  ])("n=%d, c=%d, k=%d is refused", (n, c, k) => {
    expect(() => passAtK(n, c, k)).toThrow(`got n=${n}, c=${c}, k=${k}`);
  });
});

/** tau-b by its definition, over all pairs. */
function slowTau(x: readonly number[], y: readonly number[]): number {
  let [score, xPairs, yPairs] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const dx = Math.sign(x[i]! - x[j]!);
      const dy = Math.sign(y[i]! - y[j]!);
      score += dx * dy;
      xPairs += dx * dx;
      yPairs += dy * dy;
    }
  }
  return score / Math.sqrt(xPairs * yPairs);
}

/** AUC by its definition, over all pairs. */
function slowAuc(scores: readonly number[], positive: readonly boolean[]): number {
  let [wins, pairs] = [0, 0];
  scores.forEach((a, i) => {
    scores.forEach((b, j) => {
      if (!positive[i] || positive[j]) return;
      pairs += 1;
      wins += a > b ? 1 : a === b ? 0.5 : 0;
    });
  });
  return wins / pairs;
}

describe("against their definitions", () => {
  const column = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), fc.boolean()), {
    minLength: 2,
    maxLength: 60,
  });

  it("tau-b and AUC agree with a loop over all pairs", () => {
    fc.assert(
      fc.property(column, (rows) => {
        const x = rows.map(([a]) => a);
        const y = rows.map(([, b]) => b);
        const positive = rows.map(([, , p]) => p);
        const pairs = [
          [kendallTauB(x, y), slowTau(x, y)],
          [rocAuc(x, positive), slowAuc(x, positive)],
        ] as const;
        for (const [got, expected] of pairs) expectEqual(got, Number.isNaN(expected) ? null : expected);
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it("the area below the ROC curve is the AUC", () => {
    fc.assert(
      fc.property(column, (rows) => {
        const scores = rows.map(([a]) => a);
        const positive = rows.map(([, , p]) => p);
        const curve = rocCurve(scores, positive);
        if (curve.length === 0) return;
        expect(curve[0]).toEqual({ falsePositiveRate: 0, truePositiveRate: 0 });
        expect(curve.at(-1)).toEqual({ falsePositiveRate: 1, truePositiveRate: 1 });
        let area = 0;
        for (let i = 1; i < curve.length; i++) {
          const [a, b] = [curve[i - 1]!, curve[i]!];
          area += ((b.falsePositiveRate - a.falsePositiveRate) * (a.truePositiveRate + b.truePositiveRate)) / 2;
        }
        expect(area).toBeCloseTo(rocAuc(scores, positive), 12);
      }),
      { numRuns: 100, seed: 4 },
    );
  });

  it.each([
    ["Spearman", spearmanOfRows, spearman],
    ["tau-b", kendallTauBOfRows, kendallTauB],
    ["Pearson", pearsonOfRows, pearson],
  ])("the %s of chosen rows is that of those rows copied out", (_, statisticOfRows, statistic) => {
    const random = new Random(5);
    const x = Array.from({ length: 50 }, () => random.int(0, 12));
    const y = x.map((value) => value + random.int(0, 9));
    const ofRows = statisticOfRows(x, y);
    for (let i = 0; i < 20; i++) {
      const rows = Int32Array.from({ length: 70 }, () => random.int(0, 49));
      const copied = [x, y].map((values) => Array.from(rows, (row) => values[row]!)) as [number[], number[]];
      expect(ofRows(rows)).toBeCloseTo(statistic(...copied), 12);
    }
  });

  it("the AUC of chosen rows is that of those rows copied out", () => {
    const random = new Random(6);
    const scores = Array.from({ length: 50 }, () => random.int(0, 12));
    const positive = scores.map((score) => score + random.int(0, 9) > 10);
    const ofRows = rocAucOfRows(scores, positive);
    for (let i = 0; i < 20; i++) {
      const rows = Array.from({ length: 70 }, () => random.int(0, 49));
      const copied = [rows.map((row) => scores[row]!), rows.map((row) => positive[row]!)] as const;
      expect(ofRows(Int32Array.from(rows))).toBeCloseTo(slowAuc(...copied), 12);
    }
  });

  it("the best threshold is the one of all thresholds whose classes correlate best, by Pearson's r", () => {
    fc.assert(
      fc.property(column, (rows) => {
        const scores = rows.map(([a]) => a);
        const positive = rows.map(([, , p]) => p);
        const r = (threshold: number): number =>
          pearson(
            scores.map((score) => Number(score >= threshold)),
            positive.map(Number),
          );
        const best = Math.max(...scores.map(r).filter((value) => !Number.isNaN(value)));
        const found = bestThreshold(scores, positive);
        if (best === Number.NEGATIVE_INFINITY) expect(found).toBeNaN();
        else {
          expect(r(found)).toBeCloseTo(best, 12);
          expect(detection(scores, positive, found).phi).toBeCloseTo(best, 12);
        }
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});

describe("unusual columns", () => {
  it("names the row of a NaN and the column", () => {
    const [good, bad] = [
      [1, 2, 3],
      [1, 2, Number.NaN],
    ];
    for (const statistic of [kendallTauB, spearman, pearson, meanAbsoluteError, spearmanOfRows]) {
      expect(() => statistic(good, bad)).toThrow("expected a number in row 2 of y (counted from 0), got NaN");
      expect(() => statistic(bad, good)).toThrow("row 2 of x");
    }
    expect(() => rocAuc(bad, [true, false, true])).toThrow("row 2 of scores");
  });

  it("names the row of something that is no number at all", () => {
    expect(() => spearman([1, null as unknown as number], [1, 2])).toThrow("row 1 of x (counted from 0), got null");
  });

  it("ranks infinities but does not average them", () => {
    expect(spearman([1, 2, Number.POSITIVE_INFINITY], [1, 2, 3])).toBeCloseTo(1, 12);
    expect(() => pearson([1, 2, Number.POSITIVE_INFINITY], [1, 2, 3])).toThrow("row 2 of x");
  });

  it("refuses columns of two lengths", () => {
    expect(() => pearson([1, 2], [1])).toThrow("2 in x, 1 in y");
    expect(() => rocAuc([1, 2], [true])).toThrow("2 scores and 1 classes");
  });

  it("is undefined, not wrong, where there is nothing to say", () => {
    for (const statistic of [kendallTauB, spearman, pearson]) {
      expect(statistic([], [])).toBeNaN();
      expect(statistic([1], [1])).toBeNaN();
      expect(statistic([0.1, 0.1, 0.1], [1, 2, 3])).toBeNaN();
      expect(statistic([1e300, 1e300], [1, 2])).toBeNaN();
    }
    expect(rocAuc([1, 2], [true, true])).toBeNaN();
    expect(meanAbsoluteError([], [])).toBeNaN();
  });

  it("treats 0 and -0 as one value", () => {
    expect(kendallTauB([0, -0, 1], [1, 1, 2])).toBeCloseTo(1, 12);
  });
});

test("precision, recall and F1 at a threshold", () => {
  const found = detection([0.9, 0.5, 0.4, 0.1, 0.7], [true, true, true, false, false]);
  expect(found.precision).toBeCloseTo(2 / 3, 12);
  expect(found.recall).toBeCloseTo(2 / 3, 12);
  expect(found.f1).toBeCloseTo(2 / 3, 12);
  expect(found.accuracy).toBeCloseTo(3 / 5, 12);
  expect(detection([0.1, 0.2], [true, false])).toEqual({
    precision: Number.NaN,
    recall: 0,
    f1: 0,
    accuracy: 0.5,
    phi: Number.NaN,
  });
});

test("two hundred thousand rows take as long as sorting them a few times", () => {
  const random = new Random(1);
  const x = Float64Array.from({ length: 200_000 }, () => random.float());
  const y = x.map((value) => Math.round(100 * (value + random.float())) / 100);
  const timed = <T>(work: () => T): { seconds: number; value: T } => {
    const began = process.cpuUsage();
    const value = work();
    const { user, system } = process.cpuUsage(began);
    return { seconds: (user + system) / 1e6, value };
  };
  // CPU time relative to sorting the same rows, because a busy machine slows both. Comparing all pairs would take hours.
  const sorting = timed(() => Float64Array.from(x).sort());
  const { seconds, value } = timed(() => ({ tau: kendallTauB(x, y), rho: spearman(x, y), r: pearson(x, y) }));
  // x and x + u, with u uniform: r = 1/sqrt(2); tau is below it, and rho is close to it.
  expect(value.r).toBeCloseTo(Math.SQRT1_2, 2);
  expect(value.rho).toBeGreaterThan(0.65);
  expect(value.tau).toBeGreaterThan(0.45);
  expect(seconds / sorting.seconds).toBeLessThan(100);
});
