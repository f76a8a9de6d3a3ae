/**
 * The method of `codescore calibrate` on real programs: those of `he-eval-dev`, scored by chrF, because not every machine has a
 * model. Problems are split in half many times. Nothing fitted here is kept.
 */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fitCalibration, type Observation } from "../../../src/evaluate/index.ts";
import { sentenceChrf } from "../../../src/metrics/index.ts";
import { Calibration } from "../../../src/score/index.ts";
import { expectedCalibrationError, groupRows, mean } from "../../../src/statistics/index.ts";
import { readJsonLines, stringField } from "../../../src/util/jsonl.ts";
import { Random } from "../../../src/util/random.ts";

const data = process.env.CODESCORE_DATA;
const SPLITS = 20;

describe.skipIf(data === undefined)("calibration on he-eval-dev", () => {
  const rows: Observation[] = [];

  beforeAll(async () => {
    const solutions = new Map<string, string>();
    for await (const line of readJsonLines(join(data!, "he-eval-dev", "problems.jsonl.gz"))) {
      solutions.set(stringField(line, "task_id"), stringField(line, "canonical_solution"));
    }
    for await (const line of readJsonLines(join(data!, "he-eval-dev", "samples.jsonl.gz"))) {
      const problem = stringField(line, "task_id");
      const score = sentenceChrf(stringField(line, "completion"), solutions.get(problem)!) / 100;
      const { pass_ratio, executable } = line.value as { pass_ratio: number; executable: 0 | 1 };
      rows.push({ problem, score, exec: score, passRatio: pass_ratio, executable });
    }
  });

  it("intervals hold the PassRatio of new problems' programs as often as they say, and scores mean what they say", () => {
    const problems = [...groupRows(rows.map(({ problem }) => problem)).values()];
    const coverages = [0.5, 0.8, 0.9];
    const held = coverages.map((): number[] => []);
    const widths = coverages.map((): number[] => []);
    const errors: [number, number][] = [];
    for (let split = 0; split < SPLITS; split++) {
      const shuffled = new Random(split).shuffle(problems);
      const half = Math.ceil(shuffled.length / 2);
      const part = (groups: readonly number[][]) => groups.map((group) => group.map((i) => rows[i]!));
      const fitted = fitCalibration(part(shuffled.slice(0, half)).flat(), "isotonic");
      const left = part(shuffled.slice(half));
      const file = { version: 1, method: "isotonic", models: {}, formats: { ref: fitted } } as const;
      coverages.forEach((coverage, c) => {
        const calibration = new Calibration("test", file, { coverage });
        const found = left.map((group) =>
          group.map((row) => ({ ...row, ...calibration.apply(row, "ref"), raw: row.score })),
        );
        const hold = found.map((group) =>
          mean(group.map(({ low, high, passRatio }) => Number(low! <= passRatio && passRatio <= high!))),
        );
        held[c]!.push(mean(hold));
        widths[c]!.push(mean(found.flat().map(({ low, high }) => high! - low!)));
        if (c > 0) return;
        const labels = found.flat().map(({ passRatio }) => passRatio);
        const ece = (scores: number[]): number => expectedCalibrationError(scores, labels);
        errors.push([ece(found.flat().map(({ raw }) => raw)), ece(found.flat().map(({ score }) => score))]);
      });
    }
    const summary = coverages.map(
      (coverage, c) => `${coverage}: held ${mean(held[c]!).toFixed(3)}, width ${mean(widths[c]!).toFixed(3)}`,
    );
    const [before, after] = [0, 1].map((k) => mean(errors.map((pair) => pair[k]!))) as [number, number];
    process.stderr.write(`${summary.join("; ")}; ECE ${before.toFixed(3)} -> ${after.toFixed(3)}\n`);
    // The splits share their problems, so the variance of their mean is hardly smaller than that of one split with about 80 test problems.
    coverages.forEach((coverage, c) => void expect(mean(held[c]!)).toBeGreaterThan(coverage - 0.04));
    expect(mean(held[0]!)).toBeLessThan(mean(held[1]!));
    expect(mean(held[1]!)).toBeLessThan(mean(held[2]!));
    expect(mean(widths[0]!)).toBeLessThan(mean(widths[2]!));
    expect(after).toBeLessThan(0.7 * before); // not 0, because about 80 problems of different difficulty leave some error
  });
});
