/**
 * A whole evaluation as one HTML file that needs nothing else: no script, no font, no request. Plots are drawn here.
 * Everything from data is escaped; the page also forbids itself scripts and requests.
 */
import type { ColumnResult, EvaluationResult } from "./evaluate.ts";
import { type CodePair, cardHtml, codePairHtml, escapeHtml, paragraphsHtml, tableHtml } from "./report-html.ts";
import {
  boxPlot,
  calibrationPlot,
  histogram,
  type Line,
  linesPlot,
  rocPlot,
  scatterPlot,
  taskPlot,
  withinPlot,
} from "./report-plots.ts";
import { style } from "./report-style.ts";
import { correlationTable, describeRows, execTable, intervalTable } from "./results.ts";
import type { Table } from "./tables.ts";
import type { Usable, UsableColumn } from "./usable.ts";

/** A part of the report that the caller adds: statistics of the data, training curves, an RTC table. */
export type ReportSection =
  /** Plain text; blank lines part paragraphs. */
  | { readonly kind: "text"; readonly title: string; readonly text: string }
  | { readonly kind: "table"; readonly title: string; readonly table: Table; readonly note?: string }
  | {
      readonly kind: "plot-lines";
      readonly title: string;
      /** Each is drawn in a frame of its own, side by side. */
      readonly plots: readonly {
        readonly title: string;
        readonly x: string;
        readonly y: string;
        readonly lines: readonly Line[];
        readonly note?: string;
      }[];
    }
  | {
      readonly kind: "code-pairs";
      readonly title: string;
      readonly note?: string;
      readonly pairs: readonly CodePair[];
    };

export interface ReportOptions {
  readonly title: string;
  /** The column whose scores are looked at closely. @default the first model, else the column with the highest r_s */
  readonly focus?: string;
  /** Shown after the built-in parts. */
  readonly sections?: readonly ReportSection[];
  /** How many of the worst over- and underrated programs to show, each. @default 5 */
  readonly worst?: number;
}

/** The report as HTML. The same result gives the same bytes. Throws `RangeError` when `focus` names no column. */
export function renderReport(result: EvaluationResult, options: ReportOptions): string {
  const { title, sections = [], worst = 5 } = options;
  const { data } = result;
  const focus = pickFocus(result, options.focus);
  const figures = focus && (result.columns.find(({ name }) => name === focus.name) as ColumnResult);
  return page(
    title,
    `<p class="muted">${escapeHtml(describeRows(result).slice(0, 2).join(" "))}</p>
${focus ? `<p class="muted">In short, for <strong>${escapeHtml(focus.name)}</strong>:</p>` : ""}
${figures ? keyFigures(figures, result) : ""}`,
    `${summary(result)}
${focus ? closeUp(focus, data) : ""}
${focus ? disagreements(focus, data, worst) : ""}
${sections.map(sectionHtml).join("\n")}
${definitions(result)}`,
  );
}

/** A page of sections alone, with a line below its title. */
export const renderSections = (title: string, line: string, sections: readonly ReportSection[]): string =>
  page(title, `<p class="muted">${escapeHtml(line)}</p>`, sections.map(sectionHtml).join("\n"));

/** A whole page. `head` and `main` are HTML. */
export function page(title: string, head: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
${head}
</header>
<main>
${main}
</main>
<footer>Made by codescore. No script, nothing loaded from elsewhere.</footer>
</body>
</html>
`;
}

function pickFocus({ columns, data }: EvaluationResult, name?: string): UsableColumn | undefined {
  if (name !== undefined) {
    const found = data.columns.find((column) => column.name === name);
    if (found) return found;
    const names = data.columns.map((column) => column.name).join(", ");
    throw new RangeError(`expected \`focus\` to be one of ${names}, got \`${name}\``);
  }
  const ranked = columns
    .filter(({ kind }) => kind !== "oracle")
    .sort((a, b) => (b.spearman ?? -1) - (a.spearman ?? -1));
  const best = ranked.find(({ kind }) => kind === "model") ?? ranked[0];
  return data.columns.find((column) => column.name === best?.name);
}

function keyFigures(focus: ColumnResult, { labels }: EvaluationResult): string {
  const digits = (value: number | null): string => (value === null ? "-" : value.toFixed(3));
  const range = focus.spearmanInterval;
  const figures = [
    ["r_s", digits(focus.spearman), range ? `95%: ${digits(range.low)} to ${digits(range.high)}` : ""],
    ["within-task r_s", digits(focus.withinSpearman), "mean over tasks"],
    ["within-task AUC", digits(focus.withinAuc), "passes every test or not"],
    ["MAE", digits(focus.mae), "|score − PassRatio|"],
    ["top-1", digits(focus.top1), `random ${digits(labels.randomChoice)}, best ${digits(labels.bestChoice)}`],
    ...(focus.exec ? [["Exec F1", digits(focus.exec.f1), `AUC ${digits(focus.exec.auc)}`]] : []),
  ];
  const items = figures.map(
    ([term, value, note]) =>
      `<div><dt>${escapeHtml(term!)}</dt><dd>${escapeHtml(value!)}<small>${escapeHtml(note!)}</small></dd></div>`,
  );
  return `<dl class="key" aria-label="${escapeHtml(focus.name)}">${items.join("")}</dl>`;
}

function summary(result: EvaluationResult): string {
  const exec = execTable(result);
  const intervals = intervalTable(result);
  const isOracle = (row: number): boolean => result.columns[row]?.kind === "oracle";
  return `<section><h2>Agreement with execution</h2>
${tableHtml(correlationTable(result), isOracle)}
${exec ? tableHtml(exec) : ""}
${intervals ? tableHtml(intervals) : ""}
${describeRows(result)
  .slice(2)
  .map((line) => `<p class="muted">${escapeHtml(line)}</p>`)
  .join("\n")}</section>`;
}

function closeUp(focus: UsableColumn, data: Usable): string {
  const others = data.columns.filter((column) => column !== focus).slice(0, 5);
  const all = [focus, ...others];
  const withExec = all.filter(({ exec }) => exec !== null);
  const cards = [
    cardHtml(
      "Score against PassRatio",
      scatterPlot(focus, data),
      "One point a program; at most 2,500, drawn at random.",
    ),
    cardHtml("PassRatio by score", boxPlot(focus, data), "A tenth of the programs a box, named by its mean score."),
    cardHtml("Calibration", calibrationPlot(all, data), "On the dashed line a score means what it says."),
    cardHtml(
      "Passing every test",
      rocPlot(
        "ROC of passing every test",
        all.map(({ name, scores }) => ({ name, values: scores })),
        data.passesAll,
      ),
      "ROC curves with their AUC.",
    ),
    ...(withExec.length > 0
      ? [
          cardHtml(
            "Executing at all",
            rocPlot(
              "ROC of Exec",
              withExec.map(({ name, exec }) => ({ name, values: exec! })),
              data.rows.map(({ executable }) => executable === 1),
            ),
            "ROC of the Exec head against Executability, with its AUC.",
          ),
        ]
      : []),
    cardHtml("Scores", histogram(`score (${focus.name})`, focus.scores, 0), "How the scores are spread."),
    cardHtml("PassRatio", histogram("PassRatio", data.passRatios, 1), "How the labels are spread."),
    cardHtml("Tasks", taskPlot(focus, data), "One circle a task, as large as its programs are many."),
    cardHtml("Ranking within tasks", withinPlot(focus, data), "Tasks whose PassRatio varies; dashed: their mean."),
  ];
  return `<section><h2>A closer look at ${escapeHtml(focus.name)}</h2><div class="plots">${cards.join("\n")}</div></section>`;
}

/** The programs whose score is furthest from PassRatio, one a task so that no task fills the list. */
function disagreements({ name, scores }: UsableColumn, { rows, passRatios, tasks }: Usable, worst: number): string {
  const furthest = (sign: 1 | -1): number[] =>
    tasks
      .map((task) => task.reduce((a, b) => (sign * gap(b) > sign * gap(a) ? b : a)))
      .filter((i) => sign * gap(i) > 0)
      .sort((a, b) => sign * (gap(b) - gap(a)))
      .slice(0, worst);
  const gap = (i: number): number => scores[i]! - passRatios[i]!;
  const pair = (i: number): CodePair => {
    const row = rows[i]!;
    const error = row.first_error === null ? "" : `, first error ${row.first_error}`;
    return {
      title: row.sample_id.includes(row.task_id) ? row.sample_id : `${row.task_id} ${row.sample_id}`,
      note: `score ${scores[i]!.toFixed(3)}, passes ${row.n_passed} of ${row.n_tests} tests${error}`,
      left: { title: `candidate by ${row.made_by}`, code: row.candidate },
      right: { title: "reference", code: row.reference ?? "(no reference)" },
    };
  };
  const list = (title: string, chosen: readonly number[]): string =>
    chosen.length === 0 ? "" : `<h3>${title}</h3>${chosen.map((i, k) => codePairHtml(pair(i), k === 0)).join("\n")}`;
  return `<section><h2>Worst disagreements of ${escapeHtml(name)}</h2>
<p class="muted">The programs whose score is furthest from their PassRatio, one a task. Marked lines are not in the other program.</p>
${list("Overrated: scores well, fails", furthest(1))}
${list("Underrated: scores badly, passes", furthest(-1))}</section>`;
}

function sectionHtml(section: ReportSection): string {
  return `<section><h2>${escapeHtml(section.title)}</h2>${contentHtml(section)}</section>`;
}

function contentHtml(section: ReportSection): string {
  const note = (text: string | undefined): string => (text === undefined ? "" : paragraphsHtml(text));
  switch (section.kind) {
    case "text":
      return paragraphsHtml(section.text);
    case "table":
      return note(section.note) + tableHtml(section.table);
    case "code-pairs":
      return note(section.note) + section.pairs.map((pair, i) => codePairHtml(pair, i === 0)).join("\n");
    case "plot-lines": {
      const cards = section.plots.map(({ title, x, y, lines, note: caption = "" }) => {
        const drawing = linesPlot(title, x, y, lines);
        return cardHtml(title, lines.length > 1 ? drawing : { ...drawing, legend: [] }, caption);
      });
      return `<div class="plots">${cards.join("\n")}</div>`;
    }
  }
}

function definitions({ columns }: EvaluationResult): string {
  const terms = [
    ["PassRatio", "passed test cases / all test cases of a program. The label that scores are compared with."],
    [
      "tau, r_s, r_p",
      "Kendall's tau-b, Spearman's and Pearson's correlation of scores with PassRatio, over all programs.",
    ],
    ["low, high", "95% interval of r_s: percentile bootstrap that draws whole tasks."],
    ["MAE", "mean of |score − PassRatio|."],
    [
      "ECE, ECE mass",
      "expected calibration error: mean distance of a bin's mean score from its mean PassRatio, in 15 bins of equal width or of as many programs.",
    ],
    [
      "hold, hold by task",
      "share of intervals that hold the PassRatio, over programs and as the mean over tasks; surest: narrowest intervals.",
    ],
    ["within r_s", "mean r_s within a task, over tasks whose PassRatio varies; constant scores count as 0."],
    [
      "within AUC",
      "mean over tasks, of those with both, of how often a program that passes every test outscores one that does not.",
    ],
    ["AUC", "the same over all programs of all tasks."],
    ["top-1", "mean PassRatio of each task's best-scored program."],
    [
      "difficulty-only oracle",
      "knows the mean PassRatio of each task and nothing of its programs: what a correlation owes to difficulty alone.",
    ],
    ["metrics of text", "leave out the imports, signature and docstring that candidate and reference both begin with."],
  ];
  const list = terms.map(([term, text]) => `<dt>${escapeHtml(term!)}</dt><dd>${escapeHtml(text!)}</dd>`);
  const signatures = columns.flatMap(({ name, signature }) => (signature === null ? [] : [`${name}: ${signature}`]));
  return `<section><h2>What the words mean</h2><dl class="notes">${list.join("")}</dl>
<h2>Signatures</h2>${signatures.map((text) => `<p><code class="signature">${escapeHtml(text)}</code></p>`).join("\n")}</section>`;
}
