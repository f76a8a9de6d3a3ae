/** Estimates AvgPassRatio and pass@1 of a set of programs from scores for all, behaviour of some, and executions of a few. */
import { CodescoreError } from "../../errors.ts";
import { groupRows } from "../../statistics/index.ts";
import type { LabelledRow } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import { Random } from "../../util/random.ts";
import type { ScoreColumn } from "../measure/columns.ts";
import { type Draw, drawExecuted } from "./draw.ts";
import { drawnTasks, type EstimateResult, estimatedMean } from "./estimated.ts";
import { estimatePassAtK } from "./pass-at-k.ts";
import type { BehaviourValues } from "./powered.ts";

export interface EstimateOptions {
  readonly rows: readonly LabelledRow[];
  /** A score for every row. */
  readonly column: ScoreColumn;
  /**
   * A share in (0, 1]: the estimate may see the labels of this share of the labelled rows, drawn at random. Rows without a label
   * are left out. `all`: every existing label counts as an execution, drawn at random as `draw` says, and rows without a label
   * count as programs that were not executed. @default 0.1
   */
  readonly budget?: number | "all";
  /** What running programs without tests shows. It is a cheaper label between scores and tests. @default none */
  readonly behaviour?: BehaviourLevel;
  /** @default "within" */
  readonly draw?: Draw;
  /** Also estimate pass@k for these k. This needs whole tasks (`tasks`). @default none */
  readonly k?: readonly number[];
  /** @default 1 */
  readonly seed?: number;
}

export interface BehaviourLevel {
  /** One value per row; null if the program was not run. */
  readonly values: BehaviourValues;
  /**
   * A share in (0, 1]: every program has a value, and the estimate may see this share of them, drawn at random. `all`: the
   * existing values count as those of programs drawn at random as `draw` says. @default "all"
   */
  readonly share?: number | "all";
}

/** Throws `CodescoreError` for a row without a score, if there is no label at all, and for a budget too small for the design. */
export function estimate(options: EstimateOptions): EstimateResult {
  const { rows, column, budget = 0.1, draw = "within", k = [], seed = 1 } = options;
  if (k.length > 0 && draw === "within") {
    throw new CodescoreError("usage", `pass@k needs all programs of a task: use --draw tasks`);
  }
  const kept = budget === "all" ? [...rows.keys()] : [...rows.keys()].filter((i) => rows[i]!.pass_ratio !== null);
  if (!kept.some((i) => rows[i]!.pass_ratio !== null)) {
    throw new CodescoreError("input", `expected rows with a label, got ${counted(rows.length, "row")} without one`);
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
  const random = new Random(seed);
  const behaviour = options.behaviour && seenOf(options.behaviour, kept, { taskIds, draw, random });
  const run = behaviour && [...behaviour.keys()].filter((k) => behaviour[k] !== null);
  const labelled = [...kept.keys()].filter((k) => passRatios[k] !== null);
  const executed = budget === "all" ? labelled : drawFrom(run ?? null, { taskIds, budget, draw, random });
  const odd = behaviour && executed.find((k) => behaviour[k] === null);
  if (odd !== undefined) {
    const id = rows[kept[odd]!]!.sample_id;
    throw new CodescoreError(
      "input",
      `expected behaviour of every executed program, got none for sample ${id}: run it too`,
    );
  }
  const passes = passRatios.map((ratio) => (ratio === null ? null : Number(ratio === 1)));
  const drawn = { scores, taskIds, executed, draw, ...(behaviour && { behaviour }) };
  return {
    counts: {
      programs: kept.length,
      tasks: groupRows(taskIds).size,
      ...drawnTasks(draw, taskIds, executed),
      executed: executed.length,
      leftOut: rows.length - kept.length,
      ...(run && { run: run.length }),
    },
    scores: { name: column.name, signature: column.signature },
    settings: { budget, draw, seed },
    measures: [
      estimatedMean("AvgPassRatio", { ...drawn, values: passRatios }),
      estimatedMean("pass@1", { ...drawn, values: passes }),
      ...k.map((one) => estimatePassAtK({ ...drawn, passes }, one)),
    ],
  };
}

/** The behaviour values that the estimate may see, one per kept program. */
function seenOf(
  { values, share = "all" }: BehaviourLevel,
  kept: readonly number[],
  { taskIds, draw, random }: { readonly taskIds: readonly string[]; readonly draw: Draw; readonly random: Random },
): BehaviourValues {
  const own = kept.map((i) => values[i] ?? null);
  if (share === "all") {
    if (own.some((value) => value !== null)) return own;
    throw new CodescoreError(
      "input",
      `expected behaviour of at least one of ${counted(own.length, "program")}, got none`,
    );
  }
  const missing = own.filter((value) => value === null).length;
  if (missing > 0) {
    throw new CodescoreError(
      "usage",
      `a share of behaviour needs behaviour of all programs, but ${missing} of ${own.length} have none; omit the share, then the programs that were run count as drawn`,
    );
  }
  const drawn = new Set(drawExecuted(taskIds, share, draw, random));
  return own.map((value, k) => (drawn.has(k) ? value : null));
}

/** Draws the programs to execute. If `run` is given, draws only among these. */
function drawFrom(
  run: readonly number[] | null,
  {
    taskIds,
    budget,
    draw,
    random,
  }: { readonly taskIds: readonly string[]; readonly budget: number; readonly draw: Draw; readonly random: Random },
): number[] {
  if (run === null) return drawExecuted(taskIds, budget, draw, random);
  const share = (budget * taskIds.length) / run.length;
  if (share > 1 + 1e-9) {
    throw new CodescoreError(
      "usage",
      `expected a budget of at most ${(run.length / taskIds.length).toFixed(3)}, the share of the programs with behaviour, got ${budget}`,
    );
  }
  const own = run.map((k) => taskIds[k]!);
  return drawExecuted(own, Math.min(1, share), draw, random).map((place) => run[place]!);
}
