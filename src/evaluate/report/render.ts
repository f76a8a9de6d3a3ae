/** Loads the report code on demand. Its plot library takes 0.3 s to load, so nothing else in this folder imports it. */
import type { EvaluationResult } from "../measure/evaluate.ts";
import type { ReportOptions } from "./report.ts";
import type { ReportSection } from "./sections.ts";

/** An evaluation as one self-contained HTML file: see `reportHtml`. */
export async function renderReport(result: EvaluationResult, options: ReportOptions): Promise<string> {
  const { reportHtml } = await import("./report.ts");
  return reportHtml(result, options);
}

/** A page with only these sections, and a line below its title. */
export async function renderSections(title: string, line: string, sections: readonly ReportSection[]): Promise<string> {
  const { sectionsHtml } = await import("./sections.ts");
  return sectionsHtml(title, line, sections);
}
