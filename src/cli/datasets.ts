/** `codescore datasets`: describes, divides, joins and builds labelled sets. */

import { Command } from "commander";
import type { Counts } from "../dataset/index.ts";
import { counted } from "../util/counted.ts";
import { buildVerb } from "./datasets/build.ts";
import { decontaminateVerb } from "./datasets/decontaminate.ts";
import { exportSetVerb } from "./datasets/export.ts";
import { fetchVerb } from "./datasets/fetch.ts";
import { mergeVerb } from "./datasets/merge.ts";
import { reduceVerb } from "./datasets/reduce.ts";
import { shardVerb } from "./datasets/shard.ts";
import { statsVerb } from "./datasets/stats.ts";
import { integer, number } from "./options/values.ts";

export const datasetsVerb = (): Command =>
  new Command("datasets")
    .description("download, build, describe, split and merge data sets")
    .addCommand(statsVerb())
    .addCommand(splitVerb())
    .addCommand(buildVerb())
    .addCommand(fetchVerb())
    .addCommand(reduceVerb())
    .addCommand(decontaminateVerb())
    .addCommand(shardVerb())
    .addCommand(mergeVerb())
    .addCommand(exportSetVerb())
    .addHelpText(
      "after",
      `
Examples:
  $ codescore datasets stats labels.arrow
  $ codescore datasets split labels.arrow --output sets --dev 0.1 --test 0.2
  $ codescore datasets merge all.arrow part1.arrow part2.arrow
  $ codescore datasets build train-mix --data data --output sets`,
    );

const splitVerb = (): Command =>
  new Command("split")
    .description("split a set into train.arrow, dev.arrow and test.arrow; all rows of a problem stay together")
    .argument("<file>", "a labelled set (.arrow, .jsonl, .jsonl.gz)")
    .requiredOption("--output <folder>", "folder for the three sets")
    .option("--dev <share>", "share of the problems (default: 0.1)", number(0, 1))
    .option("--test <share>", "share of the problems (default: 0.1)", number(0, 1))
    .option("--seed <n>", "seed of the split (default: 0)", integer(0))
    .addHelpText(
      "after",
      "\nExamples:\n  $ codescore datasets split labels.arrow --output sets\n  $ codescore datasets split labels.arrow --output sets --dev 0 --test 0.2 --seed 7",
    )
    .action(async (file: string, options: { output: string; dev?: number; test?: number; seed?: number }) => {
      const { splitFile } = await import("../dataset/index.ts");
      const { output, ...shares } = options;
      const counts = await splitFile(file, output, shares);
      for (const [split, { rows, problems }] of Object.entries<Counts>(counts)) {
        process.stderr.write(
          `wrote ${output}/${split}.arrow: ${counted(rows, "row")} on ${counted(problems, "problem")}\n`,
        );
        if (problems === 0 && shares[split as "dev" | "test"] !== 0) {
          process.stderr.write(
            `warning: ${split} is empty: a hash assigns the problems, and there are few of them. Try another --seed\n`,
          );
        }
      }
    });
