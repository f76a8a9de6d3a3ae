/**
 * Compares scores, made binary by a threshold, with passing every test (Dong et al. 2023, appendix A and table 6). The threshold
 * is the one that correlates best on a development set. Without such a set, thresholds are cross-fitted: each task's threshold
 * comes from other tasks. So no threshold is measured on data that chose it.
 */

import type { Estimated } from "../../report/tables.ts";
import {
  type BootstrapOptions,
  bestThreshold,
  countDetections,
  type Detection,
  type DetectionCounts,
  detectionOfCounts,
  mean,
} from "../../statistics/index.ts";
import { Random } from "../../util/random.ts";
import { estimated } from "./measure.ts";
import type { Usable } from "./usable.ts";

export interface BinaryResult {
  /** Scores of at least this count as "passes"; cross-fitted, the mean over folds. Null if none can be chosen. */
  readonly threshold: number | null;
  readonly from: "dev" | "cross-fit";
  /** Kendall's tau-b, Spearman's r_s and Pearson's r_p, which are equal for two binary columns. */
  readonly r: Estimated;
  readonly precision: Estimated;
  readonly recall: Estimated;
  readonly f1: Estimated;
  readonly accuracy: Estimated;
}

const FOLDS = 5;

/** Scores of a development set, and which of its programs pass every test. */
export interface Development {
  readonly scores: readonly number[];
  readonly passesAll: readonly boolean[];
}

export function measureBinary(
  scores: readonly number[],
  data: Usable,
  development: Development | null,
  settings: BootstrapOptions,
): BinaryResult {
  const { passesAll, rows } = data;
  const thresholds = new Array<number>(rows.length);
  const picked: number[] = [];
  if (development !== null) {
    picked.push(bestThreshold(development.scores, development.passesAll));
    thresholds.fill(picked[0]!);
  } else {
    for (const { held, others } of taskFolds(data, settings.seed)) {
      const threshold = bestThreshold(
        others.map((i) => scores[i]!),
        others.map((i) => passesAll[i]!),
      );
      if (held.length > 0) picked.push(threshold);
      for (const i of held) thresholds[i] = threshold;
    }
  }
  const called = scores.map((score, i) => Number(score >= thresholds[i]!));
  const threshold = mean(picked);
  return {
    threshold: Number.isNaN(threshold) ? null : threshold,
    from: development === null ? "cross-fit" : "dev",
    ...detectionFigures(called, passesAll, data, settings),
  };
}

/** Precision and the other figures of what is called positive (probability 0.5 and more), each with its interval. */
export function detectionFigures(
  probabilities: readonly number[],
  positive: readonly boolean[],
  { tasks }: Pick<Usable, "tasks">,
  settings: BootstrapOptions,
): Omit<BinaryResult, "threshold" | "from"> {
  const counts = tasks.map((task) => countDetections(probabilities, positive, task));
  const clusters = [...counts.keys()];
  const figure = (name: keyof Detection): Estimated =>
    estimated({ clusters, statistic: (chosen) => detectionOfCounts(sumOf(counts, chosen))[name] }, settings);
  return {
    r: figure("phi"),
    precision: figure("precision"),
    recall: figure("recall"),
    f1: figure("f1"),
    accuracy: figure("accuracy"),
  };
}

function sumOf(counts: readonly DetectionCounts[], chosen: Int32Array): DetectionCounts {
  const sum = { rows: 0, called: 0, positives: 0, hits: 0 };
  for (const task of chosen) {
    const { rows, called, positives, hits } = counts[task]!;
    sum.rows += rows;
    sum.called += called;
    sum.positives += positives;
    sum.hits += hits;
  }
  return sum;
}

/** Splits whole tasks at random into five parts. Returns for each part its rows and the rows of all other parts. */
function taskFolds({ tasks }: Usable, seed: number): { held: readonly number[]; others: readonly number[] }[] {
  const shuffled = new Random(seed).shuffle([...tasks]);
  return Array.from({ length: FOLDS }, (_, fold) => ({
    held: shuffled.filter((_, k) => k % FOLDS === fold).flat(),
    others: shuffled.filter((_, k) => k % FOLDS !== fold).flat(),
  }));
}
