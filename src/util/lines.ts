/**
 * Streams the lines of text files, gzipped or not. Node's readline is not used, because it also breaks at U+2028 and U+2029,
 * which JSON strings may contain unescaped.
 */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { CodescoreError } from "../errors.ts";
import { Utf8Decoder } from "./utf8.ts";

/** Bytes that are decompressed at once. With Node's 16 KiB the trips to its thread pool take three times as long as the decompression. */
const PIECE = 1 << 18;

/** The bytes of a file, decompressed if it ends in `.gz`; `-` is standard input. */
export function openBytes(path: string): Readable {
  if (path === "-") return process.stdin;
  const raw = createReadStream(path);
  if (!path.endsWith(".gz")) return raw;
  const bytes = createGunzip({ chunkSize: PIECE });
  raw.on("error", (error) => bytes.destroy(error));
  return raw.pipe(bytes);
}

/** The lines of a file in UTF-8 (utf8.ts), or in UTF-16 with a byte order mark, without their `\n` or `\r\n`. */
export const readLines = (path: string): AsyncGenerator<string> => linesOf(openBytes(path));

/** As `readLines`, for a stream. Throws `CodescoreError("input")` for a line longer than `most` characters, before reading all of it. */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let begun: string[] = []; // pieces of a line that spans chunks; joined only once, because a line may be megabytes long
  let length = 0;
  for await (const chunk of bytes) {
    decoder ??= decoderOf(chunk);
    const pieces = decoder.decode(chunk).split("\n");
    for (const [i, piece] of pieces.entries()) {
      if (i > 0) {
        yield withoutReturn(begun.join(""));
        begun = [];
        length = 0;
      }
      begun.push(piece);
      length += piece.length;
      if (length > most) throw new CodescoreError("input", `expected a line of at most ${most} characters, got more`);
    }
  }
  const last = begun.join("") + (decoder?.end() ?? "");
  if (last !== "") yield withoutReturn(last);
}

type Decoder = Pick<Utf8Decoder, "decode" | "end">;

/** Windows' PowerShell writes UTF-16. Its byte order mark is not valid UTF-8. */
function decoderOf([a, b]: Uint8Array): Decoder {
  const encoding = a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : null;
  if (encoding === null) return new Utf8Decoder();
  const utf16 = new TextDecoder(encoding, { ignoreBOM: true });
  return { decode: (chunk) => utf16.decode(chunk, { stream: true }), end: () => utf16.decode() };
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);
