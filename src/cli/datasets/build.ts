/** `codescore datasets build`: builds whole sets from a folder of collected problems and samples. */

import { Command } from "commander";
import type { BuiltSet } from "../../dataset/build/index.ts";
import { counted } from "../../util/counted.ts";
import { defectLines } from "../options/defects.ts";
import { addExecutor, type ExecutorFlags, executorOptions } from "../options/executor.ts";
import { integer, markIncomplete, paths } from "../options/values.ts";

interface Options extends ExecutorFlags {
  readonly data: string;
  readonly output: string;
  readonly tests?: number;
  readonly limitProblems?: number;
  readonly keepMaybe?: boolean;
  readonly without?: readonly string[];
  readonly seed?: number;
}

export const buildVerb = (): Command =>
  addExecutor(
    new Command("build")
      .description("build a whole set: select problems, add tests, make candidates, run them, weight and split")
      .argument("<set>", "mbpp-eval, apps-eval, train-mix, he-eval, he-llm, or all")
      .requiredOption("--data <folder>", "collected problems and samples (train/problems_*.jsonl.gz, ...)")
      .requiredOption("--output <folder>", "folder for the sets; each gets a folder of its own")
      .option("--tests <n>", "tests a problem is expanded to (default: 100; 32 for train-mix)", integer(1))
      .option("--limit-problems <n>", "use only n problems, chosen by a hash of their ids", integer(1))
      .option("--keep-maybe", "keep training problems that only might resemble one of HumanEval")
      .option("--without <samples>", "do not use this sample file, e.g. mas_mbpp; repeatable", paths)
      .option("--seed <n>", "seed of expansion and mutation (default: 0)", integer(0))
      .addHelpText(
        "after",
        `
To resume a stopped build, repeat the command. The exit code is 1 if the sandbox failed on a program.

Examples:
  $ codescore datasets build train-mix --data data --output sets
  $ codescore datasets build all --data data --output sets --workers 2
  $ codescore datasets build train-mix --data data --output small --limit-problems 40`,
      )
      .action(run),
  );

async function run(set: string, options: Options): Promise<void> {
  const { buildSets, recipesOf } = await import("../../dataset/build/index.ts");
  const { openExecutor } = await import("../../execute/index.ts");
  const { data, output: out, ...rest } = options;
  const given = executorOptions(options);
  for (const { name, candidateCpuS } of recipesOf(set)) {
    const limits = { ...(candidateCpuS === null ? {} : { candidateCpuS }), ...given.limits };
    const executor = await openExecutor({ ...given, limits });
    try {
      for (const built of await buildSets({ set: name, data, out, executor, ...rest, progress: true })) {
        process.stderr.write(summary(built));
        if (built.infra > 0) markIncomplete();
      }
    } finally {
      await executor.close();
    }
  }
}

function summary(built: BuiltSet): string {
  const { counts, problems, executed, seconds, changed, capped, llmWeight } = built;
  const parts = Object.entries(counts).map(
    ([split, { rows, problems }]) => `${split} ${counted(rows, "row")} on ${counted(problems, "problem")}`,
  );
  return [
    `wrote ${built.folder}: ${parts.join("; ")}`,
    `  ${counted(problems.chosen, "problem")} (${problems.nearDuplicates} near-duplicates of HumanEval left out), ${counted(built.candidates, "candidate")}`,
    `  executed ${counted(executed, "program")} in ${seconds.toFixed(1)} s, ${(executed / Math.max(seconds, 1e-3)).toFixed(1)} programs/s`,
    `  left out: ${changed} rewrites that behave differently, ${capped} over the cap of one PassRatio, ${built.infra} not judged`,
    `  ${(100 * llmWeight).toFixed(1)}% of the weight is on programs of models`,
    ...defectLines(built.defects).map((line) => `  ${line}`),
    "",
  ].join("\n");
}
