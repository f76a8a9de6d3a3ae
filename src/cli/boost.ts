/** `codescore boost`: fits trees that score beside a model's network, from counts of the syntax elements of labelled programs. */

import { join } from "node:path";
import { Command } from "commander";
import { counted } from "../util/counted.ts";
import { integer, number } from "./options/values.ts";

interface BoostFlags {
  readonly model: string;
  readonly data: readonly string[];
  readonly share: number;
  readonly seed: number;
  readonly threads?: number;
}

export const boostVerb = (): Command =>
  new Command("boost")
    .description("fit gradient-boosted trees over the elements of programs, beside a model's network")
    .requiredOption("--model <dir>", "model folder; gets trees.safetensors, and their weight in config.json")
    .requiredOption("--data <files...>", "labelled rows to learn from, .arrow or .jsonl; row weights count")
    .option("--share <x>", "weight of the trees in a score; with the rule's weight below 1", number(0, 1), 0.4)
    .option("--seed <n>", "first of three seeds for the rows and features of each tree", integer(0), 1)
    .option("--threads <n>", "threads that read programs (default: half of the cores)", integer(1))
    .addHelpText(
      "after",
      `
Counts the statements, expressions, operators, comparisons and calls of each program. The trees predict PassRatio and
Executability from these counts and from their distance to the reference's. 50,000 rows take about six minutes.
Calibrate the model afterwards, because its scores change.

Example:
  codescore boost --model models/mine --data train.arrow
  codescore calibrate --model models/mine --data dev.arrow`,
    )
    .action(run);

async function run({ model, data, share, seed, threads }: BoostFlags): Promise<void> {
  const { fitTrees, readRows } = await import("../evaluate/index.ts");
  const { checkConfig, encodeOptions, readConfig } = await import("../model/index.ts");
  const { findModel } = await import("../score/index.ts");
  const { TREES_FILE, writeTrees } = await import("../trees/index.ts");
  const { writeAtomic } = await import("../util/files.ts");
  const folder = await findModel(model);
  const before = await readConfig(folder);
  const place = join(folder, "config.json");
  const config = checkConfig({ ...before, codescore: { ...before.codescore, trees: share } }, place);
  const rows = (await Promise.all(data.map(readRows))).flat();
  const { modules } = encodeOptions(config);
  const trees = await fitTrees(rows, {
    seed,
    progress: true,
    ...(modules && { modules }),
    ...(threads && { threads }),
  });
  const path = join(folder, TREES_FILE);
  await writeTrees(path, trees);
  await writeAtomic(place, `${JSON.stringify(config, null, 2)}\n`);
  process.stderr.write(
    `wrote ${path}: ${counted(trees.elements.length, "element")}, from ${counted(rows.length, "row")}\n`,
  );
}
