/**
 * Streams JSON lines, gzipped or not; `-` is standard input. Errors name the file and the line. Files that end in `.parquet`
 * are read as Parquet, so every command that accepts JSON lines accepts Parquet too.
 */
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, type Gzip } from "node:zlib";
import { CodescoreError, messageOf } from "../errors.ts";
import { unreadable, whileWriting } from "./file-errors.ts";
import { outputTarget } from "./files.ts";
import { ArraySplitter } from "./json-array.ts";
import { readLines } from "./lines.ts";
import { isParquet, readParquet } from "./parquet.ts";
import { writeDirect } from "./pipes.ts";
import { badByte, notUtf8 } from "./utf8.ts";

export interface JsonLine {
  readonly value: Record<string, unknown>;
  /** `file:line` (in Parquet `file, row N`), for messages. */
  readonly where: string;
}

/**
 * The objects of a JSON-lines file (or the rows of a Parquet file), in order. Blank lines are skipped.
 * Throws `CodescoreError("usage")` for a missing file, "input" for a line that is not JSON, or one that is not an object.
 */
export async function* readJsonLines(path: string): AsyncGenerator<JsonLine> {
  if (isParquet(path)) return yield* readParquet(path);
  for await (const line of tryJsonLines(path)) {
    if (line instanceof CodescoreError) throw line;
    yield line;
  }
}

/** The first bytes of binary formats that users may give instead of JSON lines. */
const BINARY = [
  { begins: "ARROW1", what: "an Arrow" },
  { begins: "PAR1", what: "a Parquet" },
] as const;

/** Only in such a file is a list in the first line the begin of an array of rows. Elsewhere it is a bad row. */
const ARRAY_FILE = /\.json(?:\.gz)?$/;

/** As `readJsonLines`, but a line that is not a JSON object yields an error instead. A file `.json` may also be one array of objects. */
export async function* tryJsonLines(path: string): AsyncGenerator<JsonLine | CodescoreError> {
  const name = path === "-" ? "stdin" : path;
  let number = 0;
  let array: ArraySplitter | null = null;
  let isFirst = true;
  try {
    for await (const line of readLines(path)) {
      number += 1;
      const text = number === 1 ? line.replace(/^\uFEFF/, "") : line;
      if (array === null && text.trim() === "") continue;
      if (isFirst && ARRAY_FILE.test(name) && text.trimStart().startsWith("[")) array = new ArraySplitter(name);
      isFirst = false;
      if (array !== null) {
        for (const item of array.add(text, number)) yield lineOf(item.text, item.where);
        continue;
      }
      const where = `${name}:${number}`;
      const binary = number === 1 ? BINARY.find(({ begins }) => text.startsWith(begins)) : undefined;
      if (binary !== undefined) {
        const remedy = "`codescore datasets export FILE --output OUT.jsonl` turns labelled sets into them";
        throw new CodescoreError("input", `${name}: expected JSON lines, got ${binary.what} file; ${remedy}`);
      }
      yield lineOf(text, where);
    }
    array?.end(number);
  } catch (error) {
    if (error instanceof CodescoreError) throw error;
    throw unreadable(name, error);
  }
}

function lineOf(text: string, where: string): JsonLine | CodescoreError {
  const value = parseLine(text, where);
  return value instanceof CodescoreError ? value : { value, where };
}

/** Why `JSON.parse` failed, without the text, which V8 repeats after `, "` or `, ..."`. */
export const whyNotJson = (error: unknown): string => messageOf(error).split(/, (?:\.\.\.)?"/, 1)[0]!;

/** The object in a line, or the error. */
export function parseLine(text: string, where: string): Record<string, unknown> | CodescoreError {
  const byte = badByte(text);
  if (byte !== null) return new CodescoreError("input", `${where}: ${notUtf8(byte)}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = `expected one JSON object a line, got ${show(text)} (${whyNotJson(error)})`;
    return new CodescoreError("input", `${where}: ${why}`, { cause: error });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const isRows = Array.isArray(value) && typeof value[0] === "object" && value[0] !== null;
    const mend = isRows ? "; write one object a line, or the array into a file ending in .json" : "";
    return new CodescoreError("input", `${where}: expected a JSON object, got ${show(text)}${mend}`);
  }
  return value as Record<string, unknown>;
}

const show = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}...` : text);

/** A required string field. Throws `CodescoreError("input")` that names the place and the fields found. */
export function stringField({ value, where }: JsonLine, ...names: string[]): string {
  const found = optionalString({ value, where }, ...names);
  if (found !== null) return found;
  const keys = Object.keys(value).slice(0, 12).join(", ") || "none";
  throw new CodescoreError(
    "input",
    `${where}: expected a string field \`${names.join("` or `")}\`; fields here: ${keys}`,
  );
}

/** The first of the named fields that exists and is not null; null if none. A value other than a string is an error. */
export function optionalString({ value, where }: JsonLine, ...names: string[]): string | null {
  for (const name of names) {
    const field = value[name];
    if (field === undefined || field === null) continue;
    if (typeof field === "string") return field;
    throw new CodescoreError("input", `${where}: expected \`${name}\` to be a string, got ${typeof field}`);
  }
  return null;
}

/** Writes rows as JSON lines, like `writeText`. */
export async function writeJsonLines(path: string, rows: AsyncIterable<object> | Iterable<object>): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for await (const row of rows) yield `${JSON.stringify(row)}\n`;
  }
  return writeText(path, lines());
}

/**
 * Writes text: to stdout for `-`, otherwise the whole file or nothing. Gzipped if the name ends in `.gz`. An error of `pieces` is
 * thrown unchanged: it is not about `path`.
 */
export async function writeText(path: string, pieces: AsyncIterable<string>): Promise<void> {
  let cause: { readonly error: unknown } | undefined;
  async function* watched(): AsyncGenerator<string> {
    try {
      yield* pieces;
    } catch (error) {
      cause = { error };
      throw error;
    }
  }
  try {
    await writePieces(path, watched());
  } catch (error) {
    throw cause === undefined ? error : cause.error;
  }
}

async function writePieces(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const target = path === "-" ? { path: "/dev/stdout", direct: true } : await outputTarget(path);
  const bytes = path.endsWith(".gz") ? compose(Readable.from(pieces), createGzip()) : Readable.from(pieces);
  if (target.direct) return whileWriting(path === "-" ? "stdout" : path, () => writeDirect(target.path, bytes));
  const temporary = `${target.path}.${process.pid}.part`;
  try {
    await whileWriting(path, async () => {
      await pipeline(bytes, createWriteStream(temporary));
      await rename(temporary, target.path);
    });
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Like `pipe`, but an error of `from` also destroys `through`. */
function compose(from: Readable, through: Gzip): Readable {
  from.on("error", (error) => through.destroy(error));
  return from.pipe(through);
}
