import { describe, expect, it } from "vitest";
import {
  calibrate,
  calibrationTable,
  crossFit,
  type FitOptions,
  fitCalibration,
  type Observation,
} from "../../../src/evaluate/index.ts";
import { Calibration, type FormatCalibration, type ScoreResult } from "../../../src/score/index.ts";
import type { ScoreInput } from "../../../src/types.ts";
import { Random } from "../../../src/util/random.ts";
import { labelledRow } from "../rows.ts";

/**
 * Programs with known calibration error: the probability to pass is the square of the score. PassRatio is 0 or 1 in half of the
 * cases, and a problem's difficulty affects all of its programs.
 */
function simulate(problems: number, perProblem: () => number, seed: number): Observation[] {
  const random = new Random(seed);
  return Array.from({ length: problems }, (_, k) => {
    const ease = 0.3 * random.normal();
    return Array.from({ length: perProblem() }, () => {
      const score = random.float();
      const chance = Math.min(1, Math.max(0, score ** 2 + ease));
      const passRatio = random.chance(0.5) ? Number(random.chance(chance)) : Math.round(10 * chance) / 10;
      return {
        problem: `p${k}`,
        score,
        exec: score,
        passRatio,
        executable: random.chance(score ** 2) ? 1 : 0,
      } as const;
    });
  }).flat();
}

const use = (ref: FormatCalibration, options = {}): Calibration =>
  new Calibration("test", { version: 1, method: "isotonic", models: {}, formats: { ref } }, options);

describe("fitCalibration", () => {
  it.each(["isotonic", "platt"] as const)("%s keeps the order of scores, ties and all", (method) => {
    const calibration = use(
      fitCalibration(
        simulate(40, () => 10, 1),
        method,
      ),
    );
    const random = new Random(2);
    const raw = [0, 1, ...Array.from({ length: 500 }, () => Math.fround(random.float()))].sort((a, b) => a - b);
    const mapped = raw.map((score) => calibration.apply({ score, exec: score }, "ref"));
    for (let i = 1; i < raw.length; i++) {
      if (raw[i] === raw[i - 1]) continue;
      expect(mapped[i]!.score).toBeGreaterThan(mapped[i - 1]!.score);
      expect(mapped[i]!.exec).toBeGreaterThan(mapped[i - 1]!.exec);
    }
    for (const { score, exec, low, high } of mapped) {
      expect(Math.min(score, exec, low!)).toBeGreaterThanOrEqual(0);
      expect(Math.max(score, exec, high!)).toBeLessThanOrEqual(1);
      expect(low!).toBeLessThanOrEqual(score);
      expect(high!).toBeGreaterThanOrEqual(score);
    }
  });

  it("holds the PassRatio of a program of a new problem as often as it says, whatever the problems' sizes", () => {
    const random = new Random(5);
    const trials = 100;
    const held = { 0.5: 0, 0.8: 0, 0.9: 0 };
    for (let trial = 0; trial < trials; trial++) {
      const sizes = () => (random.chance(0.2) ? 20 : 3);
      const fitted = fitCalibration(simulate(80, sizes, 100 + trial), "isotonic");
      const next = random.pick(simulate(1, sizes, 9000 + trial));
      for (const coverage of [0.5, 0.8, 0.9] as const) {
        const { low, high } = use(fitted, { coverage }).apply(next, "ref");
        held[coverage] += Number(low! <= next.passRatio && next.passRatio <= high!);
      }
    }
    for (const coverage of [0.5, 0.8, 0.9] as const) {
      // Ties, and the score inside the interval, may raise coverage. It is lower only by chance (3.5 standard errors).
      const error = 3.5 * Math.sqrt((coverage * (1 - coverage)) / trials);
      expect(held[coverage] / trials, `coverage ${coverage}`).toBeGreaterThan(coverage - error);
    }
    expect(held[0.5]).toBeLessThan(held[0.9]);
    expect(held[0.5] / trials).toBeLessThan(0.8);
  });

  it("holds programs that pass nothing as often, where few of those that it is fitted to do, if every outcome is to be held", () => {
    const random = new Random(7);
    /** Failing programs have scores as high as the others. */
    const rows = (share: number, seed: number): Observation[] =>
      simulate(150, () => 8, seed).map((row) => {
        const fails = random.chance(share);
        const score = 0.5 + 0.5 * random.float();
        return { ...row, score, passRatio: fails ? 0 : 1 - 0.2 * random.float() };
      });
    const [dev, shifted] = [rows(0.05, 11), rows(0.7, 12)];
    const held = (options: FitOptions): number => {
      const calibration = use(fitCalibration(dev, "none", options));
      const found = shifted.map((row) => [row.passRatio, calibration.apply(row, "ref")] as const);
      return found.filter(([label, { low, high }]) => low! <= label && label <= high!).length / found.length;
    };
    expect(held({})).toBeLessThan(0.8);
    expect(held({ everyOutcome: true })).toBeGreaterThan(0.88);
  });

  it("holds programs that pass nothing as often within a source in which they score high", () => {
    const random = new Random(8);
    /** In source A failing programs have scores as high as the others, in source B low ones. */
    const rows = (source: "A" | "B", problems: number, share: number, seed: number): Observation[] =>
      simulate(problems, () => 8, seed).map((row) => {
        const fails = random.chance(share);
        const score = fails && source === "B" ? 0.3 * random.float() : 0.5 + 0.5 * random.float();
        return { ...row, problem: `${source}/${row.problem}`, score, passRatio: fails ? 0 : 1 - 0.2 * random.float() };
      });
    const dev = [...rows("A", 150, 0.03, 13), ...rows("B", 500, 0.5, 14)];
    const calibration = use(fitCalibration(dev, "none", { everyOutcome: true }));
    const shifted = rows("A", 150, 0.7, 15).map((row) => [row.passRatio, calibration.apply(row, "ref")] as const);
    const held = shifted.filter(([label, { low, high }]) => low! <= label && label <= high!);
    expect(held.length / shifted.length).toBeGreaterThan(0.88);
  });

  it("makes intervals wider with the coverage, and narrower where labels spread less", () => {
    const fitted = fitCalibration(
      simulate(200, () => 10, 3),
      "none",
    );
    const width = (score: number, coverage: number): number => {
      const { low, high } = use(fitted, { coverage }).apply({ score, exec: 0.5 }, "ref");
      return high! - low!;
    };
    for (const score of [0.05, 0.5, 0.95]) {
      const widths = [0.5, 0.7, 0.9, 0.99].map((coverage) => width(score, coverage));
      expect(widths).toEqual([...widths].sort((a, b) => a - b));
    }
    expect(width(0.05, 0.8)).toBeLessThan(width(0.7, 0.8));
    expect(use(fitted).apply({ score: 0.321, exec: 0.5 }, "ref").score).toBe(0.321); // method none
  });

  it("gives [0, 1] where the problems are too few for the coverage", () => {
    const fitted = fitCalibration(
      simulate(8, () => 20, 4),
      "isotonic",
    ); // 8 problems: coverage 8/9 at most
    expect(fitted.spread.levels[30]).not.toBeNull();
    expect(fitted.spread.levels[40]).toBeNull();
    expect(use(fitted, { coverage: 0.9 }).apply({ score: 0.1, exec: 0.1 }, "ref")).toMatchObject({ low: 0, high: 1 });
  });
});

it("crossFit finds the error of wrong scores, and what is left of it on problems not fitted on", () => {
  const rows = simulate(300, () => 10, 6);
  const quality = crossFit(rows, "isotonic");
  // The mean of |s - s^2| over [0, 1] is 1/6, minus the effect of clipping.
  expect(quality.ece[0]).toBeGreaterThan(0.1);
  expect(quality.ece[1]).toBeLessThan(0.05);
  expect(quality.eceMass[1]).toBeLessThan(0.05);
  expect(quality.execEce[0]).toBeCloseTo(1 / 6, 1);
  expect(quality.execEce[1]).toBeLessThan(0.04);
  expect(quality.mae[1]).toBeLessThan(quality.mae[0]);
  expect(quality.coverage).toBeGreaterThan(0.87);
  expect(quality.coverage).toBeLessThan(0.96);
  expect(crossFit(rows, "none").ece).toEqual([quality.ece[0], quality.ece[0]]);
  expect(crossFit(rows, "isotonic")).toEqual(quality); // deterministic
});

describe("calibrate", () => {
  /** A score for each candidate, from the number in its text. */
  const scorer = {
    scoreAll: async (inputs: readonly ScoreInput[], { format = "ref" } = {}) =>
      inputs.map(
        ({ candidate }): ScoreResult =>
          candidate === "bad"
            ? { error: { code: "input", message: "bad" } }
            : { score: Number(candidate), exec: Number(candidate), format: format as "ref", signature: "s" },
      ),
  };
  const rows = simulate(30, () => 10, 8).map(({ problem, score, passRatio, executable }, i) =>
    labelledRow({
      task_id: problem,
      sample_id: String(i),
      candidate: i === 7 ? "bad" : String(score),
      description: i % 2 === 0 ? "d" : null,
      pass_ratio: i === 8 ? null : passRatio,
      executable: i === 8 ? null : executable,
    }),
  );

  it("calibrates the formats that have rows enough, without rows that have no label or no score", async () => {
    const found = await calibrate(scorer, rows);
    expect(Object.keys(found)).toEqual(["ref"]); // only 150 rows have a description
    expect(found.ref!.quality).toMatchObject({ rows: 298, problems: 30 });
    const table = calibrationTable(found);
    expect(table.rows[0]).toHaveLength(table.columns.length);
  });

  it("refuses too few rows before it scores them, saying how many there are", async () => {
    const unused = { scoreAll: () => Promise.reject(new Error("scored")) };
    await expect(calibrate(unused, rows.slice(0, 50))).rejects.toThrow(
      "at least 200 labelled rows of 20 problems in one input format, got 49 rows of 5 problems",
    );
  });
});
