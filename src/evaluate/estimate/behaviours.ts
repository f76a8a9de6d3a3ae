/** What `codescore score --run` wrote of some programs of a labelled set, as the level between scores and tests. */
import { CodescoreError } from "../../errors.ts";
import type { LabelledRow } from "../../types.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import type { ScoreColumn } from "../measure/columns.ts";
import type { BehaviourValues } from "./powered.ts";

/**
 * One value a row: the score that followed from running it; null where the file has no line of it. Of a program that could not be run (no
 * inputs, a missing module) the file has the score of its text, or an error, for which `column`'s score stands: any value that hangs on
 * no label keeps the estimate right. Lines are matched by `id` = `sample_id`. Throws `CodescoreError("input")` when file and rows do not
 * belong together, or nothing was run.
 */
export async function readBehaviour(
  path: string,
  rows: readonly LabelledRow[],
  column: ScoreColumn,
): Promise<BehaviourValues> {
  const places = new Map(rows.map(({ sample_id }, i) => [sample_id, i]));
  if (places.size < rows.length) {
    throw new CodescoreError("input", `${path}: lines are matched by \`sample_id\`, and rows of the set share some`);
  }
  const values = new Array<number | null>(rows.length).fill(null);
  let wasRun = false;
  for await (const { value, where } of readJsonLines(path)) {
    const { id, score, error, behaviour } = value as { behaviour?: { source?: unknown } | null } & typeof value;
    const place = places.get(String(id));
    if (place === undefined) {
      throw new CodescoreError("input", `${where}: \`id\` ${JSON.stringify(id)} is no \`sample_id\` of the set`);
    }
    if (values[place] !== null) throw new CodescoreError("input", `${where}: \`id\` ${JSON.stringify(id)} came before`);
    const failed = error !== undefined && error !== null;
    if (!failed && typeof score !== "number") {
      throw new CodescoreError("input", `${where}: expected \`score\` to be a number, got ${JSON.stringify(score)}`);
    }
    values[place] = failed ? (column.scores[place] ?? 0) : (score as number);
    wasRun ||= typeof behaviour?.source === "string";
  }
  if (wasRun) return values;
  throw new CodescoreError("input", `${path}: nothing in it was run; expected what \`codescore score --run\` writes`);
}
