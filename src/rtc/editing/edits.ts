/**
 * Edits to send around, as JSON lines (gzipped or not, or Parquet). Two releases are read as they come:
 *
 * - CodeReviewer's refinement set (Li et al. 2022, `ref-test.jsonl`): `old`, `new`, `comment`, `lang`. Its lines carry the
 *   marks of a diff, one character each, which are taken off where every line has one.
 * - what the authors of RTC make of it: `code_before_edit`, `code_after_edit`, `ground_truth_edit_description`,
 *   `filename`.
 *
 * An edit's id is `task_id` or `id` where the row has one, else `edit/N` by its place in the file: neither `ghid` (a pull
 * request has several rows) nor that `filename` tells rows apart.
 */
import { CodescoreError } from "../../errors.ts";
import { optionalString, readJsonLines, stringField } from "../../util/jsonl.ts";
import { idOf } from "../trip/rows.ts";

export interface Edit {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  /** What the reviewer asked for, where the row says so. */
  readonly comment: string | null;
}

/**
 * The edits of a file, the first `limit` of them.
 * Throws `CodescoreError("input")` that names the line for a row without the two texts, or a second row of one id.
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

/** The texts without the diff's marks, where all lines that are not empty have one and one of them tells a change. */
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
