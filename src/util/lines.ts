/**
 * Lines of text files, gzipped or not, streamed. Not by Node's readline: it also breaks at U+2028 and U+2029, which stand
 * as they are in JSON strings.
 */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** The bytes of a file, unpacked when it ends in `.gz`; `-` is standard input. */
export function openBytes(path: string): Readable {
  if (path === "-") return process.stdin;
  const raw = createReadStream(path);
  if (!path.endsWith(".gz")) return raw;
  const bytes = createGunzip();
  raw.on("error", (error) => bytes.destroy(error));
  return raw.pipe(bytes);
}

/** The lines of a UTF-8 file without their `\n` or `\r\n`. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let begun: string[] = []; // pieces of a line that spans chunks: joined once, a line may be megabytes long
  for await (const chunk of openBytes(path)) {
    const pieces = decoder.decode(chunk as Uint8Array, { stream: true }).split("\n");
    begun.push(pieces.shift()!);
    for (const piece of pieces) {
      yield withoutReturn(begun.join(""));
      begun = [piece];
    }
  }
  const last = begun.join("") + decoder.decode();
  if (last !== "") yield withoutReturn(last);
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
