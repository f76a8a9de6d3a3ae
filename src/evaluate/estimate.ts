/** AvgPassRatio and pass@1 of a set of programs from scores for all of them and executions for a few. */
import { CodescoreError } from "../errors.ts";
import { groupRows, mean } from "../metrics/index.ts";
import type { LabelledRow } from "../types.ts";
import { Random } from "../util/random.ts";
import type { ScoreColumn } from "./columns.ts";
import { type Draw, drawExecuted } from "./draw.ts";
import { estimateMean, type MeanEstimate } from "./powered.ts";

export interface EstimateOptions {
  readonly rows: readonly LabelledRow[];
  /** A score for every row. */
  readonly column: ScoreColumn;
  /**
   * A share in (0, 1]: the estimate may see the labels of this share of the labelled rows, drawn at random; rows without
   * a label are left out. `all`: every label that is there counts as an execution, drawn at random as `draw` says, and
   * rows without a label as programs not executed. @default 0.1
   */
  readonly budget?: number | "all";
  /** @default "within" */
  readonly draw?: Draw;
  /** @default 1 */
  readonly seed?: number;
}

export interface EstimateResult {
  readonly counts: {
    readonly programs: number;
    readonly tasks: number;
    readonly executed: number;
    /** Rows without a label that are not among the programs. */
    readonly leftOut: number;
  };
  readonly scores: { readonly name: string; readonly signature: string | null };
  readonly settings: { readonly budget: number | "all"; readonly draw: Draw; readonly seed: number };
  readonly measures: readonly EstimatedMean[];
}

export interface EstimatedMean {
  /** Means over the programs: of PassRatio, and of passing every test. */
  readonly measure: "AvgPassRatio" | "pass@1";
  readonly powered: MeanEstimate;
  /** From the same executions, without the scores. */
  readonly plain: MeanEstimate;
  /** Width of the powered interval / width of the plain one; null when that is 0. */
  readonly widthRatio: number | null;
  /** The mean over all programs, where every one has a label; the estimates do not see it. */
  readonly all: number | null;
}

/** Throws `CodescoreError` for a row without a score, no label at all, or a budget too small for the design. */
export function estimate({ rows, column, budget = 0.1, draw = "within", seed = 1 }: EstimateOptions): EstimateResult {
  const kept = budget === "all" ? [...rows.keys()] : [...rows.keys()].filter((i) => rows[i]!.pass_ratio !== null);
  if (!kept.some((i) => rows[i]!.pass_ratio !== null)) {
    throw new CodescoreError("input", `expected rows with a label, got ${rows.length} rows without one`);
  }
  if (column.scores.length !== rows.length) {
    throw new CodescoreError(
      "input",
      `expected ${rows.length} scores in \`${column.name}\`, got ${column.scores.length}`,
    );
  }
  const bad = kept.find((i) => !Number.isFinite(column.scores[i] ?? Number.NaN));
  if (bad !== undefined) {
    throw new CodescoreError(
      "input",
      `expected a score for every program, got ${column.scores[bad]} in row ${bad} (counted from 0, sample ${rows[bad]!.sample_id}) of \`${column.name}\``,
    );
  }
  const taskIds = kept.map((i) => rows[i]!.task_id);
  const scores = kept.map((i) => column.scores[i] as number);
  const passRatios = kept.map((i) => rows[i]!.pass_ratio);
  const executed =
    budget === "all"
      ? [...kept.keys()].filter((k) => passRatios[k] !== null)
      : drawExecuted(taskIds, budget, draw, new Random(seed));
  const measure = (name: EstimatedMean["measure"], values: readonly (number | null)[]): EstimatedMean => {
    const { powered, plain } = estimateMean({ scores, values, taskIds, executed, draw });
    const known = values.filter((value) => value !== null);
    return {
      measure: name,
      powered,
      plain,
      widthRatio: plain.high > plain.low ? (powered.high - powered.low) / (plain.high - plain.low) : null,
      all: known.length === values.length ? mean(known) : null,
    };
  };
  return {
    counts: {
      programs: kept.length,
      tasks: groupRows(taskIds).size,
      executed: executed.length,
      leftOut: rows.length - kept.length,
    },
    scores: { name: column.name, signature: column.signature },
    settings: { budget, draw, seed },
    measures: [
      measure("AvgPassRatio", passRatios),
      measure(
        "pass@1",
        passRatios.map((ratio) => (ratio === null ? null : Number(ratio === 1))),
      ),
    ],
  };
}
