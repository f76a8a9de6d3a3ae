/** `codescore rtc report`: a finished run as an HTML page. */
import { dirname, join } from "node:path";
import { Command } from "commander";
import { CodescoreError } from "../../errors.ts";
import { putPage } from "../evaluate/report.ts";
import { putCharts } from "./projects.ts";

interface Options {
  readonly output?: string;
  readonly title?: string;
  readonly chartsDir?: string;
}

export const report = (): Command =>
  new Command("report")
    .description("write a finished run as one HTML file: tables, samples and verdicts")
    .argument("<run...>", "folder of a finished run; no model is asked. For runs over projects, one folder per model")
    .option("--output <file>", "the HTML file (default: report.html in the first folder)")
    .option("--title <text>", "title of the page (default: the task and the model)")
    .option("--charts-dir <folder>", "also write every chart there as .svg")
    .addHelpText(
      "after",
      `
Runs of \`rtc synthesis --projects\` also give charts as SVG files, in the folder \`charts\` next to the page.

Examples:
  $ codescore rtc report runs/mini --output mini.html
  $ codescore rtc report runs/projects-small runs/projects-large --output projects.html`,
    )
    .action(run);

async function run(folders: readonly string[], { output, title, chartsDir }: Options): Promise<void> {
  const { chartsOf, isProjectsRun, projectChartFiles, projectsReport, readProjects, rtcReport } = await import(
    "../../rtc/index.ts"
  );
  const { chartFiles } = await import("../../report/index.ts");
  const [first] = folders as [string];
  const path = output ?? join(first, "report.html");
  if (await isProjectsRun(first)) {
    const summaries = await Promise.all(folders.map(readProjects));
    await putPage(path, projectsReport(summaries, title));
    await putCharts(chartsDir ?? join(dirname(path), "charts"), projectChartFiles(summaries));
    return;
  }
  if (folders.length > 1) {
    throw new CodescoreError("usage", `expected one run, or runs over projects, got ${folders.length} with ${first}`);
  }
  await putPage(path, await rtcReport(first, title));
  if (chartsDir !== undefined) await putCharts(chartsDir, chartFiles(await chartsOf(first)));
}
