/** What a model has seen, for its card (export/card.ts): `training.json`. */
import { join } from "node:path";
import type { LabelledRow, TrainingSummary } from "../types.ts";
import { exists, readJson } from "../util/files.ts";

/**
 * The rows by source, after those that the checkpoint `init` has seen; licences are for the reader to add. Null where the
 * folder `out` has the file: whoever wrote into it keeps what they wrote.
 */
export async function provenance(
  rows: readonly LabelledRow[],
  init: string | null,
  out: string,
): Promise<string | null> {
  const name = "training.json";
  if (await exists(join(out, name))) return null;
  const known = init !== null && (await exists(join(init, name)));
  const before: TrainingSummary = known ? ((await readJson(join(init, name))) as TrainingSummary) : {};
  const counts = new Map<string, number>();
  for (const { source } of rows) counts.set(source, (counts.get(source) ?? 0) + 1);
  const seen = [...counts].sort(([, a], [, b]) => b - a).map(([source, n]) => ({ name: source, rows: n }));
  return `${JSON.stringify({ ...before, data: [...(before.data ?? []), ...seen] }, null, 2)}\n`;
}
