/** AvgPassRatio and pass@1 of a set of programs from scores for all of them and executions for a few. */
import { CodescoreError } from "../../errors.ts";
import { groupRows } from "../../statistics/index.ts";
import type { LabelledRow } from "../../types.ts";
import { Random } from "../../util/random.ts";
import type { ScoreColumn } from "../measure/columns.ts";
import { type Draw, drawExecuted } from "./draw.ts";
import { type EstimateResult, estimatedMean } from "./estimated.ts";
import { estimatePassAtK } from "./pass-at-k.ts";

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
  /** Also pass@k for these k, which needs whole tasks (`tasks`). @default none */
  readonly k?: readonly number[];
  /** @default 1 */
  readonly seed?: number;
}

/** Throws `CodescoreError` for a row without a score, no label at all, or a budget too small for the design. */
export function estimate(options: EstimateOptions): EstimateResult {
  const { rows, column, budget = 0.1, draw = "within", k = [], seed = 1 } = options;
  if (k.length > 0 && draw === "within") {
    throw new CodescoreError(
      "usage",
      `pass@k is of whole tasks: a few programs of each do not tell it. Draw whole tasks (--draw tasks)`,
    );
  }
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
  const passes = passRatios.map((ratio) => (ratio === null ? null : Number(ratio === 1)));
  const drawn = { scores, taskIds, executed, draw };
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
      estimatedMean("AvgPassRatio", { ...drawn, values: passRatios }),
      estimatedMean("pass@1", { ...drawn, values: passes }),
      ...k.map((one) => estimatePassAtK({ taskIds, scores, passes, executed }, one)),
    ],
  };
}
