/** `codescore boost`: fits trees to counts of the syntax elements of labelled programs. They score beside a model's network, or without one. */

import { join } from "node:path";
import { Command } from "commander";
import { CodescoreError } from "../errors.ts";
import { counted } from "../util/counted.ts";
import { integer, number } from "./options/values.ts";

interface BoostFlags {
  readonly model: string;
  readonly data: readonly string[];
  readonly share?: number;
  readonly seed: number;
  readonly threads?: number;
}

/** Default weight of the trees beside a network. */
const SHARE = 0.4;

export const boostVerb = (): Command =>
  new Command("boost")
    .description("fit gradient-boosted trees over the elements of programs, beside a model's network or without one")
    .requiredOption("--model <dir>", "model folder; gets trees.safetensors, and their weight in config.json")
    .requiredOption("--data <files...>", "labelled rows to learn from, .arrow or .jsonl; row weights count")
    .option(
      "--share <x>",
      "weight of the trees in a score, with the rule's weight at most 1 (default: 0.4; without a network, what the rule leaves)",
      number(0, 1),
    )
    .option("--seed <n>", "first of three seeds for the rows and features of each tree", integer(0), 1)
    .option("--threads <n>", "threads that read programs (default: half of the cores)", integer(1))
    .addHelpText(
      "after",
      `
Counts the statements, expressions, operators, comparisons and calls of each program. The trees predict PassRatio and
Executability from these counts and from their distance to the reference's. 50,000 rows take about six minutes.
Calibrate the model afterwards, because its scores change.

If the weights of rule and trees sum to 1, the network has no share in a score, and may be missing. A new model without a
network starts as a folder with this config.json:
  {"codescore": {"rule": 0.5, "trees": 0.5}}

Example:
  codescore boost --model models/mine --data train.arrow
  codescore calibrate --model models/mine --data dev.arrow`,
    )
    .action(run);

async function run({ model, data, share, seed, threads }: BoostFlags): Promise<void> {
  const { fitTrees, readRows } = await import("../evaluate/index.ts");
  const { checkConfig, checkUnice, encodeOptions, usesNetwork, readScorerConfig } = await import("../model/index.ts");
  const { findModel } = await import("../score/index.ts");
  const { TREES_FILE, writeTrees } = await import("../trees/index.ts");
  const { writeAtomic } = await import("../util/files.ts");
  const folder = await findModel(model);
  const before = await readScorerConfig(folder);
  const place = join(folder, "config.json");
  const rest = 1 - before.codescore.rule;
  const codescore = { ...before.codescore, trees: share ?? (before.shape === null ? rest : SHARE) };
  checkUnice(codescore, codescore.max_length, place);
  if (before.shape === null && usesNetwork(codescore)) {
    const why = `${folder} has no network, and its rule has ${before.codescore.rule}`;
    throw new CodescoreError("usage", `expected --share ${rest}, got ${share}: ${why}`);
  }
  const config = before.shape === null ? { codescore } : checkConfig({ ...before.shape, codescore }, place);
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
