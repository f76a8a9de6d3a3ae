/** Reads what clients send. A body that cannot be read is an error of the request; a bad row is one of that row. */
import { CodescoreError } from "../errors.ts";
import type { ScoreInput } from "../types.ts";
import { problem } from "./answers.ts";
import type { RowError } from "./scorer.ts";

export interface RowLimits {
  /** Rows of one request. */
  readonly maxRows: number;
  /** Rows of one request that asks for the lines' effects. */
  readonly maxExplained: number;
  /** Rows of one request that asks for their consensus. */
  readonly maxConsensus: number;
  /** Characters of a candidate, a reference or a description. */
  readonly maxChars: number;
}

export interface RequestRow {
  readonly id: string | number;
  /** Rows of one task are candidates for the same job: `task_id`, or the description. */
  readonly task: string;
  readonly input: ScoreInput | RowError;
}

export interface ScoreRequest {
  readonly rows: readonly RequestRow[];
  /** Whether each line's effect is wanted. */
  readonly explain: boolean;
  /** Whether scores without a reference are to be joined with the consensus of their task. */
  readonly consensus: boolean;
}

/** The body of `/v1/score`. Throws `CodescoreError("input")` when it has no rows, too many, or fields of no meaning. */
export function parseRequest(body: unknown, limits: RowLimits): ScoreRequest {
  const { rows, explain = false, consensus = false } = objectOf(body);
  const unknown = unknownField(objectOf(body), ["rows", "explain", "consensus"]);
  if (unknown !== null) throw new CodescoreError("input", unknown);
  if (!Array.isArray(rows)) throw new CodescoreError("input", `expected \`rows\` to be an array, got ${kindOf(rows)}`);
  for (const [name, value] of Object.entries({ explain, consensus })) {
    if (typeof value === "boolean") continue;
    throw new CodescoreError("input", `expected \`${name}\` to be true or false, got ${kindOf(value)}`);
  }
  if (explain && consensus) {
    throw new CodescoreError("input", "`explain` is of a row's own score: ask for it without `consensus`");
  }
  if (rows.length === 0) throw new CodescoreError("input", "expected at least one row in `rows`, got none");
  const most = explain ? limits.maxExplained : consensus ? limits.maxConsensus : limits.maxRows;
  if (rows.length > most) {
    const asked = explain ? " with `explain`" : consensus ? " with `consensus`" : "";
    const what = `expected at most ${most} rows a request${asked}`;
    throw new CodescoreError("input", `${what}, got ${rows.length}; send several requests`);
  }
  return {
    rows: rows.map((row: unknown, index) => parseRow(row, index, limits)),
    explain: explain === true,
    consensus: consensus === true,
  };
}

function parseRow(row: unknown, index: number, limits: RowLimits): RequestRow {
  const wrong = (message: string): RequestRow => ({ id: index, task: "", input: rowError(message) });
  if (!isObject(row)) return wrong(`expected a row to be an object, got ${kindOf(row)}`);
  const { id: given, task_id: task, ...fields } = row;
  const id = given ?? index;
  if (typeof id !== "string" && typeof id !== "number") {
    return wrong(`expected \`id\` to be a string or a number, got ${kindOf(id)}`);
  }
  // JSON's numbers beyond these would come back as others.
  if (typeof id === "number" && (!Number.isFinite(id) || Math.abs(id) > Number.MAX_SAFE_INTEGER)) {
    return wrong("expected a number `id` of at most 2^53 - 1; send larger ones as strings");
  }
  return { id, task: JSON.stringify(task ?? fields.description ?? null), input: parseInput(fields, limits) };
}

/** The body of `/v1/similarity`. Throws `CodescoreError("input")` unless it has two texts. */
export function parsePair(body: unknown, limits: RowLimits): ScoreInput {
  const input = parseInput(objectOf(body), limits);
  if ("error" in input) throw new CodescoreError("input", input.error.message);
  if (typeof input.reference === "string") return input;
  throw new CodescoreError("input", "expected `reference` to be a string: a similarity is to something");
}

/** Candidate, reference and description of a row, or what is wrong with them. */
function parseInput(row: Record<string, unknown>, { maxChars }: RowLimits): ScoreInput | RowError {
  const { candidate, reference = null, description = null, language = null } = row;
  const unknown = unknownField(row, ["candidate", "reference", "description", "language"]);
  if (unknown !== null) return rowError(unknown);
  if (typeof candidate !== "string") return rowError(`expected \`candidate\` to be a string, got ${kindOf(candidate)}`);
  if (reference !== null && typeof reference !== "string") {
    return rowError(`expected \`reference\` to be a string, got ${kindOf(reference)}`);
  }
  if (description !== null && typeof description !== "string") {
    return rowError(`expected \`description\` to be a string, got ${kindOf(description)}`);
  }
  if (language !== null && typeof language !== "string") {
    return rowError(`expected \`language\` to be a string, got ${kindOf(language)}`);
  }
  for (const [name, text] of Object.entries({ candidate, reference, description })) {
    if (text !== null && text.length > maxChars) {
      return rowError(`expected \`${name}\` to have at most ${maxChars} characters, got ${text.length}`);
    }
  }
  return { candidate, reference, description, ...(language !== null && { language }) };
}

/** Names a field that means nothing here: passed over, a misspelt `reference` would give the score of another row. */
function unknownField(given: Record<string, unknown>, known: readonly string[]): string | null {
  const odd = Object.keys(given).find((name) => !known.includes(name));
  if (odd === undefined) return null;
  return `unknown field \`${odd.slice(0, 40)}\`; expected ${known.map((name) => `\`${name}\``).join(", ")}`;
}

const rowError = (message: string): RowError => problem("input", message);

function objectOf(body: unknown): Record<string, unknown> {
  if (isObject(body)) return body;
  throw new CodescoreError("input", `expected a JSON object, got ${kindOf(body)}`);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
