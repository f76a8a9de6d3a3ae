/** `codescore datasets export`: a labelled set in another file format. */

import { Command } from "commander";
import { counted } from "../../util/counted.ts";

export const exportSetVerb = (): Command =>
  new Command("export")
    .description("convert a labelled set to Parquet, Arrow or JSON lines")
    .argument("<file>", "a labelled set (.arrow, .parquet, .jsonl, .jsonl.gz)")
    .requiredOption("--output <file>", "ending in .parquet, .arrow or .jsonl; a manifest is written beside it")
    .addHelpText(
      "after",
      "\nExamples:\n  $ codescore datasets export labels.arrow --output labels.parquet\n  $ codescore datasets export labels.parquet --output labels.jsonl",
    )
    .action(async (file: string, { output }: { output: string }) => {
      const { exportSet } = await import("../../dataset/index.ts");
      const { rows, problems } = await exportSet(file, output);
      process.stderr.write(`wrote ${output}: ${counted(rows, "row")} on ${counted(problems, "problem")}\n`);
    });
