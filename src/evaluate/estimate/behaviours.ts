/** Reads what `codescore score --run` wrote for some programs of a labelled set. It is the level between scores and tests. */
import { CodescoreError } from "../../errors.ts";
import type { LabelledRow } from "../../types.ts";
import { readJsonLines } from "../../util/jsonl.ts";
import type { ScoreColumn } from "../measure/columns.ts";
import type { BehaviourValues } from "./powered.ts";

/**
 * Returns one value per row: the score from running the program; null if the file has no line for the row. A program that could
 * not be run (no inputs, a missing module) has the score of its text in the file, or an error; for an error the value is
 * `column`'s score. Any value that does not depend on the label keeps the estimate unbiased. Lines are matched by `id` =
 * `sample_id`. Throws `CodescoreError("input")` if file and rows do not belong together, or nothing was run.
 */
export async function readBehaviour(
  path: string,
  rows: readonly LabelledRow[],
  column: ScoreColumn,
): Promise<BehaviourValues> {
  const places = new Map(rows.map(({ sample_id }, i) => [sample_id, i]));
  if (places.size < rows.length) {
    throw new CodescoreError(
      "input",
      `${path}: lines are matched by \`sample_id\`, but some rows of the set share one`,
    );
  }
  const values = new Array<number | null>(rows.length).fill(null);
  let wasRun = false;
  for await (const { value, where } of readJsonLines(path)) {
    const { id, score, error, behaviour } = value as { behaviour?: { source?: unknown } | null } & typeof value;
    const place = places.get(String(id));
    if (place === undefined) {
      throw new CodescoreError("input", `${where}: \`id\` ${JSON.stringify(id)} is not a \`sample_id\` of the set`);
    }
    if (values[place] !== null)
      throw new CodescoreError("input", `${where}: \`id\` ${JSON.stringify(id)} occurs twice`);
    const failed = error !== undefined && error !== null;
    if (!failed && typeof score !== "number") {
      throw new CodescoreError("input", `${where}: expected \`score\` to be a number, got ${JSON.stringify(score)}`);
    }
    values[place] = failed ? (column.scores[place] ?? 0) : (score as number);
    wasRun ||= typeof behaviour?.source === "string";
  }
  if (wasRun) return values;
  throw new CodescoreError(
    "input",
    `${path}: expected output of \`codescore score --run\`, but none of its programs was run`,
  );
}
