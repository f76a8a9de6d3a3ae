/**
 * The columns of a labelled set (`LabelledRow` in src/types.ts): their order, Arrow types and checks.
 * Columns whose values repeat are dictionary-encoded. Candidates rarely repeat, so they are plain text.
 */
import { type DataType, Dictionary, Field, Float64, Int8, Int32, Schema, Utf8 } from "apache-arrow";
import { CodescoreError } from "../errors.ts";
import type { LabelledRow, LabelStatus } from "../types.ts";

export type Column = keyof LabelledRow;

export type Kind = "dictionary" | "text" | "ratio" | "flag" | "count" | "number";

/** Every column, in file order. */
export const columns: Readonly<Record<Column, { readonly kind: Kind; readonly nullable: boolean }>> = {
  task_id: { kind: "dictionary", nullable: false },
  sample_id: { kind: "text", nullable: false },
  source: { kind: "dictionary", nullable: false },
  made_by: { kind: "dictionary", nullable: false },
  temperature: { kind: "number", nullable: true },
  candidate: { kind: "text", nullable: false },
  reference: { kind: "dictionary", nullable: true },
  description: { kind: "dictionary", nullable: true },
  pass_ratio: { kind: "ratio", nullable: true },
  executable: { kind: "flag", nullable: true },
  n_tests: { kind: "count", nullable: false },
  n_passed: { kind: "count", nullable: false },
  n_opaque: { kind: "count", nullable: false },
  passes_base: { kind: "flag", nullable: true },
  status: { kind: "dictionary", nullable: false },
  first_error: { kind: "dictionary", nullable: true },
  reason: { kind: "dictionary", nullable: true },
  weight: { kind: "number", nullable: false },
};

/** The value of a column that an older file lacks. */
const absent: Partial<Record<Column, unknown>> = { n_opaque: 0, weight: 1 };

export const columnNames = Object.keys(columns) as Column[];

const typeOf = (kind: Kind, id: number): DataType => {
  if (kind === "dictionary") return new Dictionary(new Utf8(), new Int32(), id); // explicit id: the default one is a global count
  if (kind === "text") return new Utf8();
  if (kind === "ratio" || kind === "number") return new Float64();
  return kind === "flag" ? new Int8() : new Int32();
};

export const arrowSchema = new Schema(
  columnNames.map((name, i) => new Field(name, typeOf(columns[name].kind, i), columns[name].nullable)),
);

const STATUSES: ReadonlySet<string> = new Set<LabelStatus>(["ok", "no_label", "missing", "infra"]);

/** Returns the row with its columns in order. Throws `CodescoreError("input")` naming the missing or wrong column and `where`. */
export function checkedRow(value: Readonly<Record<string, unknown>>, where: string): LabelledRow {
  const row: Partial<Record<Column, unknown>> = {};
  for (const name of columnNames) {
    const { kind, nullable } = columns[name];
    const field = value[name] ?? absent[name] ?? null;
    const wanted = kind === "dictionary" || kind === "text" ? "string" : "number";
    if (field === null ? !nullable : typeof field !== wanted || !inRange(kind, field)) {
      const got = field === null ? "nothing" : `${JSON.stringify(field)?.slice(0, 40)}`;
      throw new CodescoreError(
        "input",
        `${where}: expected a labelled row with ${describe(kind)} in \`${name}\`, got ${got}; codescore label makes such rows from problems and samples`,
      );
    }
    row[name] = field;
  }
  if (!STATUSES.has(row.status as string)) {
    throw new CodescoreError(
      "input",
      `${where}: expected \`status\` to be ok, no_label, missing or infra, got \`${row.status}\``,
    );
  }
  return row as unknown as LabelledRow;
}

function inRange(kind: Kind, field: unknown): boolean {
  if (typeof field !== "number") return true;
  if (kind === "ratio") return field >= 0 && field <= 1;
  if (kind === "number") return Number.isFinite(field) && field >= 0;
  return kind === "flag" ? field === 0 || field === 1 : Number.isInteger(field) && field >= 0;
}

const describe = (kind: Kind): string =>
  ({
    dictionary: "a string",
    text: "a string",
    ratio: "a number in [0, 1]",
    flag: "0 or 1",
    count: "a count",
    number: "a number of at least 0",
  })[kind];
