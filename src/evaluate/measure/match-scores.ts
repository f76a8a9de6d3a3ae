/** Finds the score of every labelled row among the lines of a file of scores. */
import { CodescoreError } from "../../errors.ts";
import type { LabelledRow } from "../../types.ts";
import { counted } from "../../util/counted.ts";

/** What a line of scores says about its program. */
export interface Identified {
  /** `task_id`; null if the line has none. */
  readonly task: string | null;
  readonly id: string | null;
  /** File and line. */
  readonly where: string;
}

/** Ways to name a program, the most exact first. Sample ids alone may repeat between tasks; not every file of scores has tasks. */
const KEYS = [
  {
    ofLine: ({ task, id }: Identified) => (task === null || id === null ? null : JSON.stringify([task, id])),
    ofRow: ({ task_id, sample_id }: LabelledRow) => JSON.stringify([task_id, sample_id]),
  },
  { ofLine: ({ id }: Identified) => id, ofRow: ({ sample_id }: LabelledRow) => sample_id },
] as const;

/**
 * One line per row. Matches by `task_id` and `id`, or by `id` alone; if the ids do not tell, line by line. Throws
 * `CodescoreError("input")` that names the rows without a score.
 */
export function matchScores<Line extends Identified>(
  path: string,
  lines: readonly Line[],
  rows: readonly LabelledRow[],
): Line[] {
  for (const { ofLine, ofRow } of KEYS) {
    const keyed = lines.filter((line) => ofLine(line) !== null);
    const byKey = new Map(keyed.map((line) => [ofLine(line), line]));
    if (byKey.size < keyed.length || new Set(rows.map(ofRow)).size < rows.length) continue;
    const missing = rows.filter((row) => !byKey.has(ofRow(row)));
    if (missing.length === 0) return rows.map((row) => byKey.get(ofRow(row))!);
    if (missing.length === rows.length) continue;
    throw new CodescoreError(
      "input",
      `${path}: ${missing.length} of ${counted(rows.length, "program")} without a score: ${someIds(missing)}; score the same data that is evaluated`,
    );
  }
  if (lines.length !== rows.length) {
    throw new CodescoreError(
      "input",
      `${path}: expected ${rows.length} scores, one per labelled row, got ${lines.length}; score the same data that is evaluated`,
    );
  }
  const stray = lines.find(({ id }, i) => id !== null && id !== rows[i]!.sample_id && id !== String(i));
  if (stray) {
    throw new CodescoreError(
      "input",
      `${stray.where}: \`id\` ${JSON.stringify(stray.id)} is neither the sample_id nor the number of a labelled row; leave ids out to match line by line`,
    );
  }
  return [...lines];
}

const MOST_NAMED = 5;

/** The first few rows by id and task, and how many more there are. */
export function someIds(rows: readonly Pick<LabelledRow, "task_id" | "sample_id">[]): string {
  const named = rows.slice(0, MOST_NAMED).map(({ task_id, sample_id }) => `\`${sample_id}\` of ${task_id}`);
  const more = rows.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
