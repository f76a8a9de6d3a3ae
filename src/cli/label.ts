/** `codescore label`: executes programs and writes a labelled set. */

import { Command } from "commander";
import type { LabelResult } from "../dataset/index.ts";
import { CodescoreError } from "../errors.ts";
import type { SandboxKind } from "../execute/types.ts";
import { counted, some } from "../util/counted.ts";
import { type Flags, notebooksOf } from "./label/flags.ts";
import { defectLines, doubtfulLines } from "./options/defects.ts";
import { addExecutor, executorOptions } from "./options/executor.ts";
import { fields } from "./options/notebooks.ts";
import { leftOutLines, missingLines, opaqueLines, statusCounts } from "./options/status.ts";
import { integer, markIncomplete, paths, shard } from "./options/values.ts";

export const labelVerb = (): Command =>
  addExecutor(
    new Command("label")
      .description(
        "run programs on the tests of their problems, and write a labelled set: one row per sample, in input order",
      )
      .requiredOption("--problems <path>", "a problem file or a folder of them; may be repeated", paths)
      .option("--samples <path>", "a sample file or a folder of them; may be repeated", paths)
      .option("--output <file>", "write the set here: .arrow, .parquet or .jsonl; the manifest goes beside it")
      .option("--expand <n>", "first add tests until every problem has n (default: use its own tests)", integer(1))
      .option("--seed <n>", "seed of the expansion", integer(0), 0)
      .option("--shard <i/n>", "label only part i of n of the problems (i counts from 1)", shard)
      .option("--files <dir>", "for notebooks: folder with their data files (default: the folder of the notebook)")
      .option(
        "--fields <names>",
        "for splits of notebooks: names of the fields, such as intent=nl.value,code=answer",
        fields,
      )
      .option(
        "--stdio",
        "read samples from stdin and write labelled rows to stdout, as JSON lines or Arrow batches (docs/clusters.md)",
      )
      .addHelpText(
        "after",
        `
To resume a stopped run, repeat the command.

A row's status:
  ok        it has a label
  no_label  its problem has no test that can run
  missing   it needs a package that the environment lacks (--python)
  infra     the sandbox failed, so the result is unknown

The exit code is 1 if a row has the status infra, or if no sample is of a task in the problem files.

A sample with an \`original\` is a rewrite, as \`codescore mutate\` makes them. It is left out if the two behave differently.

Examples:
  $ codescore label --problems HumanEval.jsonl.gz --samples samples.jsonl --output labels.arrow
  $ codescore label --problems datasets/starter --samples candidates.jsonl --output labels.arrow --expand 100
  $ codescore label --problems mbpp.jsonl --samples a.jsonl --samples b.jsonl --output part1.jsonl --shard 1/4`,
      )
      .action(run),
  );

async function run(options: Flags): Promise<void> {
  if (options.stdio) return (await import("./label/stdio.ts")).labelStdio(options);
  const { problems, samples, output: out, expand = null, seed, shard = null } = options;
  if (samples === undefined || out === undefined) {
    const missing = samples === undefined ? "--samples PATH" : "--output FILE";
    throw new CodescoreError("usage", `expected ${missing}, got none (only --stdio works without)`);
  }
  const { label } = await import("../dataset/index.ts");
  const { openExecutor } = await import("../execute/index.ts");
  const executor = await openExecutor(executorOptions(options));
  try {
    const result = await label({
      problems,
      samples,
      out,
      executor,
      expand,
      seed,
      shard,
      notebooks: notebooksOf(options),
      progress: true,
    });
    process.stderr.write(summary(result, executor.sandbox));
    process.stderr.write(await passes(result));
    if (result.infra > 0 || (result.rows > 0 && unknownRows(result) === result.rows)) markIncomplete();
  } finally {
    await executor.close();
  }
}

/** The number of rows of tasks that no problem file has. */
const unknownRows = ({ unknownTasks }: LabelResult): number =>
  [...unknownTasks.values()].reduce((sum, n) => sum + n, 0);

function summary(result: LabelResult, sandbox: SandboxKind): string {
  const { rows, labelled, no_label, missing, infra, opaqueTests, problems, executed, seconds, unknownTasks } = result;
  const rate = (executed / Math.max(seconds, 1e-3)).toFixed(1);
  const lines = [
    `wrote ${result.out}: ${counted(rows, "row")} on ${counted(problems, "problem")} (${statusCounts({ labelled, no_label, missing, infra })})`,
    `wrote ${result.manifest}`,
    `executed ${counted(executed, "distinct program")} in ${seconds.toFixed(1)} s, ${rate} programs/s, sandbox ${sandbox}`,
  ];
  if (result.repeatedIds !== null) lines.push(result.repeatedIds);
  if (result.changed > 0)
    lines.push(`left out ${result.changed} rewrites that behave differently from their originals`);
  for (const [note, count] of Object.entries(result.notes)) lines.push(`warning: ${counted(count, "sample")}: ${note}`);
  lines.push(...leftOutLines(result.testsLeftOut));
  if (result.testsAdded > 0) lines.push(`added ${counted(result.testsAdded, "expanded test")}`);
  lines.push(...defectLines(result.defects), ...doubtfulLines(result.doubtful));
  if (unknownTasks.size > 0) {
    lines.push(
      `warning: ${counted(unknownRows(result), "sample")} of tasks that are in no problem file: ${some([...unknownTasks.keys()])}`,
    );
  }
  lines.push(...missingLines(missing));
  lines.push(...opaqueLines(opaqueTests));
  if (infra > 0) lines.push("warning: some rows could not be judged (infra); repeat the command to retry them");
  return `${lines.join("\n")}\n`;
}

/** Maximum number of models shown. `codescore evaluate` shows all. */
const MOST_MODELS = 30;

/** pass@k by model: a table, or a single line if there is only one figure. */
async function passes({ passes, out }: LabelResult): Promise<string> {
  const { isTable, modelsTable, passAtModels, passLine, toText } = await import("../evaluate/index.ts");
  const models = passAtModels(passes.slice(0, MOST_MODELS), { seed: 1 }, true);
  const found = modelsTable(models);
  if (found === null) return "";
  if (!isTable(models)) return `${passLine(models[0] as (typeof models)[number])}\n`;
  const left = passes.length - models.length;
  const more = left > 0 ? `and ${left} more: codescore evaluate --data ${out} --no-model --tables models\n` : "";
  return `\n${found.title}\n${toText(found.table)}\n${more}${found.note}\n`;
}
