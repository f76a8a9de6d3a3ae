/** `codescore robustness`: measures how much scores change when programs change harmlessly, and when they break. */
import { basename, join } from "node:path";
import { Command } from "commander";
import { CodescoreError } from "../errors.ts";
import type { RobustnessSet, ScoreColumn } from "../evaluate/index.ts";
import { addExecutor, type ExecutorFlags, executorOptions } from "./options/executor.ts";
import { addMetricOptions, type MetricFlags, metricsOf } from "./options/metrics.ts";
import { addTableOutput, checkTableOutput, putTables, type TableFlags } from "./options/table-output.ts";
import { integer, markIncomplete, paths } from "./options/values.ts";

interface RobustnessFlags extends ExecutorFlags, MetricFlags, TableFlags {
  readonly problems: readonly string[];
  readonly model?: readonly string[] | false;
  readonly metrics?: string;
  readonly variants: number;
  readonly mutants: number;
  readonly seed: number;
  readonly card?: boolean;
}

export const robustnessVerb = (): Command =>
  addExecutor(
    addTableOutput(
      addMetricOptions(
        new Command("robustness")
          .description("measure how far scores move under harmless changes and under one-operator bugs")
          .requiredOption(
            "--problems <path>",
            "problems with references and tests: a file or a folder; repeatable",
            paths,
          )
          .option(
            "--model <dir>",
            "model folder, or the name of a shipped model; repeatable (default: the shipped model)",
            paths,
          )
          .option("--no-model", "measure only text metrics")
          .option("--metrics <names>", "text metrics to measure too, comma-separated")
          .option("--variants <n>", "harmless variants of each kind per problem", integer(1), 2)
          .option("--mutants <n>", "mutants per problem", integer(1), 8)
          .option("--seed <n>", "seed of the variants and of the intervals", integer(0), 1)
          .option(
            "--card",
            "also write robustness.json into each model's folder: `codescore export` puts it on its card",
          )
          .addHelpText(
            "after",
            `
Changes the first reference of each problem that passes its tests:
- harmless variants: renamed variables, comments and docstrings, dead code, formatting, swapped independent statements;
- mutants: one operator changed.
Executes each on the problem's tests. Drops and counts variants that behave differently and mutants that pass all tests.
Scores the rest against another reference if the problem has one, else against the same one.

Examples:
  $ codescore robustness --problems datasets/starter
  $ codescore robustness --problems mbpp.jsonl --model runs/a --model runs/b --metrics rule,chrf --format markdown`,
          ),
      ),
    ),
  ).action(run);

async function run(flags: RobustnessFlags): Promise<void> {
  checkTableOutput(flags);
  const { describeRobustness, makeRobustnessSet, metricColumn, robustness, robustnessTables, toJson } = await import(
    "../evaluate/index.ts"
  );
  const { openExecutor } = await import("../execute/index.ts");
  const { readProblems } = await import("../problems/index.ts");
  const metrics = await metricsOf(flags.metrics, flags);
  const models = flags.model === false ? [] : (flags.model ?? [undefined]);
  if (models.length + metrics.length === 0) {
    throw new CodescoreError("usage", "expected a model or --metrics, got --no-model without them");
  }
  // Before the problems are read, so that a wrong --python or --sandbox is found first.
  const executor = await openExecutor(executorOptions(flags));
  const { variants, mutants, seed } = flags;
  let set: RobustnessSet;
  try {
    const problems = [...(await readProblems(flags.problems)).values()];
    set = await makeRobustnessSet({ problems, executor, variants, mutants, seed, progress: true });
  } finally {
    await executor.close();
  }
  const columns: ScoreColumn[] = [];
  const folders: string[] = [];
  for (const model of models) {
    const { column, folder } = await scored(set, model);
    columns.push(column);
    folders.push(folder);
  }
  for (const metric of metrics) columns.push(await metricColumn(metric, set.rows));
  const card = robustness(set, columns);
  if (card.results.some(({ unscored }) => unscored > 0) || card.counts.infra > 0) markIncomplete();
  await putTables(flags, card, robustnessTables(card), describeRobustness(card));
  if (flags.card) {
    const { writeAtomic } = await import("../util/files.ts");
    for (const [i, folder] of folders.entries()) {
      const path = join(folder, "robustness.json");
      await writeAtomic(path, `${toJson({ ...card, results: [card.results[i]] })}\n`);
      process.stderr.write(`wrote ${path}\n`);
    }
  }
}

async function scored(set: RobustnessSet, model?: string): Promise<{ column: ScoreColumn; folder: string }> {
  const { CodeScorer } = await import("../score/index.ts");
  const { scorerColumn } = await import("../evaluate/index.ts");
  const scorer = await CodeScorer.load(model);
  try {
    const name = model === undefined ? "codescore" : basename(model);
    return { column: await scorerColumn(scorer, set.rows, name, true), folder: scorer.folder };
  } finally {
    await scorer.close();
  }
}
