/** The tables of each result, and results as JSON. */
import type { Comparison } from "./compare.ts";
import type { EstimateResult } from "./estimate.ts";
import type { EvaluationResult } from "./evaluate.ts";
import type { Table } from "./tables.ts";

/** Correlations with PassRatio: a row a column of scores. */
export function correlationTable({ columns }: EvaluationResult): Table {
  const bleuMs = columns.find(({ name }) => name === "bleu")?.msPerPair ?? null;
  return {
    columns: [
      { label: "metric" },
      { label: "mean" },
      { label: "tau", best: "highest" },
      { label: "r_s", best: "highest" },
      { label: "low" },
      { label: "high" },
      { label: "r_p", best: "highest" },
      { label: "MAE", best: "lowest" },
      { label: "ECE", best: "lowest" },
      { label: "ECE mass", best: "lowest" },
      { label: "within r_s", best: "highest" },
      { label: "within AUC", best: "highest" },
      { label: "AUC", best: "highest" },
      { label: "top-1", best: "highest" },
      { label: "ms/pair" },
      { label: "x BLEU", digits: 1 },
    ],
    rows: columns.map((column) => [
      column.name,
      column.mean,
      column.kendallTauB,
      column.spearman,
      column.spearmanInterval?.low ?? null,
      column.spearmanInterval?.high ?? null,
      column.pearson,
      column.mae,
      column.ece,
      column.eceMass,
      column.withinSpearman,
      column.withinAuc,
      column.auc,
      column.top1,
      column.msPerPair,
      column.msPerPair === null || bleuMs === null ? null : column.msPerPair / bleuMs,
    ]),
  };
}

/** The Exec heads against `executable`; null when no column has one. */
export function execTable({ columns }: EvaluationResult): Table | null {
  const rows = columns.flatMap(({ name, exec }) =>
    exec === null ? [] : [[name, exec.precision, exec.recall, exec.f1, exec.auc, exec.ece]],
  );
  if (rows.length === 0) return null;
  return {
    columns: [
      { label: "Exec" },
      { label: "precision", best: "highest" },
      { label: "recall", best: "highest" },
      { label: "F1", best: "highest" },
      { label: "AUC", best: "highest" },
      { label: "ECE", best: "lowest" },
    ],
    rows,
  };
}

/** The intervals around scores against PassRatio; null when no column has any. */
export function intervalTable({ columns }: EvaluationResult): Table | null {
  const found = columns.flatMap(({ name, mae, intervals }) =>
    intervals === null ? [] : [{ name, mae, ...intervals }],
  );
  if (found.length === 0) return null;
  const shares = found[0]!.maeOfSurest.map(({ share }) => ({ label: `MAE of surest ${100 * share}%` }));
  return {
    columns: [
      { label: "intervals" },
      { label: "hold" },
      { label: "hold by task" },
      { label: "width" },
      { label: "MAE" },
      ...shares,
    ],
    rows: found.map(({ name, mae, held, heldByTask, width, maeOfSurest }) => [
      name,
      held,
      heldByTask,
      width,
      mae,
      ...maeOfSurest.map((part) => part.mae),
    ]),
  };
}

/** What was measured on what, in a few sentences. */
export function describeRows({ counts, labels, settings }: EvaluationResult): string[] {
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  const left = [
    counts.noLabel > 0 ? `${counts.noLabel} without a label` : "",
    counts.infra > 0 ? `${counts.infra} whose execution failed (infra)` : "",
    ...Object.entries(counts.unscored).map(([name, count]) => `${count} that ${name} could not score`),
  ].filter((text) => text !== "");
  return [
    `${counts.used} programs of ${counts.tasks} tasks${left.length > 0 ? `; left out: ${left.join(", ")}` : ""}.`,
    `Mean PassRatio ${labels.meanPassRatio.toFixed(3)}; ${percent(labels.passesAll)} pass every test, ${percent(labels.executable)} execute.`,
    `top-1 is ${labels.randomChoice.toFixed(3)} choosing at random and ${labels.bestChoice.toFixed(3)} choosing by execution.`,
    `low to high: ${100 * settings.level}% interval of r_s, ${settings.resamples} resamples of whole tasks, seed ${settings.seed}.`,
  ];
}

export function comparisonTable({ a, b, measures }: Comparison): Table {
  return {
    columns: [
      { label: "measure" },
      { label: `A: ${a.name}` },
      { label: `B: ${b.name}` },
      { label: "B - A" },
      { label: "low" },
      { label: "high" },
      { label: "p" },
    ],
    rows: measures.map((m) => [m.measure, m.a, m.b, m.difference, m.low, m.high, m.pValue]),
  };
}

/** A row an estimator a measure; `all` is the mean that the estimate is of, where every label is known. */
export function estimateTable({ measures }: EstimateResult): Table {
  return {
    columns: [
      { label: "measure" },
      { label: "from" },
      { label: "estimate" },
      { label: "low" },
      { label: "high" },
      { label: "width" },
      { label: "lambda" },
      { label: "all" },
    ],
    rows: measures.flatMap(({ measure, plain, powered, all }) => [
      [measure, "executions", plain.estimate, plain.low, plain.high, plain.high - plain.low, null, all],
      [
        measure,
        "with scores",
        powered.estimate,
        powered.low,
        powered.high,
        powered.high - powered.low,
        powered.lambda,
        all,
      ],
    ]),
  };
}

/** Any result of this room as JSON, numbers in full; the rows behind an evaluation are left out. */
export function toJson(result: object): string {
  const { data: _rows, ...rest } = result as { data?: unknown };
  return JSON.stringify(rest, null, 2);
}
