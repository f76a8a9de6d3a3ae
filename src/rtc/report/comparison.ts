/** Models side by side as one self-contained HTML file: charts, tables, and notes on what makes the runs hard to compare. */
import { cardHtml, escapeHtml, inlineHtml, paragraphsHtml, tableHtml } from "../../report/html.ts";
import type { Chart, NamedTable } from "../../report/index.ts";
import { page } from "../../report/page.ts";
import { modelCharts } from "./charts.ts";
import { modelTables } from "./model-tables.ts";
import type { ModelComparison } from "./models.ts";
import { unique } from "./side-by-side.ts";

/** The page. @param title replaces the default title */
export function comparisonReport(comparison: ModelComparison, title?: string): string {
  const { task, rows, notes } = comparison;
  const models = unique(rows.map(({ model }) => model));
  return page({
    title: title ?? `Models side by side: ${task}`,
    head: [`Models: ${models.join(", ")}.`, ...notes]
      .map((line) => `<p class="muted">${inlineHtml(line)}</p>`)
      .join("\n"),
    main: `${chartsHtml(modelCharts(comparison))}<section><h2>Tables</h2>${tablesHtml(modelTables(comparison))}</section>`,
  });
}

/** A section of charts. Empty without charts. */
export function chartsHtml(charts: readonly Chart[]): string {
  if (charts.length === 0) return "";
  const cards = charts.map(({ title, drawing, caption }) => cardHtml(title, drawing, caption));
  return `<section><h2>Charts</h2><div class="plots">${cards.join("\n")}</div></section>`;
}

/** Tables with their titles and notes. */
export const tablesHtml = (tables: readonly NamedTable[]): string =>
  tables
    .map(
      ({ title, note, table }) =>
        `<h3>${escapeHtml(title)}</h3>${note ? `<div class="muted">${paragraphsHtml(note)}</div>` : ""}${tableHtml(table, title)}`,
    )
    .join("\n");
