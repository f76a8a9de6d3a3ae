/**
 * Streams the rows of a problem or sample file: JSON lines or one JSON array of objects (as sanitized MBPP), gzipped or not, CSV or
 * Parquet. Unlike `util/jsonl.ts` it reads Python's JSON dialect (`NaN`, `Infinity`) and can return values exactly. JavaScript
 * reads `1.0` as 1 and rounds 2**53 + 1, but a test input must not change.
 */
import { CodescoreError } from "../errors.ts";
import type { PyValue } from "../types.ts";
import { isCsv, readCsv } from "../util/csv.ts";
import { unreadable } from "../util/file-errors.ts";
import { ArraySplitter } from "../util/json-array.ts";
import { type JsonLine, whyNotJson } from "../util/jsonl.ts";
import { openBytes, readLines } from "../util/lines.ts";
import { isParquet, readParquet } from "../util/parquet.ts";
import { badByte, notUtf8 } from "../util/utf8.ts";

export interface Row extends JsonLine {
  /** The field as Python's `json.loads` would read it; null if the row has no such field. */
  readonly exact: (name: string) => PyValue | null;
  /** Set if only the row's position (from 0) among all rows tells which problem it belongs to. */
  readonly place?: { readonly position: number; readonly of: number };
}

/** Number of lists in a file that is an array of lists; null for any other file. */
export async function countLists(path: string): Promise<number | null> {
  if (!path.endsWith(".json")) return null;
  let number = 0;
  let lists = 0;
  const array = new ArraySplitter(path);
  for await (const line of linesOf(path)) {
    number += 1;
    if (number === 1 && !/^\s*(?:\[|$)/.test(line)) return null;
    for (const { text } of array.add(line, number)) {
      if (!text.startsWith("[")) return null;
      lists += 1;
    }
  }
  return lists;
}

export interface ReadRowsOptions {
  /** Number of lists in the file's array. Each becomes a row `{generations}` with a `place`. @default null: not an array of lists */
  readonly lists?: number | null;
  readonly onBroken?: OnBroken;
}

/** Called, in order, for anything that is not a row or a sample. Without it the first such error is thrown. */
export type OnBroken = (error: CodescoreError) => void;

/** Passes an input error to `onBroken`. Throws it if there is no `onBroken`, and throws all other errors. */
export function broken(error: unknown, onBroken: OnBroken | undefined): void {
  if (onBroken === undefined || !(error instanceof CodescoreError)) throw error;
  onBroken(error);
}

/** The rows of a file in order. Throws `CodescoreError("input")` naming file and line (in Parquet, file and row). */
export async function* readRows(path: string, { lists = null, onBroken }: ReadRowsOptions = {}): AsyncGenerator<Row> {
  if (isParquet(path)) return yield* readParquet(path);
  if (isCsv(path)) return yield* csvRows(path, onBroken);
  let number = 0;
  let array: ArraySplitter | null = null;
  let rows = 0;
  let position = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    const text = number === 1 ? line.replace(/^\uFEFF/, "") : line;
    if (array === null && text.trim() === "") continue;
    // An array begins the file; a later line that begins with `[` is a bad row.
    if (array === null && rows === 0 && text.trimStart().startsWith("[")) array = new ArraySplitter(path);
    const items = array === null ? [{ text, where: `${path}:${number}` }] : array.add(text, number);
    for (const { text, where } of items) {
      const place = array === null || lists === null ? null : { position: position++, of: lists };
      try {
        yield rowOf(text, where, place);
      } catch (error) {
        broken(error, onBroken);
      }
    }
    rows += 1;
  }
  array?.end(number);
}

/** In CSV an empty cell is null. But an empty answer of a model is an answer. */
const emptyAnswers = (value: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    ["solution", "code", "completion", "generation"].flatMap((name) => (value[name] === null ? [[name, ""]] : [])),
  );

async function* csvRows(path: string, onBroken: OnBroken | undefined): AsyncGenerator<Row> {
  for await (const line of readCsv(path)) {
    if (line instanceof CodescoreError) broken(line, onBroken);
    else yield rowOfFields({ ...line.value, ...emptyAnswers(line.value) }, line.where);
  }
}

/** A row that does not come from a file of rows. It has no exact values. */
export const rowOfFields = (value: Record<string, unknown>, where: string): Row => ({
  value,
  where,
  exact: () => null,
});

/** Reads a whole text file, gzipped or not. */
export async function readText(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of openBytes(path)) chunks.push(chunk as Buffer);
  } catch (error) {
    throw unreadable(path, error);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function* linesOf(path: string): AsyncGenerator<string> {
  try {
    yield* readLines(path);
  } catch (error) {
    throw error instanceof CodescoreError ? error : unreadable(path, error);
  }
}

/** Parses a line of JSON as a row. Throws `CodescoreError("input")` naming `where`. */
export const rowOfText = (text: string, where: string): Row => rowOf(text, where);

/** @param place given for an item that may be a list; null if it may not */
function rowOf(text: string, where: string, place: Row["place"] | null = null): Row {
  const value = parseJson(text, where);
  if (Array.isArray(value) && place) return { ...rowOfFields({ generations: value }, where), place };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new CodescoreError("input", `${where}: expected a JSON object, got ${show(text)}`);
  }
  let exact: PyValue | undefined;
  return {
    value: value as Record<string, unknown>,
    where,
    exact: (name) => {
      exact ??= parseExact(text, where);
      return fieldOf(exact, name);
    },
  };
}

function parseJson(text: string, where: string): unknown {
  const byte = badByte(text);
  if (byte !== null) throw new CodescoreError("input", `${where}: ${notUtf8(byte)}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/\b(?:NaN|Infinity)\b/.test(text)) {
      try {
        return JSON.parse(text.replace(TOKEN, (token) => (/^-?[NI]/.test(token) ? "null" : token)));
      } catch {} // NaN was not the problem: the first message is better
    }
    const why = `expected JSON, got ${show(text)} (${whyNotJson(error)})`;
    throw new CodescoreError("input", `${where}: ${why}`, { cause: error });
  }
}

const show = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}...` : text);

/** A string, or a number in Python's dialect. Strings come first, so digits inside them are not matched. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|-?Infinity|NaN/g;

/**
 * Parses JSON text as Python values. `1` and `1.0` stay distinct, and long integers keep all digits.
 * Numbers pass through JSON.parse as strings: each string is marked with `'` and each number with `#`.
 */
export function parseExact(text: string, where: string): PyValue {
  const marked = text.replace(TOKEN, (token) => (token.startsWith('"') ? `"'${token.slice(1)}` : `"#${token}"`));
  return pyValueOf(parseJson(marked, where));
}

function pyValueOf(value: unknown): PyValue {
  if (value === null) return { t: "none" };
  if (typeof value === "boolean") return { t: "bool", v: value };
  if (Array.isArray(value)) return { t: "list", v: value.map(pyValueOf) };
  if (typeof value === "object") {
    const entries = Object.entries(value).map(([k, v]) => [{ t: "str", v: k.slice(1) }, pyValueOf(v)] as const);
    return { t: "dict", v: entries };
  }
  const marked = value as string;
  const text = marked.slice(1);
  if (marked.startsWith("'")) return { t: "str", v: text };
  return /^-?\d+$/.test(text) ? { t: "int", v: BigInt(text) } : { t: "float", v: Number(text) };
}

/** A field of a dict with text keys; null if there is none. */
export function fieldOf(row: PyValue, name: string): PyValue | null {
  if (row.t !== "dict") return null;
  return row.v.find(([key]) => key.t === "str" && key.v === name)?.[1] ?? null;
}
