/** `codescore datasets shard`: cuts samples into one file per machine. */

import { Command } from "commander";
import { counted } from "../../util/counted.ts";
import { integer, paths } from "../options/values.ts";

interface Options {
  readonly problems: readonly string[];
  readonly samples: readonly string[];
  readonly shards: number;
  readonly output: string;
}

export const shardVerb = (): Command =>
  new Command("shard")
    .description("divide samples into n files, so that `label --shard i/n` reads only its own part")
    .requiredOption("--problems <path>", "a problem file or a folder of them; may be repeated", paths)
    .requiredOption("--samples <path>", "a sample file or a folder of them; may be repeated", paths)
    .requiredOption("--shards <n>", "number of files", integer(1))
    .requiredOption("--output <folder>", "folder for the files and for shards.json, which describes them for `label`")
    .addHelpText(
      "after",
      `
Rows have their \`position\` and their id, so the merged labels equal those of one run (docs/clusters.md).

Examples:
  $ codescore datasets shard --problems mbpp.jsonl --samples samples.jsonl --shards 256 --output shards
  $ codescore label --problems mbpp.jsonl --samples shards --shard 17/256 --output labels/17.arrow`,
    )
    .action(async ({ problems, samples, shards: count, output: out }: Options) => {
      const { writeShards } = await import("../../dataset/index.ts");
      const made = await writeShards({ problems, samples, count, out });
      process.stderr.write(`wrote ${out}: ${counted(made.samples, "sample")} in ${counted(count, "shard")}\n`);
    });
