/** The tables of an evaluation: those of Dong et al. 2023, and those that they lack. */

import type { Cell, Estimated, NamedTable, Table } from "../../report/tables.ts";
import { counted } from "../../util/counted.ts";
import type { Bounds, ColumnResult, ExecResult } from "./column.ts";
import { costCurveTable } from "./cost-curve.ts";
import type { EvaluationResult } from "./evaluate.ts";
import type { Measure, OfSize } from "./measure.ts";
import { modelsTable } from "./models.ts";
import { nearMissTable } from "./near-misses.ts";

/** Names of the tables, in the order of `resultTables`. */
export const TABLE_NAMES = [
  "correlation",
  "formats",
  "within",
  "best-of",
  "near-misses",
  "cost-curve",
  "binary",
  "exec",
  "calibration",
  "pass@k",
  "models",
] as const;
export type TableName = (typeof TABLE_NAMES)[number];

/** Every table for which the evaluation has data. */
export function resultTables(result: EvaluationResult): NamedTable[] {
  const { columns, formats } = result;
  // Compared with themselves, the labels show nothing except agreement. So most tables leave them out.
  const others = { ...result, columns: columns.filter(({ kind }) => kind !== "labels") };
  const cross = columns.some(({ binary }) => binary.from === "cross-fit");
  const nearMisses = others.columns.map((column) => ({ name: column.name, share: figure(column, "nearMisses") }));
  const tables: (Omit<NamedTable, "name" | "table"> & { name: TableName; table: Table | null })[] = [
    {
      name: "correlation",
      title: "Agreement with PassRatio (Dong et al. 2023, tables 3, 4 and 7)",
      table: correlationTable(result),
    },
    {
      name: "formats",
      title: "The model in each input format (Dong et al. 2023, tables 3 and 4)",
      note: formats
        ? `${counted(formats.counts.used, "program")} of ${counted(formats.counts.tasks, "task")} that allow each format.`
        : "",
      table: formats && correlationOf(formats.columns, "format", bleuMs(result)),
    },
    {
      name: "within",
      title: "Telling programs of one task apart",
      note: "within r_s: mean over the tasks whose programs differ in PassRatio. AUC: the probability that a program that passes every test outscores one that does not; within AUC: the mean over tasks that have both.",
      table: withinTable(others),
    },
    {
      name: "best-of",
      title: "Choosing a program of each task by its score",
      note: `Mean PassRatio of the chosen programs. top-1, bottom-1: the program of each task with the highest score, with the lowest; top-1 passes: share of tasks whose top-1 passes every test; best of n: the highest score among n programs of a task, drawn at random${tasksOf(result.choice.random)}.`,
      table: choiceTable(others),
    },
    ...named("near-misses", nearMissTable(nearMisses, result.nearMisses, quietRows(others.columns))),
    ...named("cost-curve", result.costCurve && costCurveTable(result.costCurve)),
    {
      name: "binary",
      title: "Predicting which programs pass every test (Dong et al. 2023, table 6)",
      note: `A score of at least the threshold predicts that a program passes. r: correlation of prediction and result; tau-b, r_s and r_p are equal here.${cross ? " cross-fit: each fifth of the tasks has the threshold that correlates best on the other four (shown: the mean)." : ""}`,
      table: binaryTable(others),
    },
    {
      name: "exec",
      title: "Predicting which programs run on every test (Dong et al. 2023, figure 4)",
      note: "exec, the predicted probability that a program runs on every test without an error, against whether it does. At least 0.5 predicts that it does.",
      table: execTable(others),
    },
    {
      name: "calibration",
      title: "Calibration of scores and intervals",
      note: "ECE: expected calibration error of the score as a PassRatio, in 15 bins of equal width; ECE mass: in bins of equally many programs. Bootstrap intervals of it would be biased upward, so there are none. pass: predicted probability of passing every test. coverage, width: of the prediction intervals of scores, which should contain the PassRatio.",
      table: calibrationErrorTable(others),
    },
    {
      name: "pass@k",
      title: "pass@k by execution",
      note: `Unbiased (Chen et al. 2021), the mean over tasks${tasksOf(result.passAtK[0]!.at)}.`,
      table: passAtKTable(result),
    },
    ...named("models", modelsTable(result.models)),
  ];
  return tables.flatMap(({ table, note, ...named }) => (table ? [{ ...named, ...(note && { note }), table }] : []));
}

const named = (name: TableName, table: Omit<NamedTable, "name"> | null) => (table === null ? [] : [{ name, ...table }]);

const bounded = (value: number | null, bounds: Bounds | null): Estimated => ({
  value,
  low: bounds?.low ?? null,
  high: bounds?.high ?? null,
});

const figure = (column: ColumnResult, measure: Measure): Estimated => bounded(column[measure], column.bounds[measure]);

/** Rows of oracles, executions and labels. No metric can be expected to beat them, so they are not highlighted as best. */
const quietRows = (columns: readonly ColumnResult[]): number[] =>
  [...columns.keys()].filter((i) => ["oracle", "execution", "labels"].includes(columns[i]!.kind));

const bleuMs = ({ columns }: EvaluationResult): number | null =>
  columns.find(({ name }) => name === "bleu")?.msPerPair ?? null;

/** Correlations with PassRatio, one row per column of scores. `intervals`: of every figure, or only of r_s. */
export function correlationTable(result: EvaluationResult, intervals: "all" | "r_s" = "all"): Table {
  return correlationOf(result.columns, "metric", bleuMs(result), intervals);
}

function correlationOf(
  columns: readonly ColumnResult[],
  label: string,
  bleu: number | null,
  intervals: "all" | "r_s" = "all",
): Table {
  const shown = (column: ColumnResult, measure: Measure): Cell =>
    intervals === "all" ? figure(column, measure) : column[measure];
  return {
    columns: [
      { label },
      { label: "mean score" },
      { label: "tau", latex: "$\\tau$", best: "highest" },
      { label: "r_s", latex: "$r_s$", best: "highest" },
      { label: "r_p", latex: "$r_p$", best: "highest" },
      { label: "MAE", best: "lowest" },
      { label: "within AUC", best: "highest" },
      { label: "ms/pair" },
      ...(bleu === null ? [] : [{ label: "x BLEU", latex: "$\\times$ BLEU", digits: 1 }]),
    ],
    rows: columns.map((column) => [
      column.name,
      column.mean,
      shown(column, "kendallTauB"),
      figure(column, "spearman"),
      shown(column, "pearson"),
      shown(column, "mae"),
      shown(column, "withinAuc"),
      column.msPerPair,
      ...(bleu === null ? [] : [column.msPerPair === null ? null : column.msPerPair / bleu]),
    ]),
    quiet: quietRows(columns),
  };
}

function withinTable({ columns }: EvaluationResult): Table {
  return {
    columns: [
      { label: "metric" },
      { label: "within r_s", latex: "within $r_s$", best: "highest" },
      { label: "within AUC", best: "highest" },
      { label: "AUC", best: "highest" },
    ],
    rows: columns.map((column) => [
      column.name,
      figure(column, "withinSpearman"),
      figure(column, "withinAuc"),
      figure(column, "auc"),
    ]),
    quiet: quietRows(columns),
  };
}

function choiceTable({ columns, choice, labels }: EvaluationResult): Table {
  const chosen = columns.filter(({ kind }) => kind !== "oracle");
  return {
    columns: [
      { label: "metric" },
      { label: "top-1", best: "highest" },
      { label: "top-1 passes", best: "highest" },
      { label: "bottom-1", best: "lowest" },
      ...choice.random.map(({ n }) => ({ label: `best of ${n}`, best: "highest" as const })),
    ],
    rows: [
      ...chosen.map((column) => [
        column.name,
        figure(column, "top1"),
        figure(column, "top1Passes"),
        figure(column, "bottom1"),
        ...column.bestOf,
      ]),
      ["(random choice)", labels.randomChoice, labels.randomPasses, labels.randomChoice, ...choice.random],
      ["(best by tests)", labels.bestChoice, labels.bestPasses, labels.worstChoice, ...choice.execution],
    ],
    quiet: [...quietRows(chosen), chosen.length, chosen.length + 1],
  };
}

/** Says how many tasks are large enough, if not all are. */
function tasksOf(sizes: readonly OfSize[]): string {
  const all = Math.max(...sizes.map(({ tasks }) => tasks));
  const fewer = sizes.filter(({ tasks }) => tasks < all);
  if (fewer.length === 0) return "";
  return ` (${fewer.map(({ n, tasks }) => `${n}: over ${tasks} of ${counted(all, "task")}`).join(", ")})`;
}

function binaryTable({ columns }: EvaluationResult): Table {
  return {
    columns: [
      { label: "metric" },
      { label: "threshold" },
      { label: "threshold from" },
      { label: "r", latex: "$r$", best: "highest" },
      { label: "precision", best: "highest" },
      { label: "recall", best: "highest" },
      { label: "F1", best: "highest" },
      { label: "accuracy", best: "highest" },
    ],
    rows: columns.map(({ name, binary }) => [
      name,
      binary.threshold,
      binary.from,
      binary.r,
      binary.precision.value,
      binary.recall.value,
      binary.f1,
      binary.accuracy,
    ]),
    quiet: quietRows(columns),
  };
}

/** The Exec heads compared with `executable`; null if no column has one. */
function execTable({ columns }: EvaluationResult): Table | null {
  const rows = columns.flatMap(({ name, exec }) => {
    if (exec === null) return [];
    const cell = (key: keyof ExecResult["bounds"]): Estimated => bounded(exec[key], exec.bounds[key]);
    return [[name, cell("precision"), cell("recall"), cell("f1"), cell("accuracy"), cell("auc"), exec.ece]];
  });
  if (rows.length === 0) return null;
  return {
    columns: [
      { label: "metric" },
      { label: "precision", best: "highest" },
      { label: "recall", best: "highest" },
      { label: "F1", best: "highest" },
      { label: "accuracy", best: "highest" },
      { label: "ROC AUC", best: "highest" },
      { label: "ECE", best: "lowest" },
    ],
    rows,
  };
}

/** Calibration errors, and how often intervals contain the PassRatio, for scores that have intervals. */
function calibrationErrorTable({ columns }: EvaluationResult): Table {
  const shares = columns.find(({ intervals }) => intervals !== null)?.intervals?.maeOfSurest;
  const hasPass = columns.some(({ pass }) => pass !== null);
  return {
    columns: [
      { label: "metric" },
      { label: "ECE", best: "lowest" },
      { label: "ECE mass", best: "lowest" },
      ...(hasPass ? [{ label: "pass ECE" }, { label: "pass Brier" }, { label: "pass AUC" }] : []),
      ...(shares === undefined
        ? []
        : [
            { label: "coverage" },
            { label: "coverage by task" },
            { label: "width" },
            { label: "MAE" },
            ...shares.map(({ share }) => ({ label: `MAE of narrowest ${100 * share}%` })),
          ]),
    ],
    rows: columns.map(({ name, ece, eceMass, pass, mae, intervals }) => [
      name,
      ece,
      eceMass,
      ...(hasPass ? [pass?.ece ?? null, pass?.brier ?? null, pass?.auc ?? null] : []),
      ...(shares === undefined
        ? []
        : [
            intervals?.held ?? null,
            intervals?.heldByTask ?? null,
            intervals?.width ?? null,
            mae,
            ...shares.map((_, i) => intervals?.maeOfSurest[i]?.mae ?? null),
          ]),
    ]),
    quiet: quietRows(columns),
  };
}

function passAtKTable({ passAtK }: EvaluationResult): Table {
  return {
    columns: [
      { label: "results of" },
      { label: "tests per program", digits: 1 },
      ...passAtK[0]!.at.map(({ n }) => ({ label: `pass@${n}` })),
    ],
    rows: passAtK.map(({ name, meanTests, at }) => [name, meanTests, ...at]),
  };
}
