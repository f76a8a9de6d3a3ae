import { Command } from "commander";
import { integer } from "./options.ts";

export const importVerb = (): Command =>
  new Command("import")
    .description("make a checkpoint to train from out of a Hugging Face RoBERTa or UniXcoder folder")
    .argument("<folder>", "folder with config.json, tokenizer.json and model.safetensors")
    .requiredOption("--output <dir>", "folder of the checkpoint")
    .option("--seed <n>", "seed of the new heads", integer(0), 0)
    .addHelpText(
      "after",
      `
Examples:
  codescore import ~/unixcoder-base --output models/unixcoder
  codescore train --init models/unixcoder --data train.arrow --output models/mine --device tensorflow`,
    )
    .action(async (folder: string, { output, seed }: { output: string; seed: number }) => {
      const { importEncoder } = await import("../model/index.ts");
      const { taken, fresh } = await importEncoder(folder, output, {}, seed);
      process.stderr.write(`took ${taken} parameters, started ${fresh.length} anew\n`);
      process.stdout.write(`${output}\n`);
    });
