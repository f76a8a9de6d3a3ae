/**
 * Rows to be scored as files have them: ours, CodeScore's own (`generated_code`, `golden_code`, `source`), and mixtures of
 * the two (`candidate` beside `golden_code`).
 */

import { CodescoreError, type ErrorCode, messageOf } from "../errors.ts";
import { foreignNamed, type ProgramReader, READS } from "../languages/index.ts";
import { docstring } from "../languages/python/syntax/source.ts";
import { formatOf } from "../tokenize/index.ts";
import type { InputFormat, Score, ScoreInput } from "../types.ts";
import type { JsonLine } from "../util/jsonl.ts";

/** Longer texts are no programs; reading them would take seconds, to keep a few hundred tokens. */
const LONGEST = 200_000;

export interface ScoreRow extends ScoreInput {
  /** As it came; the row's index when it had none. */
  readonly id: unknown;
}

/**
 * One JSON line as a row; without `id` that is its `sample_id`, as in labelled sets, else the row's index. Types are checked by the scorer,
 * row by row. A `prompt` is prepended to a candidate and to a reference that only continue it; an empty answer stays empty. `lang` is
 * another name of `language`.
 */
export function toScoreRow({ value }: JsonLine, index: number): ScoreRow {
  const { id, prompt } = value;
  // `source` is the task in CodeScore's rows and where a row comes from in ours.
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
    ...(typeof value.entry_point === "string" && { entryPoint: value.entry_point }),
  };
}

/** Whether a text continues a prompt: it neither begins with it nor defines the prompt's last function anew. */
function continues(prompt: string, text: string): boolean {
  if (prompt.trim() === "" || isEmpty(text) || text.startsWith(prompt.trimEnd())) return false;
  const name = [...prompt.matchAll(/^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)/gm)].at(-1)?.[1];
  return name === undefined || !new RegExp(`^(?:async[ \\t]+)?def[ \\t]+${name}\\b`, "m").test(text);
}

/** An answer with nothing in it is no program: its score is 0. */
export const isEmpty = (candidate: string): boolean => candidate.trim() === "";
export const EMPTY_NOTE = "candidate: empty";

/** Checks a row and picks its format; `auto` is the richest that it allows. Throws `CodescoreError("input")`. */
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

/** What prompts begin with, blank lines aside. */
const CODE = /^(?:from|import|def|async|class|@|#)/;
/** Characters of a prompt at most. */
const LONGEST_PROMPT = 50_000;

/**
 * What a description says: of a prompt that is code, the docstring of its last function, since the rest stands in the programs as well. Any
 * other text as it is.
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
 * The row with the programs that its texts hold, and what there is to say of them. Throws `CodescoreError("input")` for a program
 * of another language; a reference that is not looked at may be of any.
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

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** A row that could not be scored, in its place. */
export interface ScoreError {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

export type ScoreResult = Score | ScoreError;

export const GONE: ScoreError = { error: { code: "infra", message: "given up: nobody waits for it" } };

/** What keeps one row from being scored is that row's error, whatever it is. */
export function rowError(error: unknown): ScoreError["error"] {
  if (error instanceof CodescoreError) return { code: error.code, message: error.message };
  if (error instanceof RangeError) return { code: "input", message: "expected a program, got one nested too deeply" };
  return { code: "infra", message: `this row cannot be read: ${messageOf(error)}` };
}
