/** Sections that a caller adds to a report: text, tables, lines, programs side by side. */

import {
  type CodePair,
  cardHtml,
  codePairHtml,
  escapeHtml,
  inlineHtml,
  paragraphsHtml,
  tableHtml,
} from "../../report/html.ts";
import { page } from "../../report/page.ts";
import type { Table } from "../../report/tables.ts";
import { type Line, linesPlot } from "./curves.ts";

/** A section that the caller adds: statistics of the data, training curves, an RTC table. */
export type ReportSection =
  /** Plain text. Blank lines separate paragraphs. */
  | { readonly kind: "text"; readonly title: string; readonly text: string }
  | { readonly kind: "table"; readonly title: string; readonly table: Table; readonly note?: string }
  | {
      readonly kind: "plot-lines";
      readonly title: string;
      readonly note?: string;
      /** Each plot has a separate frame, side by side. */
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

/** See `renderSections`. */
export const sectionsHtml = (title: string, line: string, sections: readonly ReportSection[]): string =>
  page({ title, head: `<p class="muted">${inlineHtml(line)}</p>`, main: sections.map(sectionHtml).join("\n") });

export const sectionHtml = (section: ReportSection): string =>
  `<section><h2>${escapeHtml(section.title)}</h2>${contentHtml(section)}</section>`;

function contentHtml(section: ReportSection): string {
  if (section.kind === "text") return paragraphsHtml(section.text);
  return (section.note === undefined ? "" : paragraphsHtml(section.note)) + shownHtml(section);
}

function shownHtml(section: Exclude<ReportSection, { kind: "text" }>): string {
  switch (section.kind) {
    case "table":
      return tableHtml(section.table, section.title);
    case "code-pairs":
      return section.pairs.map((pair, i) => codePairHtml(pair, i === 0)).join("\n");
    case "plot-lines": {
      const cards = section.plots.map(({ title, x, y, lines, note = "" }) =>
        cardHtml(title, linesPlot(title, x, y, lines), note),
      );
      return `<div class="plots">${cards.join("\n")}</div>`;
    }
  }
}
