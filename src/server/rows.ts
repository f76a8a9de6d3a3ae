/** Reads what clients send. A body that cannot be read is an error of the request; a bad row is one of that row. */
import { CodescoreError, messageOf } from "../errors.ts";
import type { ScoreInput } from "../types.ts";
import type { RowError } from "./scorer.ts";

export interface RequestRow {
  readonly id: string | number;
  readonly input: ScoreInput | RowError;
}

/** Throws `CodescoreError("input")` unless the text is a JSON object. */
export function parseBody(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CodescoreError("input", `expected a JSON body: ${messageOf(error)}`);
  }
  if (!isObject(value)) throw new CodescoreError("input", `expected a JSON object, got ${kindOf(value)}`);
  return value;
}

/** The rows of `/v1/score`. Throws `CodescoreError("input")` when there are none or too many. */
export function parseRows(body: Record<string, unknown>, maxRows: number): RequestRow[] {
  const { rows } = body;
  if (!Array.isArray(rows)) throw new CodescoreError("input", `expected \`rows\` to be an array, got ${kindOf(rows)}`);
  if (rows.length === 0) throw new CodescoreError("input", "expected at least one row in `rows`, got none");
  if (rows.length > maxRows) {
    throw new CodescoreError(
      "input",
      `expected at most ${maxRows} rows a request, got ${rows.length}; send several requests`,
    );
  }
  return rows.map((row: unknown, index) => {
    if (!isObject(row)) return { id: index, input: rowError(`expected a row to be an object, got ${kindOf(row)}`) };
    const { id = index } = row;
    if (id !== null && typeof id !== "string" && typeof id !== "number") {
      return { id: index, input: rowError(`expected \`id\` to be a string or a number, got ${kindOf(id)}`) };
    }
    return { id: id ?? index, input: parseInput(row) };
  });
}

/** Candidate, reference and description of a row, or what is wrong with them. */
export function parseInput(row: Record<string, unknown>): ScoreInput | RowError {
  const { candidate, reference = null, description = null } = row;
  if (typeof candidate !== "string") return rowError(`expected \`candidate\` to be a string, got ${kindOf(candidate)}`);
  if (reference !== null && typeof reference !== "string") {
    return rowError(`expected \`reference\` to be a string, got ${kindOf(reference)}`);
  }
  if (description !== null && typeof description !== "string") {
    return rowError(`expected \`description\` to be a string, got ${kindOf(description)}`);
  }
  return { candidate, reference, description };
}

const rowError = (message: string): RowError => ({ error: { code: "input", message } });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
