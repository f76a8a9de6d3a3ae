/**
 * Rows to be scored, in the formats that files use: ours, CodeScore's (`generated_code`, `golden_code`, `source`), and mixtures of the two
 * (`candidate` with `golden_code`).
 */

import { CodescoreError, type ErrorCode, messageOf } from "../errors.ts";
import { foreignNamed, type ProgramReader, READS } from "../languages/index.ts";
import { docstring } from "../languages/python/syntax/source.ts";
import { formatOf } from "../tokenize/index.ts";
import type { InputFormat, Score, ScoreInput } from "../types.ts";
import type { JsonLine } from "../util/jsonl.ts";

/** Maximum characters of a text. Longer texts are not programs, and reading them would take seconds only to keep a few hundred tokens. */
const LONGEST = 200_000;

export interface ScoreRow extends ScoreInput {
  /** The id as given, or the row's index if it had none. */
  readonly id: unknown;
}

/**
 * Reads one JSON line as a row. The id is `id`, otherwise `sample_id` as in labelled sets, otherwise the row's index. The scorer checks
 * types row by row. A `prompt` is prepended to a candidate or reference that only continues it. An empty answer stays empty. `lang` is
 * another name for `language`.
 */
export function toScoreRow({ value }: JsonLine, index: number): ScoreRow {
  const { id, prompt } = value;
  // `source` is the task description in CodeScore's rows, and the origin of a row in ours.
  const theirs = (value.generated_code ?? value.golden_code) !== undefined;
  const candidate = value.candidate ?? value.generated_code ?? value.candidate; // null stays null
  const reference = value.reference ?? value.golden_code;
  const description = value.description ?? (theirs ? value.source : undefined);
  const language = value.language ?? value.lang;
  const whole = (text: unknown): unknown =>
    typeof prompt === "string" && typeof text === "string" && continues(prompt, text) ? prompt + text : text;
  return {
    id: id ?? value.sample_id ?? index,
    candidate: whole(candidate) as string,
    reference: (reference === "" ? null : whole(reference ?? null)) as string | null,
    description: (description ?? null) as string | null,
    ...(typeof language === "string" && { language }),
    ...(typeof value.task_id === "string" && { taskId: value.task_id }),
    ...(isEntryPoint(value.entry_point) && { entryPoint: value.entry_point }),
  };
}

/** Whether a text continues a prompt: it does not begin with the prompt, and does not redefine the prompt's last function. */
function continues(prompt: string, text: string): boolean {
  if (prompt.trim() === "" || isEmpty(text) || text.startsWith(prompt.trimEnd())) return false;
  const name = [...prompt.matchAll(/^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)/gm)].at(-1)?.[1];
  return name === undefined || !new RegExp(`^(?:async[ \\t]+)?def[ \\t]+${name}\\b`, "m").test(text);
}

/** Names, dots and at most one call. The text becomes code inside the sandbox. */
const ENTRY_POINT = /^[\p{ID_Start}_]\p{ID_Continue}*(?:\(\))?(?:\.[\p{ID_Start}_]\p{ID_Continue}*){0,2}$/u;
export const MOST_ENTRY_CHARS = 200;

export const isEntryPoint = (value: unknown): value is string =>
  typeof value === "string" && value.length <= MOST_ENTRY_CHARS && ENTRY_POINT.test(value);

/** The message for an `entry_point` that is not one. @param kind of a value that is not a text */
export function wrongEntryPoint(value: unknown, kind: string): string {
  const got = typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : kind;
  return `expected \`entry_point\` to name a function (\`f\`) or a method (\`Solution().f\`), got ${got}`;
}

/** An empty answer is not a program. Its score is 0. */
export const isEmpty = (candidate: string): boolean => candidate.trim() === "";
export const EMPTY_NOTE = "candidate: empty";

/** Checks a row and picks its format. `auto` picks the richest one the row allows. Throws `CodescoreError("input")`. */
export function chooseFormat(row: ScoreInput, wanted: InputFormat | "auto"): InputFormat {
  if (typeof row !== "object" || row === null) {
    throw new CodescoreError("input", `expected a row to be an object, got ${kindOf(row)}`);
  }
  for (const field of ["candidate", "reference", "description"] as const) {
    const value: unknown = row[field];
    if (field !== "candidate" && (value === undefined || value === null)) continue;
    if (typeof value !== "string") {
      throw new CodescoreError("input", `expected \`${field}\` to be a string, got ${kindOf(value)}`);
    }
    if (value.length > LONGEST) {
      const most = LONGEST.toLocaleString("en-US");
      throw new CodescoreError("input", `expected at most ${most} characters in \`${field}\`, got ${value.length}`);
    }
  }
  const foreign = typeof row.language === "string" ? foreignNamed(row.language) : null;
  if (foreign !== null) {
    throw new CodescoreError("input", `the row's \`language\` is ${foreign.name}; ${READS}`);
  }
  const richest = formatOf(row);
  if (wanted === "auto" || wanted === richest || richest === "ref+nl") return wanted === "auto" ? richest : wanted;
  const missing = wanted === "nl" || (wanted === "ref+nl" && richest === "ref") ? "description" : "reference";
  throw new CodescoreError("input", `the format ${wanted} needs a ${missing}, got none`);
}

/** How a prompt that is code begins, apart from blank lines. */
const CODE = /^(?:from|import|def|async|class|@|#)/;
/** Maximum characters of a prompt. */
const LONGEST_PROMPT = 50_000;

/**
 * The prose of a description. If the description is a prompt in code, this is the docstring of its last function, because the programs
 * contain the rest. Any other text is returned unchanged.
 */
export function proseOf(description: string): string {
  if (description.length > LONGEST_PROMPT || !CODE.test(description.trimStart())) return description;
  const name = [...description.matchAll(/^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)/gm)].at(-1)?.[1];
  const said = name === undefined ? null : docstring(description, name);
  return said === null || isEmpty(said) ? description : said;
}

type ProgramField = "candidate" | "reference";

export const programFields = (format: InputFormat): readonly ProgramField[] =>
  format === "nl" ? ["candidate"] : ["candidate", "reference"];

/**
 * The row with each text replaced by the program it holds, and notes on what was changed. Throws `CodescoreError("input")` for a program in
 * another language. A reference that is not read may be in any language.
 */
export async function readPrograms<Row extends ScoreInput>(
  read: ProgramReader,
  row: Row,
  fields: readonly ProgramField[],
): Promise<{ readonly row: Row; readonly notes: readonly string[] }> {
  const notes: string[] = [];
  let changed = row;
  for (const field of fields) {
    const found = await read(row[field]!);
    if ("foreign" in found) throw new CodescoreError("input", `\`${field}\` ${found.foreign}; ${READS}`);
    if (found.program !== row[field]) changed = { ...changed, [field]: found.program };
    if (found.note !== undefined) notes.push(`${field}: ${found.note}`);
  }
  return { row: changed, notes };
}

export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Replaces the score of a row that could not be scored. */
export interface ScoreError {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

export type ScoreResult = Score | ScoreError;

export const GONE: ScoreError = { error: { code: "infra", message: "cancelled: the client has disconnected" } };

/** Turns anything that prevents one row from being scored into that row's error. */
export function rowError(error: unknown): ScoreError["error"] {
  if (error instanceof CodescoreError) return { code: error.code, message: error.message };
  if (error instanceof RangeError) return { code: "input", message: "expected a program, got one nested too deeply" };
  return { code: "infra", message: `this row cannot be read: ${messageOf(error)}` };
}
