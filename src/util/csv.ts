/**
 * Streams rows of CSV files (RFC 4180) with a line of column names, gzipped or not. Cells may also be separated by semicolons, as
 * Excel writes them in Europe, or by tabs. Empty cells are null. Errors name the file and the line.
 */
import { once } from "node:events";
import { Readable } from "node:stream";
import { CodescoreError, messageOf } from "../errors.ts";
import { unreadable } from "./file-errors.ts";
import type { JsonLine } from "./jsonl.ts";
import { openBytes } from "./lines.ts";
import { badByte, notUtf8, Utf8Decoder } from "./utf8.ts";

export const isCsv = (path: string): boolean => /\.csv(\.gz)?$/.test(path);

/** Characters of the parser's message. */
const MOST_SHOWN = 160;

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * The rows in order. A row with the wrong number of cells yields an error instead. Throws `CodescoreError("usage")` for a missing
 * file, and `CodescoreError("input")` for a file that cannot be read, repeated column names, and quotes that do not match.
 */
export async function* readCsv(path: string): AsyncGenerator<JsonLine | CodescoreError> {
  const { parse } = await import("csv-parse");
  const bytes = openBytes(path);
  let columns: readonly string[] | null = null;
  let twice = 0; // CRLFs inside cells so far: the parser counts each as two lines
  try {
    const delimiter = await delimiterOf(bytes);
    const parser = parse({ delimiter, bom: true, info: true, relax_column_count: true, skip_empty_lines: true });
    const checked = Readable.from(checkUtf8(bytes, path));
    checked.on("error", (error) => parser.destroy(error));
    checked.pipe(parser);
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const breaks = record.join(",").match(/\r\n|\r|\n/g) ?? [];
      twice += breaks.filter((one) => one === "\r\n").length;
      const where = `${path}:${info.lines - twice - breaks.length}`;
      if (columns === null) columns = checkColumns(record, where);
      else if (record.length === columns.length) {
        yield { value: Object.fromEntries(columns.map((name, i) => [name, record[i] || null])), where };
      } else {
        const cells = `${columns.length} cells (${columns.join(", ")})`;
        yield new CodescoreError("input", `${where}: expected ${cells}, got ${record.length}`);
      }
    }
  } catch (error) {
    if (error instanceof CodescoreError) throw error;
    const { lines } = error as { lines?: number };
    if (lines === undefined) throw unreadable(path, error);
    const what = `${path}:${lines - twice}: this is not CSV`;
    const why = messageOf(error); // the parser shows a whole cell, which in a binary file is long
    const shown = why.length > MOST_SHOWN ? `${why.slice(0, MOST_SHOWN)}...` : why;
    throw new CodescoreError("input", `${what}: ${shown}`, { cause: error });
  } finally {
    bytes.destroy();
  }
}

/** The bytes as they are. Throws `CodescoreError("input")` that names the line of one that is not UTF-8. */
async function* checkUtf8(bytes: Readable, path: string): AsyncGenerator<Uint8Array> {
  const decoder = new Utf8Decoder();
  let line = 1;
  const check = (text: string): void => {
    const byte = badByte(text);
    for (const [i, piece] of byte === null ? [] : text.split("\n").entries())
      if (badByte(piece) !== null)
        throw new CodescoreError("input", `${path}:${line + i}: ${notUtf8(badByte(piece)!)}`);
    line += text.split("\n").length - 1;
  };
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
    check(decoder.decode(chunk));
    yield chunk;
  }
  check(decoder.end());
}

/**
 * The separator of the column names: semicolon or tab if there is no comma. The parser's `delimiter_auto` cannot be used, because it
 * rejects quoted cells.
 */
async function delimiterOf(bytes: Readable): Promise<string> {
  await once(bytes, "readable");
  const chunk = bytes.read() as Buffer | null;
  if (chunk === null) return ",";
  bytes.unshift(chunk);
  const names = chunk
    .toString("latin1")
    .trimStart()
    .split(/[\r\n]/, 1)[0]!;
  return [",", ";", "\t"].find((one) => names.includes(one)) ?? ",";
}

function checkColumns(record: readonly string[], where: string): readonly string[] {
  const names = record.map((name) => name.trim());
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return names;
  throw new CodescoreError("input", `${where}: expected unique column names, got \`${twice}\` twice`);
}
