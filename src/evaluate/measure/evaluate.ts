/**
 * Measures how well scores predict what execution shows. Computes the tables of CodeScore (Dong et al. 2023, tables 3, 4, 6 and
 * 7) and what they lack: skill within a task, choosing the best program of a task, intervals clustered by task, and an oracle
 * that knows only each task's difficulty.
 */

import { PassTally } from "../../dataset/index.ts";
import { mean, orNull } from "../../statistics/index.ts";
import type { LabelledRow } from "../../types.ts";
import { type ColumnResult, measureColumn, type Settings } from "./column.ts";
import type { ScoreColumn } from "./columns.ts";
import { type CostCurve, measureCostCurve } from "./cost-curve.ts";
import { executionColumns, meanTests, type OtherLabels } from "./execution.ts";
import { bestOfSizes, type OfSize, passAtSizes } from "./measure.ts";
import { type ModelResult, passAtModels } from "./models.ts";
import { countNearMisses, type NearMissCounts } from "./near-misses.ts";
import type { Stages } from "./stages.ts";
import type { Subset } from "./subset.ts";
import { type Counts, selectUsable, type Usable, type UsableColumn } from "./usable.ts";

export interface EvaluateOptions {
  readonly rows: readonly LabelledRow[];
  /** Each has one score per row; see `metricColumn`, `scorerColumn`, `readScoreColumn`. */
  readonly columns: readonly ScoreColumn[];
  /** Measure only this part of the rows. @default all */
  readonly only?: Subset;
  /** A set to choose thresholds on. Columns without one of the same name there get cross-fitted thresholds. */
  readonly dev?: { readonly rows: readonly LabelledRow[]; readonly columns: readonly ScoreColumn[] };
  /** Labels of the same rows, including the set's own (`ownLabels`). Execution is then measured as a metric. */
  readonly executions?: readonly OtherLabels[];
  /** Scores of one model in each input format (`formatColumns`). Measured on the rows that have all of them. */
  readonly formats?: readonly ScoreColumn[];
  /** Stages of running programs (`runStages`). Measured on the rows that have all of them. */
  readonly stages?: Stages;
  /** Number of bootstrap resamples for the intervals. @default 1000 */
  readonly resamples?: number;
  /** @default 1 */
  readonly seed?: number;
}

export interface EvaluationResult {
  readonly counts: Counts;
  readonly labels: LabelSummary;
  readonly settings: Settings;
  /** In input order, then the executions, and last the difficulty-only oracle. */
  readonly columns: readonly ColumnResult[];
  /** pass@k of the programs, one entry per suite of tests. */
  readonly passAtK: readonly {
    readonly name: string;
    readonly meanTests: number | null;
    readonly at: readonly OfSize[];
  }[];
  /** pass@k by the labels, for each model that made programs. */
  readonly models: readonly ModelResult[];
  /** Expected PassRatio of one program among n: drawn at random, and chosen by execution. */
  readonly choice: { readonly random: readonly OfSize[]; readonly execution: readonly OfSize[] };
  readonly nearMisses: NearMissCounts;
  /** The model in each input format, and the rows that they are measured on. */
  readonly formats: { readonly counts: Counts; readonly columns: readonly ColumnResult[] } | null;
  /** Cost and benefit of running more; null if no stages were given. */
  readonly costCurve: CostCurve | null;
  /** The measured rows, for plots. `toJson` leaves them out. */
  readonly data: Usable;
}

export interface LabelSummary {
  readonly meanPassRatio: number;
  /** Share of programs that pass every test (Pass@1). */
  readonly passesAll: number;
  /** Share of programs that execute, among those for which it is known; null if there are none. */
  readonly executable: number | null;
  /** Mean over tasks of the mean PassRatio: the value of top-1 for a random choice. */
  readonly randomChoice: number;
  /** Mean over tasks of the share of programs that pass every test. */
  readonly randomPasses: number;
  /** Share of tasks that have a program that passes every test. */
  readonly bestPasses: number;
  /** Mean over tasks of the best PassRatio: the value of top-1 if execution chooses. */
  readonly bestChoice: number;
  /** Mean over tasks of the worst PassRatio: the value of bottom-1 if execution chooses. */
  readonly worstChoice: number;
}

const LEVEL = 0.95;

/** Throws `CodescoreError("input")` for columns that do not fit the rows, for a NaN (naming its row), and if no row is usable. */
export function evaluate(options: EvaluateOptions): EvaluationResult {
  const { rows, only, dev, executions = [], formats, stages, resamples = 1000, seed = 1 } = options;
  const settings: Settings = { only: only ?? null, resamples, seed, level: LEVEL };
  const executed = executions.flatMap(executionColumns);
  const data = selectUsable(rows, [...options.columns, ...executed], only);
  const { tasks, passRatios, passesAll } = data;
  const developed = dev && selectUsable(dev.rows, dev.columns, only);
  const taskMeans = tasks.map((task) => mean(task.map((i) => passRatios[i]!)));
  const measureAll = (columns: readonly UsableColumn[], on: Usable): ColumnResult[] =>
    columns.map((column) => measureColumn(column, on, settings, developed));
  const constant = passRatios.map(() => 0);
  const extreme = (pick: (...values: number[]) => number): number =>
    mean(tasks.map((task) => pick(...task.map((i) => passRatios[i]!))));
  const inFormats = formats && formats.length > 0 ? selectUsable(rows, formats, only) : null;
  return {
    counts: data.counts,
    labels: {
      meanPassRatio: mean(passRatios),
      passesAll: mean(passesAll.map(Number)),
      executable: orNull(mean(data.rows.flatMap(({ executable }) => executable ?? []))),
      randomChoice: mean(taskMeans),
      randomPasses: mean(tasks.map((task) => mean(task.map((i) => Number(passesAll[i]))))),
      bestPasses: mean(tasks.map((task) => Number(task.some((i) => passesAll[i])))),
      bestChoice: extreme(Math.max),
      worstChoice: extreme(Math.min),
    },
    settings,
    columns: measureAll([...data.columns, difficultyOracle(data, taskMeans)], data),
    passAtK: measurePassAtK(executions, data, settings),
    models: measureModels(data, settings),
    choice: {
      random: bestOfSizes(constant, data, settings),
      execution: bestOfSizes(passRatios, data, settings),
    },
    nearMisses: countNearMisses(data),
    formats: inFormats && { counts: inFormats.counts, columns: measureAll(inFormats.columns, inFormats) },
    costCurve: stages === undefined ? null : measureCostCurve(rows, stages, settings, only),
    data,
  };
}

function measureModels({ rows }: Usable, settings: Settings): ModelResult[] {
  const tally = new PassTally();
  for (const row of rows) tally.add(row);
  return passAtModels(tally.models, settings);
}

/** pass@k by the labels, or by each suite of tests if there are several. */
function measurePassAtK(
  executions: readonly OtherLabels[],
  data: Usable,
  settings: Settings,
): EvaluationResult["passAtK"] {
  if (executions.length === 0) {
    const at = passAtSizes(data.passesAll, data, settings);
    return [{ name: "labels", meanTests: meanTests(data.rows), at }];
  }
  return executions.map(({ name, meanTests }) => {
    const { scores } = data.columns.find((column) => column.name === `Pass@1 (${name})`)!;
    return {
      name,
      meanTests,
      at: passAtSizes(
        scores.map((score) => score === 1),
        data,
        settings,
      ),
    };
  });
}

/** An oracle that knows each task's mean PassRatio and nothing else. It shows how much correlation comes from difficulty alone. */
function difficultyOracle({ tasks, rows }: Usable, taskMeans: readonly number[]): UsableColumn {
  const scores = new Array<number>(rows.length);
  tasks.forEach((task, t) => {
    for (const i of task) scores[i] = taskMeans[t]!;
  });
  return {
    name: "difficulty-only oracle",
    kind: "oracle",
    signature: "oracle|task-mean-pass-ratio",
    scores,
    exec: null,
    msPerPair: null,
  };
}
