import { describe, expect, it, test } from "vitest";
import { student975 } from "../../../src/evaluate/estimate/powered.ts";
import { drawExecuted, estimate, estimateMean, rehearsalTable, rehearse } from "../../../src/evaluate/index.ts";
import { groupRows } from "../../../src/statistics/index.ts";
import { Random } from "../../../src/util/random.ts";
import { columnOf, labelledRow, noisyScores, rowsOf, simulatedRows } from "../rows.ts";

// scipy.stats.t.ppf(0.975, degrees), scipy 1.17
test.each([
  [4, 2.7764451051977934],
  [5, 2.5705818356363146],
  [7, 2.364624251592784],
  [10, 2.228138851986274],
  [30, 2.0422724563012378],
  [100, 1.9839715185235518],
])("Student's t with %d degrees of freedom", (degrees, expected) => {
  expect(Math.abs(student975(degrees) / expected - 1)).toBeLessThan(1e-3);
});

test("one stratum is the regression estimator of the textbook", () => {
  const scores = [0.1, 0.4, 0.5, 0.9, 0.3, 0.7, 0.2, 0.6];
  const values = [0, 0.5, 0.25, 1, null, null, null, null];
  const { powered, plain } = estimateMean({
    scores,
    values,
    taskIds: scores.map(() => "t"),
    executed: [0, 1, 2, 3],
    draw: "within",
  });
  // slope = Sxy / Sxx of (.1 0) (.4 .5) (.5 .25) (.9 1): means .475 and .4375
  const slope =
    (0.375 * 0.4375 - 0.075 * 0.0625 - 0.025 * 0.1875 + 0.425 * 0.5625) /
    (0.375 ** 2 + 0.075 ** 2 + 0.025 ** 2 + 0.425 ** 2);
  expect(powered.lambda).toBeCloseTo(slope, 12);
  expect(powered.estimate).toBeCloseTo(0.4375 + slope * (3.7 / 8 - 0.475), 12);
  const spread = (0.4375 ** 2 + 0.0625 ** 2 + 0.1875 ** 2 + 0.5625 ** 2) / 3;
  expect(plain.estimate).toBeCloseTo(0.4375, 12);
  expect(plain.standardError).toBeCloseTo(Math.sqrt((spread / 4) * (1 - 4 / 8)), 12);
  expect(plain.lambda).toBe(0);
});

test("strata weigh by their size, and what is wholly executed is certain", () => {
  const rows = rowsOf([
    [0, 1, 0, 1, 1, 1],
    [0.5, 0.25],
  ]);
  const values = rows.map(({ pass_ratio }) => pass_ratio);
  const taskIds = rows.map(({ task_id }) => task_id);
  const scores = noisyScores(rows, 0.2, 1);
  const some = estimateMean({ scores, values, taskIds, executed: [0, 1, 6, 7], draw: "within" });
  expect(some.plain.estimate).toBeCloseTo((6 / 8) * 0.5 + (2 / 8) * 0.375, 12);
  expect(some.plain.standardError).toBeCloseTo(Math.sqrt((6 / 8) ** 2 * (0.5 / 2) * (1 - 2 / 6)), 12);
  const all = estimateMean({ scores, values, taskIds, executed: [0, 1, 2, 3, 4, 5, 6, 7], draw: "within" });
  const truth = (4 + 0.75) / 8;
  for (const { estimate: middle, low, high } of [all.plain, all.powered]) {
    for (const bound of [middle, low, high]) expect(bound).toBeCloseTo(truth, 12);
  }
});

test("a rehearsal has no ratio of widths where intervals have none", () => {
  const rowsWith = (...labels: number[]) => rowsOf(labels.map((label) => [label, label, label, label]));
  const result = (rows: ReturnType<typeof rowsOf>) =>
    rehearse({ rows, column: columnOf("s", noisyScores(rows, 0.2, 1)), budget: 0.5, draw: "within" }, 20);
  const without = result(rowsWith(1, 0));
  expect(without.measures[0]).toMatchObject({ widthRatio: null, widthRatioAtEqualCoverage: null });
  expect(without.measures[0]!.plain).toMatchObject({ coverage: 1, width: 0 });
  const cells = rehearsalTable(without).rows.flat();
  expect(cells.filter((cell) => typeof cell === "number" && !Number.isFinite(cell))).toEqual([]);
  // One failing program of eight: half of the drawings see only passing ones, and their intervals have no width and miss.
  const often = result(rowsOf([[1, 1, 1, 1, 1, 1, 1, 0]]));
  expect(often.measures[0]!.widthRatio).toBeGreaterThan(0);
  expect(often.measures[0]!.widthRatioAtEqualCoverage).toBeNull();
});

describe("by simulation", () => {
  const rows = simulatedRows(60, 20, 5);
  const values = rows.map(({ pass_ratio }) => pass_ratio!);
  const taskIds = rows.map(({ task_id }) => task_id);
  const truth = values.reduce((sum, value) => sum + value, 0) / values.length;

  function simulate(scores: number[], draw: "within" | "tasks", budget: number) {
    const random = new Random(9);
    const runs = 400;
    const sum = { covered: 0, plainCovered: 0, width: 0, plainWidth: 0, error: 0 };
    for (let i = 0; i < runs; i++) {
      const executed = drawExecuted(taskIds, budget, draw, random);
      const { powered, plain } = estimateMean({ scores, values, taskIds, executed, draw });
      sum.covered += Number(powered.low <= truth && truth <= powered.high) / runs;
      sum.plainCovered += Number(plain.low <= truth && truth <= plain.high) / runs;
      sum.width += (powered.high - powered.low) / runs;
      sum.plainWidth += (plain.high - plain.low) / runs;
      sum.error += (powered.estimate - truth) / runs;
    }
    return { ...sum, ratio: sum.width / sum.plainWidth };
  }

  it.each([
    ["within tasks, 10%", "within", 0.1],
    ["within tasks, one program of most", "within", 0.06],
    ["whole tasks, 40%", "tasks", 0.4],
  ] as const)("a good scorer narrows the interval and keeps its coverage: %s", (_, draw, budget) => {
    const { covered, plainCovered, ratio, error } = simulate(noisyScores(rows, 0.25, 6), draw, budget);
    expect(covered).toBeGreaterThanOrEqual(0.92); // 0.95 minus nearly three standard errors of 400 runs
    expect(plainCovered).toBeGreaterThanOrEqual(0.92);
    expect(ratio).toBeLessThan(0.8);
    expect(Math.abs(error)).toBeLessThan(0.005);
  });

  it("a scorer that knows nothing costs nothing", () => {
    const random = new Random(3);
    const { covered, ratio } = simulate(
      rows.map(() => random.float()),
      "within",
      0.1,
    );
    expect(covered).toBeGreaterThanOrEqual(0.92);
    expect(ratio).toBeGreaterThan(0.97);
    expect(ratio).toBeLessThan(1.03);
  });

  it("a scorer that is wrong on purpose is not believed", () => {
    const upsideDown = noisyScores(rows, 0.25, 6).map((score) => 1 - score);
    const { covered, ratio } = simulate(upsideDown, "within", 0.1);
    expect(covered).toBeGreaterThanOrEqual(0.92);
    expect(ratio).toBe(1);
  });
});

describe("drawing", () => {
  const taskIds = rowsOf([Array(20).fill(0), Array(17).fill(0), Array(3).fill(0)]).map(({ task_id }) => task_id);

  it("takes the share of every task, at least one, and the right total", () => {
    const sizes = [...groupRows(taskIds).values()];
    for (let seed = 0; seed < 20; seed++) {
      const drawn = drawExecuted(taskIds, 0.2, "within", new Random(seed));
      expect(drawn).toHaveLength(8);
      expect(new Set(drawn).size).toBe(8);
      expect(sizes.map((rows) => drawn.filter((row) => rows.includes(row)).length)).toEqual([4, 3, 1]);
    }
  });

  it("gives every program of a task the same chance", () => {
    const random = new Random(4);
    const times = new Array<number>(20).fill(0);
    for (let i = 0; i < 5000; i++) {
      for (const row of drawExecuted(taskIds, 0.2, "within", random)) if (row < 20) times[row]! += 1;
    }
    for (const count of times) expect(Math.abs(count / 5000 - 0.2)).toBeLessThan(0.03);
  });

  it("takes whole tasks, at least two", () => {
    const drawn = new Set(drawExecuted(taskIds, 0.1, "tasks", new Random(1)));
    const parts = [...groupRows(taskIds).values()].map(
      (rows) => rows.filter((row) => drawn.has(row)).length / rows.length,
    );
    expect(parts.filter((part) => part === 1)).toHaveLength(2);
    expect(parts.filter((part) => part === 0)).toHaveLength(1);
  });

  it("says what it needs", () => {
    expect(() => drawExecuted(taskIds, 0.05, "within", new Random(1))).toThrow(
      "a budget of 0.05 is 2 programs, fewer than the 3 tasks; use at least 0.075",
    );
    expect(() => drawExecuted(taskIds, 0, "within", new Random(1))).toThrow("a budget in (0, 1], got 0");
  });
});

describe("estimate", () => {
  const rows = simulatedRows(30, 10, 8);
  const column = columnOf("m", noisyScores(rows, 0.2, 2));

  it("does not look at labels that were not drawn", () => {
    const { counts, measures, settings } = estimate({ rows, column, seed: 4 });
    expect(counts).toEqual({ programs: 300, tasks: 30, executed: 30, leftOut: 0 });
    const executed = new Set(
      drawExecuted(
        rows.map((row) => row.task_id),
        0.1,
        "within",
        new Random(settings.seed),
      ),
    );
    const hidden = rows.map((row, i) => (executed.has(i) ? row : { ...row, pass_ratio: null, executable: null }));
    const again = estimate({ rows: hidden, column, budget: "all" });
    expect(again.measures.map(({ powered, plain }) => [powered, plain])).toEqual(
      measures.map(({ powered, plain }) => [powered, plain]),
    );
    expect(again.measures.map(({ all }) => all)).toEqual([null, null]);
    expect(again.counts).toEqual({ programs: 300, tasks: 30, executed: 30, leftOut: 0 });
  });

  it("knows the mean of all where all are labelled", () => {
    const { measures } = estimate({ rows, column });
    const ratios = rows.map(({ pass_ratio }) => pass_ratio!);
    expect(measures[0]!.all).toBeCloseTo(ratios.reduce((a, b) => a + b) / 300, 12);
    expect(measures[1]!.all).toBeCloseTo(ratios.filter((ratio) => ratio === 1).length / 300, 12);
  });

  it("leaves out and counts rows without a label, and refuses programs without a score", () => {
    const some = rows.map((row, i) => (i < 5 ? labelledRow({ ...row, pass_ratio: null, executable: null }) : row));
    expect(estimate({ rows: some, column, budget: 0.2 }).counts).toMatchObject({ programs: 295, leftOut: 5 });
    const holes = columnOf("m", [...column.scores.slice(0, 7), null, ...column.scores.slice(8)]);
    expect(() => estimate({ rows, column: holes })).toThrow(
      "expected a score for every program, got null in row 7 (counted from 0, sample t0#7) of `m`",
    );
    const none = rows.map((row) => ({ ...row, pass_ratio: null }));
    expect(() => estimate({ rows: none, column, budget: "all" })).toThrow("expected rows with a label");
  });

  it("names the task that no execution speaks for", () => {
    const hidden = rows.map((row) => (row.task_id === "t3" ? { ...row, pass_ratio: null } : row));
    expect(() => estimate({ rows: hidden, column, budget: "all" })).toThrow("got none of `t3`");
  });
});

describe("three levels: scores of all, behaviour of some, tests of a few", () => {
  const rows = simulatedRows(60, 20, 5);
  const values = rows.map(({ pass_ratio }) => pass_ratio!);
  const taskIds = rows.map(({ task_id }) => task_id);
  const truth = values.reduce((sum, value) => sum + value, 0) / values.length;
  const scores = noisyScores(rows, 0.4, 6);

  test("one stratum is two-phase regression by hand", () => {
    const own = [0.1, 0.4, 0.5, 0.9, 0.3, 0.7, 0.2, 0.6];
    const labels = [0, 0.5, 0.25, 1, null, null, null, null];
    const shown = [0.05, 0.55, 0.2, 0.9, 0.4, 0.8, null, null];
    const { behaviour, powered, plain } = estimateMean({
      scores: own,
      values: labels,
      taskIds: own.map(() => "t"),
      executed: [0, 1, 2, 3],
      draw: "within",
      behaviour: shown,
    });
    const seen = [0, 1, 2, 3];
    const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;
    const slopeOn = (of: readonly (number | null)[]) => {
      const [x, y] = [mean(seen.map((i) => of[i]!)), mean(seen.map((i) => labels[i]!))];
      const both = mean(seen.map((i) => (of[i]! - x) * (labels[i]! - y)));
      return both / mean(seen.map((i) => (of[i]! - x) ** 2));
    };
    const [f, b] = [slopeOn(own), slopeOn(shown)];
    const run = [0, 1, 2, 3, 4, 5];
    const expected =
      f * mean(own) +
      mean(run.map((i) => b * shown[i]! - f * own[i]!)) +
      mean(seen.map((i) => labels[i]! - b * shown[i]!));
    expect(behaviour!.estimate).toBeCloseTo(expected, 12);
    expect(behaviour!.lambda).toBeCloseTo(f, 12);
    expect(behaviour!.lambdaBehaviour).toBeCloseTo(b, 12);
    expect(behaviour!.standardError).toBeLessThan(powered.standardError);
    expect(powered.standardError).toBeLessThan(plain.standardError);
  });

  /** The results of many draws of programs to run, and of programs to execute among them. */
  function simulate(noise: number, draw: "within" | "tasks", shares: readonly [run: number, executed: number]) {
    const shown = noisyScores(rows, noise, 7);
    const random = new Random(9);
    const runs = 400;
    const sums = { covered: 0, width: 0, two: 0, error: 0 };
    for (let i = 0; i < runs; i++) {
      const run = drawExecuted(taskIds, shares[0], draw, random);
      const ids = run.map((row) => taskIds[row]!);
      const executed = drawExecuted(ids, shares[1] / shares[0], draw, random).map((place) => run[place]!);
      const has = new Set(run);
      const behaviour = shown.map((value, row) => (has.has(row) ? value : null));
      const { powered, behaviour: third } = estimateMean({ scores, values, taskIds, executed, draw, behaviour });
      sums.covered += Number(third!.low <= truth && truth <= third!.high) / runs;
      sums.width += (third!.high - third!.low) / runs;
      sums.two += (powered.high - powered.low) / runs;
      sums.error += (third!.estimate - truth) / runs;
    }
    return { ...sums, ratio: sums.width / sums.two };
  }

  it.each([
    ["within tasks, half run, 10% executed", "within", [0.5, 0.1], 0.8],
    ["within tasks, all run, 10% executed", "within", [1, 0.1], 0.6],
    ["whole tasks, 80% run, 40% executed", "tasks", [0.8, 0.4], 0.9],
  ] as const)("behaviour that knows more narrows the interval and keeps its coverage: %s", (_, draw, shares, most) => {
    const { covered, ratio, error } = simulate(0.1, draw, shares);
    expect(covered).toBeGreaterThanOrEqual(0.92); // 0.95 minus nearly three standard errors of 400 runs
    expect(covered).toBeLessThanOrEqual(0.985);
    expect(ratio).toBeLessThan(most);
    expect(Math.abs(error)).toBeLessThan(0.005);
  });

  it("behaviour that knows nothing costs little", () => {
    const { covered, ratio } = simulate(20, "within", [0.5, 0.1]);
    expect(covered).toBeGreaterThanOrEqual(0.92);
    expect(ratio).toBeGreaterThan(0.97);
    expect(ratio).toBeLessThan(1.25);
  });

  it("is the two-level estimate where behaviour is that of all programs, or of the executed alone", () => {
    const executed = drawExecuted(taskIds, 0.1, "within", new Random(3));
    const shown = noisyScores(rows, 0.1, 7);
    const same = { values, taskIds, executed, draw: "within" } as const;
    const all = estimateMean({ ...same, scores, behaviour: shown });
    const inPlace = estimateMean({ ...same, scores: shown });
    expect(all.behaviour!.estimate).toBeCloseTo(inPlace.powered.estimate, 3);
    const none = new Set(executed);
    const few = estimateMean({ ...same, scores, behaviour: shown.map((value, i) => (none.has(i) ? value : null)) });
    const { lambdaBehaviour, ...third } = few.behaviour!;
    expect(lambdaBehaviour).toBe(0);
    expect(third).toEqual(few.powered);
  });

  it("draws the programs to execute from those that were run, and sees no other behaviour", () => {
    const column = columnOf("m", scores);
    const shown = noisyScores(rows, 0.1, 7);
    const one = estimate({ rows, column, behaviour: { values: shown, share: 0.5 }, seed: 4 });
    expect(one.counts).toMatchObject({ programs: 1200, executed: 120, run: 600 });
    const run = new Set(drawExecuted(taskIds, 0.5, "within", new Random(4)));
    const hidden = shown.map((value, i) => (run.has(i) ? value : null));
    const narrow = ({ low, high }: { low: number; high: number }) => high - low;
    for (const { behaviour, powered } of one.measures) expect(narrow(behaviour!)).toBeLessThan(narrow(powered));
    const again = estimate({ rows, column, behaviour: { values: hidden }, seed: 5 });
    expect(again.counts).toMatchObject({ executed: 120, run: 600 });
    expect(() => estimate({ rows, column, behaviour: { values: hidden, share: 0.5 } })).toThrow(
      "600 of 1200 have none",
    );
    expect(() => estimate({ rows, column, behaviour: { values: hidden }, budget: "all" })).toThrow(
      "expected behaviour of every executed program",
    );
    expect(() => estimate({ rows, column, behaviour: { values: hidden }, budget: 0.6 })).toThrow(
      "expected a budget of at most 0.500, the share of the programs with behaviour, got 0.6",
    );
    const whole = { rows, column, draw: "tasks", budget: 0.3, k: [1, 5], seed: 4 } as const;
    const { measures } = estimate({ ...whole, behaviour: { values: shown, share: 0.8 } });
    expect(measures.map(({ measure, behaviour }) => [measure, behaviour !== undefined])).toEqual(
      ["AvgPassRatio", "pass@1", "pass@1 by task", "pass@5"].map((name) => [name, true]),
    );
  });
});
