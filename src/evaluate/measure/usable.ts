/** Selects the rows that every column can be measured on, and counts the others. */
import { CodescoreError } from "../../errors.ts";
import { groupRows } from "../../statistics/index.ts";
import type { LabelledRow } from "../../types.ts";
import { counted } from "../../util/counted.ts";
import type { ScoreColumn } from "./columns.ts";
import type { ScoreInterval } from "./intervals.ts";
import { belongsTo, type Subset } from "./subset.ts";

export interface Counts {
  /** Number of rows given. */
  readonly rows: number;
  /** Number of labelled rows outside the requested subset; 0 if none was requested. */
  readonly outside: number;
  /** Number of rows that have a label and a score in every column: the measured ones. */
  readonly used: number;
  /** Number of tasks among the used rows. */
  readonly tasks: number;
  /** Number of rows without a label for other reasons than `infra`. */
  readonly noLabel: number;
  readonly infra: number;
  /** Number of labelled rows without a reference, which metrics need. */
  readonly noReference: number;
  /** Number of labelled rows that a column could not score for another reason, by column name. Columns without such rows are absent. */
  readonly unscored: Readonly<Record<string, number>>;
}

/** A column, restricted to the used rows. */
export interface UsableColumn extends ScoreColumn {
  readonly scores: readonly number[];
  readonly exec: readonly number[] | null;
  readonly pass?: readonly (number | null)[];
  readonly intervals?: readonly ScoreInterval[];
}

/** A row that has a label. */
export type UsableRow = LabelledRow & { readonly pass_ratio: number };

export interface Usable {
  readonly counts: Counts;
  readonly rows: readonly UsableRow[];
  readonly columns: readonly UsableColumn[];
  readonly passRatios: readonly number[];
  readonly passesAll: readonly boolean[];
  readonly taskIds: readonly string[];
  /** Row numbers of each task. */
  readonly tasks: readonly (readonly number[])[];
}

/**
 * Leaves out rows without a label and rows that any column could not score, so that all columns are compared on the same rows.
 * Throws `CodescoreError("input")` if columns and rows differ in length, a score is not a finite number (naming the row, from 0),
 * two columns share a name, or no row is left.
 * @param only measure only this part of the rows
 */
export function selectUsable(all: readonly LabelledRow[], columns: readonly ScoreColumn[], only?: Subset): Usable {
  for (const column of columns) checkColumn(column, all);
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new CodescoreError("input", `two columns are called \`${twice}\`; give each its own name`);

  const withLabel = [...all.keys()].filter((i) => all[i]!.pass_ratio !== null);
  const labelled = only === undefined ? withLabel : withLabel.filter((i) => belongsTo(all[i]!, only));
  const missing = ({ scores, exec }: ScoreColumn, i: number): boolean =>
    scores[i] === null || (exec !== null && exec[i] === null);
  const kept = labelled.filter((i) => !columns.some((column) => missing(column, i)));
  const lacking = (column: ScoreColumn, i: number): boolean => column.kind === "metric" && all[i]!.reference === null;
  const noReference = labelled.filter((i) => columns.some((column) => missing(column, i) && lacking(column, i))).length;
  const unscored = columns
    .map((column) => [column.name, labelled.filter((i) => missing(column, i) && !lacking(column, i)).length] as const)
    .filter(([, count]) => count > 0);
  if (kept.length === 0) {
    const why = [
      ...(noReference > 0 ? [`; ${noReference} have no reference for the metrics`] : []),
      ...unscored.map(([name, count]) => `; \`${name}\` could not score ${count}`),
    ].join("");
    throw new CodescoreError(
      "input",
      `expected rows with a label and a score, got none: of ${counted(all.length, "row")}, ${withLabel.length} with a label${only === undefined ? "" : `, ${labelled.length} of them are ${only}`}${why}`,
    );
  }
  const rows = kept.map((i) => all[i] as UsableRow);
  const taskIds = rows.map(({ task_id }) => task_id);
  const tasks = [...groupRows(taskIds).values()];
  return {
    counts: {
      rows: all.length,
      outside: withLabel.length - labelled.length,
      used: kept.length,
      tasks: tasks.length,
      noLabel: all.filter(({ pass_ratio, status }) => pass_ratio === null && status !== "infra").length,
      infra: all.filter(({ pass_ratio, status }) => pass_ratio === null && status === "infra").length,
      noReference,
      unscored: Object.fromEntries(unscored),
    },
    rows,
    columns: columns.map(({ pass, intervals, ...column }) => ({
      ...column,
      scores: kept.map((i) => column.scores[i] as number),
      exec: column.exec === null ? null : kept.map((i) => column.exec![i] as number),
      ...(pass && { pass: kept.map((i) => pass[i]!) }),
      ...(intervals && { intervals: kept.map((i) => intervals[i] as ScoreInterval) }),
    })),
    passRatios: rows.map(({ pass_ratio }) => pass_ratio),
    passesAll: rows.map(({ pass_ratio }) => pass_ratio === 1),
    taskIds,
    tasks,
  };
}

function checkColumn({ name, scores, exec }: ScoreColumn, rows: readonly LabelledRow[]): void {
  for (const [what, values] of [["scores", scores] as const, ["exec", exec] as const]) {
    if (values === null) continue;
    if (values.length !== rows.length) {
      throw new CodescoreError(
        "input",
        `expected ${rows.length} ${what} in \`${name}\`, one per row, got ${values.length}`,
      );
    }
    const bad = values.findIndex((value) => value !== null && !Number.isFinite(value));
    if (bad < 0) continue;
    throw new CodescoreError(
      "input",
      `expected a finite number in row ${bad} (counted from 0, sample ${rows[bad]!.sample_id}) of ${what} of \`${name}\`, got ${values[bad]}`,
    );
  }
}
