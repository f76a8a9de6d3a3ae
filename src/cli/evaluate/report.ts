/** The options of `codescore evaluate` that write files in addition to the printed output: the report, and every table. */
import { basename } from "node:path";
import type { Command } from "commander";
import type { EvaluationResult, ReportSection } from "../../evaluate/index.ts";
import type { NamedTable } from "../../report/index.ts";

export interface ReportFlags {
  readonly data: string;
  readonly report?: string;
  readonly tablesDir?: string;
  readonly title?: string;
  readonly training?: string;
  readonly rtc?: string;
  readonly seed: number;
}

export const addReportOptions = (command: Command): Command =>
  command
    .option("--report <file>", "also write a report with plots, as one offline HTML file")
    .option("--title <text>", "title of the report (default: names the data file)")
    .option("--training <dir>", "add the curves of a training run to the report")
    .option("--rtc <dir>", "add the summary of an RTC run to the report")
    .option("--tables-dir <folder>", "also write every table to this folder, as .md, .csv, .json and .tex");

/** Writes the report and the tables, if the flags request them. */
export async function putReport(flags: ReportFlags, result: EvaluationResult): Promise<void> {
  if (flags.tablesDir === undefined && flags.report === undefined) return;
  const { resultTables, writeTables } = await import("../../evaluate/index.ts");
  const cost = await costs(flags, result);
  if (flags.tablesDir !== undefined) {
    await writeTables(flags.tablesDir, [...resultTables(result), ...cost.tables]);
    process.stderr.write(`wrote the tables to ${flags.tablesDir}\n`);
  }
  if (flags.report !== undefined) await putPage(flags.report, await reportPage(flags, result, cost));
}

/** The report as HTML. `cost`: pass it if it is already computed. */
export async function reportPage(flags: ReportFlags, result: EvaluationResult, cost?: Cost): Promise<string> {
  const { renderReport } = await import("../../evaluate/index.ts");
  const { sections } = cost ?? (await costs(flags, result));
  const title = flags.title ?? `Scores against tests: ${basename(flags.data)}`;
  return renderReport(result, { title, sections: [...sections, ...(await otherSections(flags))] });
}

interface Cost {
  readonly sections: readonly ReportSection[];
  readonly tables: readonly NamedTable[];
}

/** The cost section: the cascade of each model's scores, in which some of the programs are executed. */
async function costs({ seed }: ReportFlags, { data }: EvaluationResult): Promise<Cost> {
  const { cascade, cascadeTable, costSection, describeCascade } = await import("../../evaluate/index.ts");
  const models = data.columns.filter(({ kind }) => kind === "model");
  if (models.length === 0) return { sections: [], tables: [] };
  const cascades = models.map((column) => cascade({ rows: data.rows, column, seed }));
  const tables = cascades.map((one, k) => ({
    name: k === 0 ? "cascade" : `cascade-${k + 1}`,
    title: `Executing the least sure programs: ${one.name}`,
    note: describeCascade(one).join(" "),
    table: cascadeTable(one),
  }));
  const shown = tables.map(({ title, note, table }) => ({ kind: "table" as const, title, note, table }));
  return { sections: [costSection(cascades), ...shown], tables };
}

export async function putPage(path: string, html: string): Promise<void> {
  const { writeAtomic } = await import("../../util/files.ts");
  await writeAtomic(path, html);
  process.stderr.write(`wrote ${path}\n`);
}

/** Sections for the other steps of the pipeline (manifest, training, RTC), shown below the evaluation. */
async function otherSections({ data, training, rtc }: ReportFlags): Promise<ReportSection[]> {
  const { manifestSection, rtcSection, trainingSection } = await import("../../evaluate/index.ts");
  const { exists } = await import("../../util/files.ts");
  return [
    ...((await exists(`${data}.manifest.json`)) ? [await manifestSection(data)] : []),
    ...(training === undefined ? [] : [await trainingSection(training)]),
    ...(rtc === undefined ? [] : [await rtcSection(rtc)]),
  ];
}
