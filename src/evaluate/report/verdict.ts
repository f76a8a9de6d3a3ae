/** The first sentences of a report: how far the scores can be trusted to rank programs. */
import { escapeHtml } from "../../report/html.ts";
import { fixed } from "../../report/tables.ts";
import { concordance } from "../../statistics/index.ts";
import type { ColumnResult } from "../measure/column.ts";
import type { EvaluationResult } from "../measure/evaluate.ts";
import type { Usable, UsableColumn } from "../measure/usable.ts";

/** A share of pairs in percent, rounded down, so that 100.0% means all of them. */
const percent = ({ pairs, right }: { pairs: number; right: number }): string =>
  `${(Math.floor((1000 * right) / pairs + 1e-9) / 10).toFixed(1)}%`;

/** In how many pairs of programs scores and execution agree on which passes more tests. Pairs with equal PassRatio do not count. */
export function verdict({ name, scores }: UsableColumn, { counts, passRatios, tasks }: Usable): string[] {
  const all = concordance(scores, passRatios);
  const programs = `${counts.used.toLocaleString("en")} program${counts.used === 1 ? "" : "s"}`;
  if (all.pairs === 0) return [`${name} cannot be judged on ${programs}: no two of them differ in PassRatio.`];
  const of = (values: readonly number[], rows: readonly number[]): number[] => rows.map((i) => values[i]!);
  const within = tasks.map((rows) => concordance(of(scores, rows), of(passRatios, rows)));
  const same = within.reduce((sum, { pairs, right }) => ({ pairs: sum.pairs + pairs, right: sum.right + right }));
  return [
    `${name} ranks ${programs} as execution does in ${percent(all)} of pairs.`,
    same.pairs === 0
      ? "No task has two programs that differ in PassRatio."
      : `Among pairs of the same task: ${percent(same)}.`,
    "Chance is 50%.",
  ];
}

/** @param figures the measured figures of the same column */
export function verdictHtml(column: UsableColumn, figures: ColumnResult, { labels, data }: EvaluationResult): string {
  const [first, ...rest] = verdict(column, data);
  const text = `<p class="verdict"><strong>${escapeHtml(first!)}</strong> ${escapeHtml(rest.join(" "))}</p>`;
  return text + keyFigures(figures, labels);
}

function keyFigures(focus: ColumnResult, labels: EvaluationResult["labels"]): string {
  const digits = (value: number | null): string => (value === null ? "-" : fixed(value));
  const range = focus.bounds.spearman;
  const figures = [
    [
      "Rank correlation with PassRatio",
      digits(focus.spearman),
      `Spearman r_s${range ? `; 95% interval ${digits(range.low)} to ${digits(range.high)}` : ""}`,
    ],
    ["Within-task rank correlation", digits(focus.withinSpearman), "Spearman r_s, mean over tasks"],
    [
      "Within-task ROC AUC",
      digits(focus.withinAuc),
      "how often a program that passes every test outscores one of its task that does not",
    ],
    ["Mean absolute error", digits(focus.mae), "of the score, against PassRatio (MAE)"],
    [
      "PassRatio of the highest score",
      digits(focus.top1),
      `one program per task (top-1); random choice ${digits(labels.randomChoice)}, best possible ${digits(labels.bestChoice)}`,
    ],
    ...(focus.exec
      ? [
          [
            "Predicting which programs run",
            digits(focus.exec.f1),
            `F1 of exec, the predicted probability; ROC AUC ${digits(focus.exec.auc)}`,
          ],
        ]
      : []),
  ];
  const items = figures.map(
    ([term, value, note]) =>
      `<div><dt>${escapeHtml(term!)}</dt><dd>${escapeHtml(value!)}<small>${escapeHtml(note!)}</small></dd></div>`,
  );
  return `<dl class="key">${items.join("")}</dl>`;
}
