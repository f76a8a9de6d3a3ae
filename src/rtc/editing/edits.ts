/**
 * Reads edits from JSON lines (gzipped or not) or Parquet. Two releases are read as they are:
 *
 * - CodeReviewer's refinement set (Li et al. 2022, `ref-test.jsonl`): `old`, `new`, `comment`, `lang`. Its lines start with diff
 *   marks of one character, which are removed if every line has one.
 * - The version of the authors of RTC: `code_before_edit`, `code_after_edit`, `ground_truth_edit_description`, `filename`.
 *
 * An edit's id is `task_id` or `id` if the row has one, otherwise `edit/N` by its position in the file. Neither `ghid` (a pull
 * request has several rows) nor `filename` identifies a row.
 */
import { CodescoreError } from "../../errors.ts";
import { optionalString, readJsonLines, stringField } from "../../util/jsonl.ts";
import { idOf } from "../trip/rows.ts";

export interface Edit {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  /** What the reviewer asked for, if the row has it. */
  readonly comment: string | null;
}

/**
 * The first `limit` edits of a file.
 * @throws `CodescoreError("input")` that names the line, for a row without the two texts or with a duplicate id
 */
export async function readEdits(path: string, limit = Number.POSITIVE_INFINITY): Promise<Edit[]> {
  const edits = new Map<string, Edit>();
  for await (const line of readJsonLines(path)) {
    if (edits.size >= limit) break;
    const id = idOf(line, ["task_id", "id"]) ?? `edit/${edits.size + 1}`;
    if (edits.has(id)) throw new CodescoreError("input", `${line.where}: a second edit with the id \`${id}\``);
    const texts = {
      before: stringField(line, "old", "code_before_edit"),
      after: stringField(line, "new", "code_after_edit"),
    };
    const comment = optionalString(line, "comment", "ground_truth_edit_description");
    edits.set(id, { id, ...withoutMarks(texts), comment });
  }
  return [...edits.values()];
}

/** Removes the diff marks if every non-empty line has one and at least one marks a change. */
function withoutMarks({ before, after }: { before: string; after: string }): { before: string; after: string } {
  const old = before.split(/\r?\n/);
  const fresh = after.split(/\r?\n/);
  const marked = (lines: readonly string[], mark: string): boolean =>
    lines.every((line) => line === "" || line.startsWith(" ") || line.startsWith(mark));
  const changed = old.some((line) => line.startsWith("-")) || fresh.some((line) => line.startsWith("+"));
  if (!changed || !marked(old, "-") || !marked(fresh, "+")) return { before, after };
  const without = (lines: readonly string[]): string => lines.map((line) => line.slice(1)).join("\n");
  return { before: without(old), after: without(fresh) };
}
