/** `codescore rtc report`: a finished run as a page to browse. */
import { join } from "node:path";
import { Command } from "commander";
import { putPage } from "../evaluate/report.ts";

interface Options {
  readonly output?: string;
  readonly title?: string;
}

export const report = (): Command =>
  new Command("report")
    .description("write a finished run as one HTML file: tables, samples and verdicts")
    .argument("<run>", "folder of a finished run; asks no model")
    .option("--output <file>", "the HTML file (default: report.html in the folder)")
    .option("--title <text>", "title of the page (default: the task and the model)")
    .addHelpText("after", "\nExample:\n  $ codescore rtc report runs/mini --output mini.html")
    .action(run);

async function run(folder: string, { output = join(folder, "report.html"), title }: Options): Promise<void> {
  const { rtcReport } = await import("../../rtc/index.ts");
  await putPage(output, await rtcReport(folder, title));
}
