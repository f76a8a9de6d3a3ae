/** Estimands other than a plain mean over programs: weights, pass@k, RTC; and PPI++ as its paper defines it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import {
  drawExecuted,
  estimate,
  estimateMean,
  estimatePassAtK,
  estimateRtc,
  fewTasks,
  type RoundTrip,
  readRoundTrips,
} from "../../../src/evaluate/index.ts";
import { groupRows, passAtK } from "../../../src/statistics/index.ts";
import { Random } from "../../../src/util/random.ts";
import { columnOf, noisyScores, simulatedRows } from "../rows.ts";

const average = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

test("one stratum is PPI++ (Angelopoulos et al. 2023, eq. 4) with the other programs as the unlabelled sample", () => {
  const random = new Random(2);
  const scores = Array.from({ length: 500 }, () => random.float());
  const values = scores.map((score) => Math.min(1, Math.max(0, score + 0.3 * random.normal())));
  const executed = [...scores.keys()].slice(0, 50);
  const rest = [...scores.keys()].slice(50);
  const { powered } = estimateMean({ scores, values, taskIds: scores.map(() => "t"), executed, draw: "within" });
  // theirs: lambda' mean of the unlabelled scores + mean over the labelled of (label - lambda' score). Ours uses the mean of all
  // scores instead of the unlabelled ones, which equals theirs with lambda' = lambda N / (n + N).
  const theirs = (powered.lambda * rest.length) / scores.length;
  const point =
    theirs * average(rest.map((i) => scores[i]!)) + average(executed.map((i) => values[i]! - theirs * scores[i]!));
  expect(powered.estimate).toBeCloseTo(point, 12);
  // Their minimum-variance lambda: cov / ((1 + n / N) var), apart from the sample that the variance is taken from.
  const [s, v] = [average(executed.map((i) => scores[i]!)), average(executed.map((i) => values[i]!))];
  const cov = average(executed.map((i) => (scores[i]! - s) * (values[i]! - v)));
  const spread = average(executed.map((i) => (scores[i]! - s) ** 2));
  expect(theirs).toBeCloseTo(cov / spread / (1 + executed.length / rest.length), 12);
});

describe("weights", () => {
  const rows = simulatedRows(10, 6, 4);
  const values = rows.map(({ pass_ratio }) => pass_ratio!);
  const taskIds = rows.map(({ task_id }) => task_id);
  const scores = noisyScores(rows, 0.3, 1);

  it("of whole tasks count as copies do", () => {
    const executed = drawExecuted(taskIds, 0.4, "tasks", new Random(1));
    const weights = rows.map((_, i) => 1 + (i % 3));
    const options = { scores, values, taskIds, executed, draw: "tasks" } as const;
    const weighted = estimateMean({ ...options, weights });
    const copies = rows.flatMap((_, i) => new Array<number>(weights[i]!).fill(i));
    const drawn = new Set(executed);
    const copied = estimateMean({
      scores: copies.map((i) => scores[i]!),
      values: copies.map((i) => values[i]!),
      taskIds: copies.map((i) => taskIds[i]!),
      executed: [...copies.keys()].filter((c) => drawn.has(copies[c]!)),
      draw: "tasks",
    });
    for (const which of ["plain", "powered"] as const) {
      for (const figure of ["estimate", "low", "high", "lambda"] as const) {
        expect(weighted[which][figure]).toBeCloseTo(copied[which][figure], 10);
      }
    }
  });

  it("that are all 1 change nothing", () => {
    const executed = drawExecuted(taskIds, 0.4, "within", new Random(1));
    const options = { scores, values, taskIds, executed, draw: "within" } as const;
    expect(estimateMean({ ...options, weights: rows.map(() => 1) })).toEqual(estimateMean(options));
  });
});

describe("pass@k", () => {
  const rows = simulatedRows(60, 12, 5);
  const column = columnOf("m", noisyScores(rows, 0.2, 6));
  const taskIds = rows.map(({ task_id }) => task_id);
  const passes = rows.map(({ pass_ratio }) => Number(pass_ratio === 1));
  const truth = average(
    [...groupRows(taskIds).values()].map((task) => passAtK(12, task.filter((i) => passes[i] === 1).length, 3)),
  );

  it("is estimated without bias, with intervals that hold", () => {
    const random = new Random(11);
    const scores = column.scores as number[];
    const runs = 300;
    let [covered, error, width, plainWidth] = [0, 0, 0, 0];
    for (let i = 0; i < runs; i++) {
      const executed = drawExecuted(taskIds, 0.4, "tasks", random);
      const { powered, plain, all } = estimatePassAtK({ taskIds, scores, passes, executed }, 3);
      expect(all).toBeCloseTo(truth, 12);
      covered += Number(powered.low <= truth && truth <= powered.high) / runs;
      error += (powered.estimate - truth) / runs;
      width += powered.high - powered.low;
      plainWidth += plain.high - plain.low;
    }
    expect(covered).toBeGreaterThanOrEqual(0.91);
    expect(Math.abs(error)).toBeLessThan(0.01);
    expect(width / plainWidth).toBeLessThan(0.8);
  });

  it("is refused where a few programs of each task are drawn, and where tasks are too small", () => {
    expect(estimate({ rows, column, draw: "tasks", budget: 0.3, k: [1, 3] }).measures.map((m) => m.measure)).toEqual([
      "AvgPassRatio",
      "pass@1",
      "pass@1 by task",
      "pass@3",
    ]);
    expect(() => estimate({ rows, column, k: [3] })).toThrow("pass@k needs all programs of a task");
    expect(() => estimate({ rows, column, draw: "tasks", k: [13] })).toThrow("tasks of at least 13 programs, got none");
  });
});

describe("RTC", () => {
  const random = new Random(7);
  // Varying numbers of forward and of backward samples.
  const trips: RoundTrip[] = Array.from({ length: 80 }, (_, p) => {
    const difficulty = random.float();
    return Array.from({ length: 1 + (p % 3) }, (_, forward) =>
      Array.from({ length: 1 + ((p + forward) % 2) }, (): RoundTrip => {
        const pass = Number(random.chance(difficulty));
        const codescore = Math.min(1, Math.max(0, 0.2 + 0.6 * pass + 0.15 * random.normal()));
        return { task_id: `p${p}`, forward, candidate: "", reference: "", sims: { pass, codescore } };
      }),
    ).flat();
  }).flat();
  const byHand = average(
    [...groupRows(trips.map(({ task_id }) => task_id)).values()].map((task) =>
      average(
        [...groupRows(task.map((i) => trips[i]!.forward)).values()].map((some) =>
          average(some.map((j) => trips[task[j]!]!.sims.pass!)),
        ),
      ),
    ),
  );

  it("is the mean over problems of the mean over forward of the mean over backward samples", () => {
    const { measures, counts } = estimateRtc({ trips, similarity: "codescore", draw: "tasks", budget: 1 });
    expect(measures.map(({ measure }) => measure)).toEqual(["RTC"]);
    expect(measures[0]!.all).toBeCloseTo(byHand, 12);
    expect(measures[0]!.plain.estimate).toBeCloseTo(byHand, 12);
    expect(counts).toEqual({ programs: trips.length, tasks: 80, tasksDrawn: 80, executed: trips.length, leftOut: 0 });
    expect(fewTasks(counts)).toBeNull();
  });

  it("stays a share where few tasks are drawn, and says that these give no reliable interval", () => {
    const five = trips.filter(({ task_id }) => ["p0", "p1", "p2", "p3", "p4"].includes(task_id));
    let clipped = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const result = estimateRtc({ trips: five, similarity: "codescore", draw: "tasks", budget: 0.4, seed });
      expect(fewTasks(result.counts)).toBe(
        "warning: 2 of 5 tasks were drawn; fewer than 10 give no reliable interval. Use a larger --budget, or --draw within",
      );
      const { powered, plain } = result.measures[0]!;
      for (const { estimate, low, high } of [powered, plain]) {
        expect(0 <= low && low <= estimate && estimate <= high && high <= 1).toBe(true);
        clipped += Number(low === 0 || high === 1);
      }
    }
    expect(clipped).toBeGreaterThan(0);
    expect(fewTasks({ programs: 80, tasks: 80, tasksDrawn: 10, executed: 10, leftOut: 0 })).toBeNull();
    expect(fewTasks({ programs: 80, tasks: 5, executed: 10, leftOut: 0 })).toBeNull(); // drawn within tasks
  });

  it("is estimated from the problems executed, and more closely with the scores", () => {
    const runs = 300;
    let [covered, width, plainWidth, error] = [0, 0, 0, 0];
    for (let seed = 1; seed <= runs; seed++) {
      const { measures } = estimateRtc({ trips, similarity: "codescore", draw: "tasks", budget: 0.3, seed });
      const { powered, plain } = measures[0]!;
      covered += Number(powered.low <= byHand && byHand <= powered.high) / runs;
      width += powered.high - powered.low;
      plainWidth += plain.high - plain.low;
      error += (powered.estimate - byHand) / runs;
    }
    expect(covered).toBeGreaterThanOrEqual(0.91);
    expect(Math.abs(error)).toBeLessThan(0.01);
    expect(width / plainWidth).toBeLessThan(0.8);
  });

  it.each([0.5, "all"] as const)("of a run without one verdict is refused (budget %s)", (budget) => {
    const without = trips.map((trip) => ({ ...trip, sims: { ...trip.sims, pass: null } }));
    expect(() => estimateRtc({ trips: without, similarity: "codescore", budget })).toThrow(
      `expected round trips with a value of \`pass\`, got ${trips.length} without one`,
    );
  });

  it("reads the folder of a run, and says what it lacks", async () => {
    const folder = await mkdtemp(join(tmpdir(), "codescore-rtc-"));
    try {
      const row = { task_id: "p", backward: 0, candidate: "a", reference: "b", sims: { chrf: 0.5 } };
      const lines = [
        { ...row, kind: "round_trip", forward: 0 },
        { ...row, kind: "baseline", forward: null },
      ];
      await writeFile(join(folder, "samples.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
      const read = await readRoundTrips(folder);
      expect(read).toEqual([{ task_id: "p", forward: 0, candidate: "a", reference: "b", sims: { chrf: 0.5 } }]);
      expect(() => estimateRtc({ trips: read, similarity: "chrf" })).toThrow("no similarity `pass`; it has chrf");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
