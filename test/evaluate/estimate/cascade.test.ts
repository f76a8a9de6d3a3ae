import { describe, expect, it } from "vitest";
import { cascade, cascadeTable, describeCascade } from "../../../src/evaluate/index.ts";
import { toText } from "../../../src/report/index.ts";
import { columnOf, noisyScores, rowsOf, simulatedRows } from "../rows.ts";

const curveOf = (result: ReturnType<typeof cascade>, policy: string) =>
  result.curves.find((curve) => curve.policy === policy)!.points;

describe("cascade", () => {
  it("counts what a small case shows by hand", () => {
    // Scores .9 .6 .4 .1 for PassRatios 1 0 1 0: at threshold .5 the two in the middle are wrong.
    const rows = rowsOf([
      [1, 0],
      [1, 0],
    ]);
    const result = cascade({ rows, column: columnOf("m", [0.9, 0.6, 0.4, 0.1]), threshold: 0.5 });
    const at = (policy: string, share: number) => curveOf(result, policy).find((point) => point.share === share)!;
    expect(at("unsure", 0)).toMatchObject({ accuracy: 0.5, mae: (0.1 + 0.6 + 0.6 + 0.1) / 4 });
    expect(at("unsure", 0.25).accuracy).toBe(0.75);
    expect(at("unsure", 0.25).mae).toBeCloseTo(0.2, 12);
    expect(at("unsure", 0.5).accuracy).toBe(1);
    expect(at("unsure", 0.5).spearman).toBeCloseTo(2 / Math.sqrt(5), 12); // .9 0 1 .1 and 1 0 1 0
    expect(at("unsure", 0.5).mae).toBeCloseTo(0.05, 12);
    expect(at("oracle", 0.5).accuracy).toBe(1);
    expect(result).toMatchObject({ programs: 4, tasks: 2, threshold: 0.5, picked: false });
    expect(result.gain.accuracy).toBe(1);
    expect(result.gain.mae).toBeCloseTo(1, 12);
  });

  const rows = simulatedRows(30, 20, 8);
  const column = columnOf("m", noisyScores(rows, 0.3, 2));

  it("ends at certainty, and no policy beats the oracle", () => {
    const result = cascade({ rows, column });
    for (const policy of ["unsure", "random", "oracle"]) {
      const points = curveOf(result, policy);
      expect(points[0]!.share).toBe(0.05);
      expect(points.at(-1)).toMatchObject({ share: 1, accuracy: 1, mae: 0 });
      expect(points.at(-1)!.spearman).toBeCloseTo(1, 12);
      points.forEach((point, i) => {
        expect(point.accuracy).toBeLessThanOrEqual(curveOf(result, "oracle")[i]!.accuracy + 1e-12);
        expect(point.mae).toBeGreaterThanOrEqual(curveOf(result, "oracle")[i]!.mae - 1e-12);
      });
    }
    expect(result.picked).toBe(true);
  });

  it("is a straight line at random, within its noise", () => {
    const points = curveOf(cascade({ rows, column, threshold: 0.8 }), "random");
    for (const { share, accuracy, mae } of points) {
      expect(Math.abs(accuracy - (points[0]!.accuracy + share * (1 - points[0]!.accuracy)))).toBeLessThan(0.015);
      expect(Math.abs(mae - (1 - share) * points[0]!.mae)).toBeLessThan(0.015);
    }
  });

  it("gains with a good scorer and nothing without one", () => {
    expect(cascade({ rows, column }).gain.accuracy!).toBeGreaterThan(0.3);
    const blind = columnOf(
      "blind",
      noisyScores(rows, 0, 1).map((_, i) => ((i * 7919) % 1000) / 1000),
    );
    expect(Math.abs(cascade({ rows, column: blind, threshold: 0.5 }).gain.accuracy!)).toBeLessThan(0.15);
  });

  it("is the same for the same seed, and another for another", () => {
    expect(cascade({ rows, column, seed: 3 })).toEqual(cascade({ rows, column, seed: 3 }));
    expect(cascade({ rows, column, seed: 4 }).threshold).not.toBe(cascade({ rows, column, seed: 3 }).threshold);
  });

  it("leaves out what has no label, and says what it measured", () => {
    const some = rows.map((row, i) => (i < 5 ? { ...row, pass_ratio: null } : row));
    const result = cascade({ rows: some, column, threshold: 0.5 });
    expect(result.programs).toBe(595);
    expect(describeCascade(result)[0]).toContain("595 programs of 30 tasks.");
    expect(toText(cascadeTable(result)).split("\n")).toHaveLength(22);
    expect(() => cascade({ rows, column, threshold: Number.NaN })).toThrow("a threshold that is a number");
  });
});
