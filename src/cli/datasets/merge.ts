/** `codescore datasets merge`: joins the shards of one labelling run. */
import { Command } from "commander";

export const mergeVerb = (): Command =>
  new Command("merge")
    .description(
      "join the files of label --shard 1/n ... n/n into the bytes that the run without shards would have written",
    )
    .argument("<output>", "the whole set, ending in .arrow or .jsonl")
    .argument("<shards...>", "every shard once, in any order, each with its manifest beside it")
    .addHelpText(
      "after",
      "\nExamples:\n  $ codescore datasets merge all.arrow part1.arrow part2.arrow\n  $ codescore datasets merge all.jsonl parts/*.jsonl",
    )
    .action(async (output: string, shards: string[]) => {
      const { mergeShards } = await import("../../dataset/index.ts");
      const { rows, problems } = await mergeShards(output, shards);
      process.stderr.write(`wrote ${output}: ${rows} rows on ${problems} problems from ${shards.length} shards\n`);
    });
