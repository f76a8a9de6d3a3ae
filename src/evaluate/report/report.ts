/**
 * A complete evaluation as one self-contained HTML file: no script, font or request. Plots are drawn here. All data is escaped,
 * and the page's policy forbids scripts and requests.
 */

import { MOST_POINTS } from "../../report/draw.ts";
import { cardHtml, escapeHtml, inlineHtml, tableHtml } from "../../report/html.ts";
import { page } from "../../report/page.ts";
import type { Table } from "../../report/tables.ts";
import type { ColumnResult } from "../measure/column.ts";
import { describeRows } from "../measure/describe.ts";
import type { EvaluationResult } from "../measure/evaluate.ts";
import { resultTables } from "../measure/tables.ts";
import type { Usable, UsableColumn } from "../measure/usable.ts";
import { costCurveHtml } from "./cost-curve.ts";
import { type Curve, calibrationPlot, rocPlot } from "./curves.ts";
import { boxPlot, histogram, ranksPlot, scatterPlot, taskPlot, withinPlot } from "./plots.ts";
import { casesHtml, disagreementsHtml } from "./programs.ts";
import { type ReportSection, sectionHtml } from "./sections.ts";
import { verdictHtml } from "./verdict.ts";
import { IN_WORDS, wordsHtml } from "./words.ts";

export interface ReportOptions {
  readonly title: string;
  /** The column to show in detail. @default the model with the highest r_s, or the metric with the highest r_s if there is no model */
  readonly focus?: string;
  /** Shown after the built-in sections. */
  readonly sections?: readonly ReportSection[];
  /** How many of the worst overrated and of the worst underrated programs to show. @default 5 */
  readonly worst?: number;
}

/** The report as HTML. The same result gives the same bytes. Throws `RangeError` if `focus` names no column. */
export function reportHtml(result: EvaluationResult, options: ReportOptions): string {
  const { title, sections = [], worst = 5 } = options;
  const { data } = result;
  const focus = pickFocus(result, options.focus);
  const figures = focus && (result.columns.find(({ name }) => name === focus.name) as ColumnResult);
  return page({
    title,
    head: `${focus && figures ? verdictHtml(focus, figures, result) : ""}
<p class="muted">PassRatio, the label: share of the tests that a program passes. ${inlineHtml(describeRows(result).slice(0, 2).join(" "))}</p>`,
    main: `${summary(result)}
${result.costCurve ? costCurveHtml(result.costCurve) : ""}
${focus ? closeUp(focus, data) : ""}
${focus ? disagreementsHtml(focus, data, worst) : ""}
${casesHtml(data.columns, data)}
${sections.map(sectionHtml).join("\n")}
${wordsHtml(result)}`,
  });
}

function pickFocus({ columns, data }: EvaluationResult, name?: string): UsableColumn | undefined {
  if (name !== undefined) {
    const found = data.columns.find((column) => column.name === name);
    if (found) return found;
    const names = data.columns.map((column) => column.name).join(", ");
    throw new RangeError(`expected \`focus\` to be one of ${names}, got \`${name}\``);
  }
  const ranked = columns
    .filter(({ kind }) => kind === "model" || kind === "metric")
    .sort((a, b) => (b.spearman ?? -1) - (a.spearman ?? -1));
  const best = ranked.find(({ kind }) => kind === "model") ?? ranked[0];
  return data.columns.find((column) => column.name === best?.name);
}

const inWords = (table: Table): Table => ({
  ...table,
  columns: table.columns.map((column) => ({ ...column, label: IN_WORDS[column.label] ?? column.label })),
});

function summary(result: EvaluationResult): string {
  const tables = resultTables(result).map(
    ({ title, note, table }) =>
      `<h3>${escapeHtml(title)}</h3>${note ? `<p class="muted">${inlineHtml(note)}</p>` : ""}${tableHtml(inWords(table), title)}`,
  );
  const notes = [...describeRows(result).slice(2), ...result.data.columns.flatMap((column) => column.notes ?? [])].map(
    (line) => `<p class="muted">${inlineHtml(line)}</p>`,
  );
  return `<section><h2>Agreement with execution</h2>${[...tables, ...notes].join("\n")}</section>`;
}

/** Maximum number of curves in one plot. */
const MOST_CURVES = 12;

function closeUp(focus: UsableColumn, data: Usable): string {
  const others = data.columns.filter((column) => column !== focus && !["execution", "labels"].includes(column.kind));
  const columns = [focus, ...others];
  const all = columns.slice(0, MOST_CURVES);
  const left = columns.length > all.length ? ` The first ${MOST_CURVES} of ${columns.length} columns.` : "";
  const scores: Curve[] = all.map(({ name, scores }) => ({ name, values: scores }));
  const isKnown = data.rows.every((row) => row.executable !== null);
  const exec: Curve[] = all.flatMap(({ name, exec }) => (exec === null || !isKnown ? [] : [{ name, values: exec }]));
  const executable = data.rows.map((row) => row.executable === 1);
  const { name } = focus;
  const cards = [
    cardHtml("PassRatio against score", scatterPlot(focus, data), `${pointsNote(data.rows.length, "program")}`),
    cardHtml(
      "PassRatio by tenth of the scores",
      boxPlot(focus, data),
      "One box per tenth of the programs, ordered by score, labelled with its mean score.",
    ),
    cardHtml(
      "Calibration",
      calibrationPlot(scores, data.passRatios, "PassRatio"),
      `One point per tenth of the programs. On the dashed line, scores equal PassRatios.${left}`,
    ),
    cardHtml(
      "Passing every test",
      rocPlot("passing every test", scores, data.passesAll),
      `ROC curves with their AUC.${left}`,
    ),
    ...(exec.length > 0
      ? [
          cardHtml(
            "Predicting which programs run on every test",
            rocPlot("executing", exec, executable),
            "ROC curves of exec, the predicted probability of running on every test, with their AUC.",
          ),
          cardHtml(
            "Calibration of exec",
            calibrationPlot(exec, executable.map(Number), "share that runs"),
            "One point per tenth of the programs.",
          ),
        ]
      : []),
    cardHtml("Distribution of the scores", histogram(`score by ${name}`, focus.scores, 0), ""),
    cardHtml("Distribution of PassRatio", histogram("PassRatio", data.passRatios, 1), ""),
    cardHtml(
      "Mean PassRatio and mean score of tasks",
      taskPlot(focus, data),
      `${pointsNote(data.tasks.length, "task")} The size of a point shows its number of programs.`,
    ),
    cardHtml(
      "Ranking within tasks",
      withinPlot(focus, data),
      "Tasks whose programs differ in PassRatio; dashed: their mean.",
    ),
    cardHtml(
      "Ranks within tasks",
      ranksPlot(focus, data),
      "Rank of each program in its task by score and by PassRatio: 0 is the lowest, 1 the highest; ties share their mean rank. A stronger colour means more programs.",
    ),
  ];
  return `<section><h2>A closer look at ${escapeHtml(name)}</h2><div class="plots">${cards.join("\n")}</div></section>`;
}

/** Says if points were left out of a plot. */
const pointsNote = (n: number, what: string): string =>
  n <= MOST_POINTS
    ? `One point per ${what}.`
    : `${MOST_POINTS.toLocaleString("en")} of ${n.toLocaleString("en")} ${what}s, drawn at random, one point each.`;
