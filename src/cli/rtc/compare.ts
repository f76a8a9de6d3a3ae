/** `codescore rtc compare`: compares models, and tests whether RTC ranks them like pass@1. */
import { Command, InvalidArgumentError } from "commander";
import type { ModelRun, PassAt1 } from "../../rtc/index.ts";
import { putPage } from "../evaluate/report.ts";
import { addTableOutput, checkTableOutput, putTables, type TableFlags } from "../options/table-output.ts";
import { integer, number } from "../options/values.ts";
import { putCharts } from "./projects.ts";

interface Options extends TableFlags {
  readonly passAt1?: ReadonlyMap<string, string>;
  readonly seed: number;
  readonly report?: string;
  readonly title?: string;
  readonly chartsDir?: string;
}

export const compare = (): Command =>
  addTableOutput(
    new Command("compare")
      .description("put models side by side over finished runs, and correlate RTC with pass@1")
      .argument("<runs...>", "folders of runs of one task; NAME=DIR names the model")
      .option(
        "--pass-at-1 <model=value>",
        "a model's pass@1: a share, or the folder of an `rtc identity` run that measured it; may be repeated",
        passAt1,
      ),
  )
    .option("--report <file>", "also write charts and tables as one self-contained HTML file")
    .option("--title <text>", "title of the report")
    .option("--charts-dir <folder>", "also write every chart there as .svg")
    .option("--seed <n>", "seed of the permutations, if there are too many to try all", integer(0), 0)
    .addHelpText(
      "after",
      `
A run without a name is named after its forward model. One run per model; of \`rtc patched\` one per model and
patchflow, without and with --consistency. Runs of \`rtc identity\` have their own pass@1.
p is from a two-sided permutation test over the models. The interval of r is Fisher's.

Example:
  $ codescore rtc compare runs/small runs/large big=runs/big --pass-at-1 gpt-4o-mini=0.836 --pass-at-1 gpt-4o=0.872 \\
      --pass-at-1 big=runs/big-identity --report models.html
  $ codescore rtc compare small=runs/small-autofix small=runs/small-review big=runs/big-autofix big=runs/big-review \\
      --charts-dir charts`,
    )
    .action(run);

function passAt1(text: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const [, model, value] = /^(.+?)=(.+)$/.exec(text) ?? [];
  if (model === undefined || value === undefined) {
    throw new InvalidArgumentError(`Expected a pass@1 such as gpt-4o=0.872, got \`${text}\`.`);
  }
  return new Map([...before, [model, value]]);
}

async function run(paths: readonly string[], options: Options): Promise<void> {
  checkTableOutput(options);
  const { compareModels, comparisonReport, modelCharts, modelTables } = await import("../../rtc/index.ts");
  const { chartFiles } = await import("../../report/index.ts");
  const runs = await Promise.all(paths.map(openRun));
  const given = await Promise.all(
    [...(options.passAt1 ?? [])].map(async ([name, text]) => [name, await openPass(text)] as const),
  );
  const result = compareModels(runs, new Map(given), options.seed);
  await putTables(options, result, modelTables(result), result.notes);
  if (options.report !== undefined) await putPage(options.report, comparisonReport(result, options.title));
  if (options.chartsDir !== undefined) await putCharts(options.chartsDir, chartFiles(modelCharts(result)));
}

async function openRun(text: string): Promise<ModelRun> {
  const { modelName, readIds, readSummary } = await import("../../rtc/index.ts");
  const [, name, folder = text] = /^([^=/\\]+)=(.+)$/.exec(text) ?? [];
  const summary = await readSummary(folder);
  const ids = await readIds(folder, summary);
  return { name: name ?? modelName(summary.models), summary, ...(ids && { ids }) };
}

async function openPass(text: string): Promise<PassAt1> {
  if (/^[\d.]/.test(text) && Number.isFinite(Number(text))) return { value: number(0, 1)(text), source: "given" };
  const { CodescoreError } = await import("../../errors.ts");
  const { readSummary } = await import("../../rtc/index.ts");
  const summary = await readSummary(text);
  const value = "pass_at_1" in summary ? summary.pass_at_1?.value : undefined;
  if (value === undefined)
    throw new CodescoreError("usage", `${text}: expected a run of \`rtc identity\` with a pass@1`);
  return { value, source: text, interval: "pass_at_1" in summary ? (summary.pass_at_1?.interval ?? null) : null };
}
