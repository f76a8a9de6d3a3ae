/** `codescore rtc report`: a finished run as a page to browse. */
import { join } from "node:path";
import { Command } from "commander";
import { putPage } from "../evaluate/report.ts";
import { putCharts } from "./output.ts";

interface Options {
  readonly output?: string;
  readonly title?: string;
  readonly chartsDir?: string;
}

export const report = (): Command =>
  new Command("report")
    .description("write a finished run as one HTML file: tables, samples and verdicts")
    .argument("<run>", "folder of a finished run; asks no model")
    .option("--output <file>", "the HTML file (default: report.html in the folder)")
    .option("--title <text>", "title of the page (default: the task and the model)")
    .option("--charts-dir <folder>", "also write every chart there as .svg")
    .addHelpText("after", "\nExample:\n  $ codescore rtc report runs/mini --output mini.html")
    .action(run);

async function run(folder: string, { output = join(folder, "report.html"), title, chartsDir }: Options): Promise<void> {
  const { chartsOf, rtcReport } = await import("../../rtc/index.ts");
  await putPage(output, await rtcReport(folder, title));
  if (chartsDir !== undefined) await putCharts(chartsDir, await chartsOf(folder));
}
