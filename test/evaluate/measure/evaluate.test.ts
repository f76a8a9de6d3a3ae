import { describe, expect, it, test } from "vitest";
import { compare, describeRows, evaluate, metricColumn, toJson } from "../../../src/evaluate/index.ts";
import { getMetric } from "../../../src/metrics/index.ts";
import { spearman } from "../../../src/statistics/index.ts";
import { columnOf, labelledRow, noisyScores, rowsOf, simulatedRows } from "../rows.ts";

const named = (result: ReturnType<typeof evaluate>, name: string) => {
  const found = result.columns.find((column) => column.name === name);
  if (!found) throw new Error(`no column ${name}`);
  return found;
};

describe("figures worked out by hand", () => {
  // t0 varies and has programs that pass; t1 varies and has none that pass; t2 does not vary.
  const rows = rowsOf([
    [0, 0.5, 1],
    [0, 0.25],
    [1, 1],
  ]);
  const result = evaluate({
    rows,
    columns: [
      columnOf("a", [0.1, 0.2, 0.3, 0.9, 0.8, 0.5, 0.6]),
      columnOf("constant", [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]),
    ],
    resamples: 200,
  });

  it("within-task r_s: the tasks whose PassRatio varies, 1 and -1 here", () => {
    expect(named(result, "a").withinSpearman).toBeCloseTo(0, 12);
  });

  it("within-task AUC: the tasks that have programs of both kinds", () => {
    expect(named(result, "a").withinAuc).toBe(1);
    expect(named(result, "constant").withinAuc).toBe(0.5);
  });

  it("top-1: the best-scored program of each task, ties shared", () => {
    expect(named(result, "a").top1).toBeCloseTo((1 + 0 + 1) / 3, 12);
    expect(named(result, "constant").top1).toBeCloseTo((0.5 + 0.125 + 1) / 3, 12);
    expect(result.labels.randomChoice).toBeCloseTo((0.5 + 0.125 + 1) / 3, 12);
    expect(result.labels.bestChoice).toBeCloseTo((1 + 0.25 + 1) / 3, 12);
  });

  it("bottom-1: the worst-scored program of each task, ties shared", () => {
    expect(named(result, "a").bottom1).toBeCloseTo((0 + 0.25 + 1) / 3, 12);
    expect(named(result, "constant").bottom1).toBeCloseTo((0.5 + 0.125 + 1) / 3, 12);
    expect(result.labels.worstChoice).toBeCloseTo((0 + 0 + 1) / 3, 12);
  });

  it("MAE and the global AUC", () => {
    const errors = [0.1, 0.3, 0.7, 0.9, 0.55, 0.5, 0.4];
    expect(named(result, "a").mae).toBeCloseTo(errors.reduce((x, y) => x + y) / 7, 12);
    expect(named(result, "a").ece).toBeCloseTo(errors.reduce((x, y) => x + y) / 7, 12); // one program per bin
    // Positives .3 .5 .6, negatives .1 .2 .9 .8: each positive beats two of four.
    expect(named(result, "a").auc).toBeCloseTo(0.5, 12);
  });

  it("a constant score has no correlation: null, and 0 within tasks", () => {
    expect(named(result, "constant")).toMatchObject({
      spearman: null,
      kendallTauB: null,
      pearson: null,
      bounds: { spearman: null, kendallTauB: null, pearson: null },
      withinSpearman: 0,
    });
  });

  it("the difficulty-only oracle knows tasks and nothing within them", () => {
    const oracle = named(result, "difficulty-only oracle");
    expect(oracle).toMatchObject({ kind: "oracle", withinSpearman: 0, withinAuc: 0.5 });
    expect(oracle.spearman).toBeCloseTo(spearman([0.5, 0.5, 0.5, 0.125, 0.125, 1, 1], [0, 0.5, 1, 0, 0.25, 1, 1]), 12);
    expect(oracle.top1).toBeCloseTo(result.labels.randomChoice, 12);
  });

  it("JSON has no NaN and not the rows", () => {
    const json = JSON.parse(toJson(result)) as { columns: { mae: unknown }[]; data?: unknown };
    expect(json.data).toBeUndefined();
    expect(json.columns).toHaveLength(3);
    expect(json.columns.map(({ mae }) => typeof mae)).toEqual(["number", "number", "number"]);
  });
});

test("the Exec head is measured against Executability", () => {
  const rows = [1, 1, 1, 0, 0].map((executable, i) =>
    labelledRow({ sample_id: `s${i}`, executable: executable as 0 | 1, pass_ratio: executable / 2 }),
  );
  const { columns } = evaluate({ rows, columns: [columnOf("m", [1, 1, 1, 0, 0], [0.9, 0.5, 0.4, 0.7, 0.1])] });
  expect(columns[0]!.exec).toEqual({
    precision: 2 / 3,
    recall: 2 / 3,
    f1: 2 / 3,
    accuracy: 3 / 5,
    auc: 4 / 6,
    ece: expect.closeTo(2 / 5, 12),
    bounds: { precision: null, recall: null, f1: null, accuracy: null, auc: null }, // only one task
  });
});

describe("rows that cannot be measured", () => {
  const rows = [
    labelledRow({ sample_id: "a", pass_ratio: 1 }),
    labelledRow({ sample_id: "b", pass_ratio: null, executable: null, status: "no_label" }),
    labelledRow({ sample_id: "c", pass_ratio: null, executable: null, status: "infra" }),
    labelledRow({ sample_id: "d", pass_ratio: 0.5 }),
    labelledRow({ sample_id: "e", pass_ratio: 0, reference: null }),
    labelledRow({ sample_id: "f", pass_ratio: 0 }),
  ];

  it("are left out of every column and counted", async () => {
    const result = evaluate({
      rows,
      columns: [
        columnOf("m", [0.9, 0, 0, null, 0.2, 0.1]),
        await metricColumn(getMetric("chrf"), rows),
        await metricColumn(getMetric("bleu"), rows),
      ],
    });
    expect(result.counts).toEqual({
      rows: 6,
      outside: 0,
      used: 2,
      tasks: 1,
      noLabel: 1,
      infra: 1,
      noReference: 1,
      unscored: { m: 1 },
    });
    expect(describeRows(result)[0]).toBe(
      "2 programs of 1 task; left out: 1 without a label, 1 whose execution failed (infra), 1 without a reference, 1 that m could not score.",
    );
    expect(result.data.rows.map(({ sample_id }) => sample_id)).toEqual(["a", "f"]);
    expect(result.columns[0]!.mean).toBeCloseTo(0.5, 12);
  });

  it.each([
    ["a NaN names its row", [0, 0, 0, Number.NaN, 0, 0], "row 3 (counted from 0, sample d) of scores of `m`, got NaN"],
    ["too few scores", [0, 0], "expected 6 scores in `m`, one per row, got 2"],
    ["nothing left", [null, null, null, null, null, null], "of 6 rows, 4 with a label; `m` could not score 4"],
  ])("%s", (_, scores, message) => {
    expect(() => evaluate({ rows, columns: [columnOf("m", scores)] })).toThrow(message);
  });

  it("two columns of one name are refused", () => {
    const column = columnOf("m", [0, 0, 0, 0, 0, 0]);
    expect(() => evaluate({ rows, columns: [column, column] })).toThrow("two columns are called `m`");
  });
});

test("one task gives figures but no interval", () => {
  const { columns } = evaluate({ rows: rowsOf([[0, 0.5, 1]]), columns: [columnOf("m", [0.1, 0.4, 0.8])] });
  expect(columns[0]!.spearman).toBeCloseTo(1, 12);
  expect(Object.values(columns[0]!.bounds).every((bounds) => bounds === null)).toBe(true);
});

describe("compare", () => {
  const rows = simulatedRows(60, 10, 1);
  const good = columnOf("good", noisyScores(rows, 0.3, 2));
  const bad = columnOf("bad", noisyScores(rows, 1.5, 3));
  const alsoGood = columnOf("also good", noisyScores(rows, 0.3, 4));

  it("finds the better system, on every measure", () => {
    for (const m of compare({ rows, a: bad, b: good, resamples: 200 }).measures) {
      const sign = m.higherIsBetter ? 1 : -1;
      expect(sign * m.difference!, m.measure).toBeGreaterThan(0);
      expect(sign * (sign > 0 ? m.low! : m.high!), m.measure).toBeGreaterThan(0);
      expect(m.pValue!, m.measure).toBeLessThan(0.01);
      expect(m.b! - m.a!).toBeCloseTo(m.difference!, 12);
    }
  });

  it("does not tell two systems of one kind apart, and a system from itself not at all", () => {
    for (const m of compare({ rows, a: good, b: alsoGood, resamples: 200 }).measures) {
      expect(m.pValue!, m.measure).toBeGreaterThan(0.01);
    }
    for (const m of compare({ rows, a: good, b: { ...good, name: "copy" }, resamples: 100 }).measures) {
      expect(m).toMatchObject({ difference: 0, low: 0, high: 0, pValue: 1 });
    }
  });

  it("turns its sign when the systems change places", () => {
    const forth = compare({ rows, a: bad, b: good, resamples: 100 }).measures;
    const back = compare({ rows, a: good, b: bad, resamples: 100 }).measures;
    forth.forEach((m, i) => {
      expect(back[i]!.difference!).toBeCloseTo(-m.difference!, 12);
      expect(back[i]!.low!).toBeCloseTo(-m.high!, 12);
      expect(back[i]!.pValue).toBe(m.pValue);
    });
  });

  it("agrees with evaluate on the figures themselves", () => {
    const { columns } = evaluate({ rows, columns: [bad, good], resamples: 10 });
    const { measures } = compare({ rows, a: bad, b: good, resamples: 10 });
    const [first, second] = columns;
    expect(measures.map(({ a, b }) => [a, b])).toEqual([
      [first!.spearman, second!.spearman],
      [first!.kendallTauB, second!.kendallTauB],
      [first!.withinAuc, second!.withinAuc],
      [first!.mae, second!.mae],
    ]);
  });
});
