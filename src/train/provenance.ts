/** Describes a model's training data for its card (export/card.ts): `training.json`. */
import { join } from "node:path";
import { CodescoreError } from "../errors.ts";
import type { TrainingSummary } from "../model/index.ts";
import type { LabelledRow } from "../types.ts";
import { exists, readJson } from "../util/files.ts";

/**
 * The text of `training.json`: the data that the checkpoint `init` lists, then the labelled rows counted by source. Licences are left for
 * people to add. Null if the folder `out` is given and already has the file, so that manual edits are kept. Throws
 * `CodescoreError("input")` if the file of `init` is invalid.
 */
export async function provenance(
  rows: readonly LabelledRow[],
  init: string | null,
  out: string | null,
): Promise<string | null> {
  const name = "training.json";
  if (out !== null && (await exists(join(out, name)))) return null;
  const before = init === null ? {} : await summaryOf(join(init, name));
  const counts = new Map<string, number>();
  for (const { source } of rows) counts.set(source, (counts.get(source) ?? 0) + 1);
  const seen = [...counts].sort(([, a], [, b]) => b - a).map(([source, n]) => ({ name: source, rows: n }));
  return `${JSON.stringify({ ...before, recipe: undefined, data: [...(before.data ?? []), ...seen] }, null, 2)}\n`;
}

async function summaryOf(path: string): Promise<TrainingSummary> {
  const summary = (await exists(path)) ? ((await readJson(path)) as TrainingSummary | null) : {};
  if (typeof summary === "object" && summary !== null && Array.isArray(summary.data ?? [])) return summary;
  throw new CodescoreError("input", `${path}: expected an object with a list \`data\`; fix or delete the file`);
}
