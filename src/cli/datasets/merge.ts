/** `codescore datasets merge`: joins the shards of one labelling run. */

import { Command } from "commander";
import { counted } from "../../util/counted.ts";
import { paths } from "../options/values.ts";

export const mergeVerb = (): Command =>
  new Command("merge")
    .description("merge the shards of a labelling run; the result equals that of one run, byte for byte")
    .argument("<output>", "the whole set, ending in .arrow, .parquet or .jsonl")
    .argument("<shards...>", "all shards, in any order, with their manifests next to them")
    .option("--samples <path>", "for shards written by an engine: the samples that were labelled; repeatable", paths)
    .option(
      "--leave-out",
      "merge without samples that could not be read or crashed their worker; the manifest lists them",
    )
    .addHelpText(
      "after",
      `
Shards are the files of label --shard 1/n ... n/n, each once, or the output of label --stdio that an engine stored
(docs/clusters.md). There, a sample in two files counts once, and a sample in no file is an error.

Examples:
  $ codescore datasets merge all.arrow part1.arrow part2.arrow
  $ codescore datasets merge all.arrow labels/*.arrow --samples shards`,
    )
    .action(async (output: string, shards: string[], options: { samples?: readonly string[]; leaveOut?: boolean }) => {
      const { mergeShards } = await import("../../dataset/index.ts");
      const { rows, problems, leftOut } = await mergeShards(output, shards, options);
      process.stderr.write(
        `wrote ${output}: ${counted(rows, "row")} on ${counted(problems, "problem")} from ${counted(shards.length, "shard")}\n`,
      );
      if (leftOut.length > 0)
        process.stderr.write(
          `left out ${counted(leftOut.length, "sample")} without a label: left_out in its manifest\n`,
        );
    });
