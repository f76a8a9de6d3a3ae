/** `codescore datasets merge`: joins the shards of one labelling run. */

import { Command } from "commander";
import { CodescoreError } from "../../errors.ts";
import { counted } from "../../util/counted.ts";
import { paths } from "../options/values.ts";

export const mergeVerb = (): Command =>
  new Command("merge")
    .description("merge the shards of label, score or expand; the result equals that of one run, byte for byte")
    .argument(
      "<output>",
      "the whole: .arrow, .parquet or .jsonl for label; .jsonl for expand; .jsonl or .jsonl.gz for score",
    )
    .argument("<shards...>", "all shards, in any order, with their manifests next to them")
    .option("--samples <path>", "for shards written by an engine: the samples that were labelled; repeatable", paths)
    .option(
      "--leave-out",
      "merge without samples that could not be read or crashed their worker; the manifest lists them",
    )
    .addHelpText(
      "after",
      `
Shards are the files of label, score or expand --shard 1/n ... n/n, each once, or the output of label --stdio that an engine stored
(docs/clusters.md). There, a sample in two files counts once, and a sample in no file is an error.

Examples:
  $ codescore datasets merge all.arrow part1.arrow part2.arrow
  $ codescore datasets merge scores.jsonl scores/*.jsonl
  $ codescore datasets merge all.arrow labels/*.arrow --samples shards`,
    )
    .action(async (output: string, shards: string[], options: { samples?: readonly string[]; leaveOut?: boolean }) => {
      const { mergeLines, mergeShards, stepOf } = await import("../../dataset/index.ts");
      const step = await stepOf(shards[0] as string);
      if (step !== "label") {
        const alone = options.samples ? "--samples" : options.leaveOut ? "--leave-out" : null;
        if (alone !== null)
          throw new CodescoreError("usage", `${alone} is for the shards of label, got those of ${step}`);
        const { lines, errors } = await mergeLines(output, shards, step);
        const what = counted(lines, step === "expand" ? "problem" : "row");
        const wrong = errors > 0 ? `; ${counted(errors, "row")} with an error instead of a score` : "";
        process.stderr.write(`wrote ${output}: ${what} from ${counted(shards.length, "shard")}${wrong}\n`);
        return;
      }
      const { rows, problems, leftOut } = await mergeShards(output, shards, options);
      process.stderr.write(
        `wrote ${output}: ${counted(rows, "row")} on ${counted(problems, "problem")} from ${counted(shards.length, "shard")}\n`,
      );
      if (leftOut.length > 0)
        process.stderr.write(
          `left out ${counted(leftOut.length, "sample")} without a label: left_out in its manifest\n`,
        );
    });
