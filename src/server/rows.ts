/** Parses scoring requests. A body that cannot be read is an error of the request; a bad row is an error of that row. */
import { CodescoreError } from "../errors.ts";
import { isEntryPoint, wrongEntryPoint } from "../score/index.ts";
import type { ScoreInput } from "../types.ts";
import { counted } from "../util/counted.ts";
import { problem } from "./answers.ts";
import { isObject, kindOf } from "./json.ts";
import type { Asked } from "./run-lane.ts";
import { parseRun, RUN_FIELDS, type RunLimits } from "./run-request.ts";
import type { RowError } from "./scorer.ts";

export interface RowLimits extends RunLimits {
  /** Maximum rows per request. */
  readonly maxRows: number;
  /** Maximum rows per request with `explain`. */
  readonly maxExplained: number;
  /** Maximum rows per request with `consensus`. */
  readonly maxConsensus: number;
  /** Maximum rows per request with `run`. */
  readonly maxRun: number;
  /** Maximum characters of a candidate, a reference or a description. */
  readonly maxChars: number;
  /** Maximum characters of all rows of a request with `explain`, `consensus` or `run`, whose time grows faster than the length of the rows. */
  readonly maxJointChars: number;
}

export interface RequestRow {
  readonly id: string | number;
  /** Rows with the same task are candidates for the same job. It is `task_id`, or the description. */
  readonly task: string;
  readonly input: ScoreInput | RowError;
}

export interface ScoreRequest {
  readonly rows: readonly RequestRow[];
  /** Whether to compute each line's effect. */
  readonly explain: boolean;
  /** Whether to combine scores without a reference with the consensus of their task. */
  readonly consensus: boolean;
  /** How to run the candidates; null if they are not run. */
  readonly run: Asked | null;
}

/** The body of `/v1/score`. Throws like `parseRun`, and `CodescoreError("input")` for no rows, too many rows, or invalid fields. */
export function parseRequest(body: unknown, limits: RowLimits): ScoreRequest {
  const request = objectOf(body);
  const { rows, explain = false, consensus = false } = request;
  const unknown = unknownField(request, ["rows", "explain", "consensus", ...RUN_FIELDS]);
  if (unknown !== null) throw new CodescoreError("input", unknown);
  if (!Array.isArray(rows)) throw new CodescoreError("input", `expected \`rows\` to be an array, got ${kindOf(rows)}`);
  for (const [name, value] of Object.entries({ explain, consensus })) {
    if (typeof value === "boolean") continue;
    throw new CodescoreError("input", `expected \`${name}\` to be true or false, got ${kindOf(value)}`);
  }
  const run = parseRun(request, limits);
  if (explain && consensus) {
    throw new CodescoreError("input", "`explain` explains the score of a single row: use it without `consensus`");
  }
  if (run !== null && consensus) {
    throw new CodescoreError("input", "`run` already compares the samples of a task: use it without `consensus`");
  }
  if (rows.length === 0) throw new CodescoreError("input", "expected at least one row in `rows`, got none");
  const asked = [
    ...(explain ? [["explain", limits.maxExplained] as const] : []),
    ...(consensus ? [["consensus", limits.maxConsensus] as const] : []),
    ...(run !== null ? [["run", limits.maxRun] as const] : []),
  ];
  const most = Math.min(limits.maxRows, ...asked.map(([, count]) => count));
  if (rows.length > most) {
    const [name] = asked.find(([, count]) => count === most) ?? [];
    const what = `expected at most ${counted(most, "row")} per request${name === undefined ? "" : ` with \`${name}\``}`;
    throw new CodescoreError("input", `${what}, got ${rows.length}; send several requests`);
  }
  const parsed = rows.map((row: unknown, index) => parseRow(row, index, limits));
  if (asked.length > 0) checkJoint(parsed, limits.maxJointChars, asked[0]![0]);
  return { rows: parsed, explain: explain === true, consensus: consensus === true, run };
}

function checkJoint(rows: readonly RequestRow[], most: number, asked: string): void {
  const chars = rows.reduce((sum, { input }) => sum + ("error" in input ? 0 : charsOf(input)), 0);
  if (chars <= most) return;
  const what = `expected at most ${counted(most, "character")} in all rows of a request with \`${asked}\``;
  throw new CodescoreError("input", `${what}, got ${chars}; send several requests`);
}

/** Characters of a row's texts. */
export const charsOf = ({ candidate, reference, description }: ScoreInput): number =>
  candidate.length + (reference?.length ?? 0) + (description?.length ?? 0);

function parseRow(row: unknown, index: number, limits: RowLimits): RequestRow {
  const wrong = (message: string): RequestRow => ({ id: index, task: "", input: rowError(message) });
  if (!isObject(row)) return wrong(`expected a row to be an object, got ${kindOf(row)}`);
  const { id: given, task_id: task = null, entry_point: entryPoint = null, ...fields } = row;
  const id = given ?? index;
  if (typeof id !== "string" && typeof id !== "number") {
    return wrong(`expected \`id\` to be a string or a number, got ${kindOf(id)}`);
  }
  // JSON parsing would change numbers beyond this range.
  if (typeof id === "number" && (!Number.isFinite(id) || Math.abs(id) > Number.MAX_SAFE_INTEGER)) {
    return wrong("expected a number `id` of at most 2^53 - 1; send larger ones as strings");
  }
  if (task !== null && typeof task !== "string" && typeof task !== "number") {
    return { ...wrong(`expected \`task_id\` to be a string or a number, got ${kindOf(task)}`), id };
  }
  if (entryPoint !== null && !isEntryPoint(entryPoint)) {
    return { ...wrong(wrongEntryPoint(entryPoint, kindOf(entryPoint))), id };
  }
  const input = parseInput(fields, limits, ["id", "task_id", "entry_point"]);
  const running = {
    ...(task !== null && { taskId: JSON.stringify(task) }),
    ...(entryPoint !== null && { entryPoint }),
  };
  return {
    id,
    task: JSON.stringify(task ?? fields.description ?? null),
    input: "error" in input ? input : { ...input, ...running },
  };
}

/** The body of `/v1/similarity`. Throws `CodescoreError("input")` unless it has two texts. */
export function parsePair(body: unknown, limits: RowLimits): ScoreInput {
  const input = parseInput(objectOf(body), limits);
  if ("error" in input) throw new CodescoreError("input", input.error.message);
  if (typeof input.reference === "string") return input;
  throw new CodescoreError("input", "expected `reference` to be a string: a similarity needs two programs");
}

/** The candidate, reference and description of a row, or the error in them. */
function parseInput(
  row: Record<string, unknown>,
  { maxChars }: RowLimits,
  /** Other allowed fields, for the message. */
  others: readonly string[] = [],
): ScoreInput | RowError {
  const { candidate, reference = null, description = null, language = null } = row;
  const unknown = unknownField(row, ["candidate", "reference", "description", "language", ...others]);
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
      return rowError(`expected \`${name}\` to have at most ${counted(maxChars, "character")}, got ${text.length}`);
    }
  }
  return { candidate, reference, description, ...(language !== null && { language }) };
}

/** An error for the first unknown field. Ignoring it would be wrong: a row with a misspelt `reference` would get another score. */
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
