/** A pack of a run that takes seconds, and the folder that it unpacks into. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PackOptions, type PackResult, packRun } from "../../../src/train/index.ts";
import { rowsOf, writeRows } from "../rows.ts";

/** All parts of the network, as small as possible. */
const shape = {
  hidden_size: 16,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  intermediate_size: 32,
  max_position_embeddings: 66,
  codescore: { head_sizes: [8], max_length: 64 },
};

/** The options of the run, with its files in `folder`. */
export function smallRun(folder: string) {
  const data = [writeRows(join(folder, "data.jsonl"), rowsOf(6))];
  const config = join(folder, "config.json");
  writeFileSync(config, JSON.stringify(shape));
  const settings = { vocabSize: 300, steps: 4, evaluateEvery: 2, batchTokens: 256, devShare: 0.3, quiet: true };
  return { ...settings, data, config };
}

/** The pack's folder, unpacked by tar. */
export async function packed(folder: string, options: Omit<PackOptions, "pack">): Promise<[string, PackResult]> {
  const result = await packRun({ ...options, pack: join(folder, "run.tar.gz") });
  execFileSync("tar", ["xzf", result.pack, "-C", folder]);
  return [join(folder, result.folder), result];
}
