/**
 * Decodes UTF-8 in pieces. A byte that is not UTF-8 becomes a lone surrogate from U+DC80 to U+DCFF, as with Python's `surrogateescape`, so
 * that readers can tell which line and byte it is. U+FFFD would not tell: answers of models contain it.
 */
import { isUtf8 } from "node:buffer";

const ESCAPE = 0xdc00;

export class Utf8Decoder {
  #begun = Buffer.alloc(0);

  decode(chunk: Uint8Array): string {
    const bytes = Buffer.concat([this.#begun, chunk]);
    const end = bytes.length - unfinished(bytes);
    this.#begun = bytes.subarray(end);
    return textOf(bytes.subarray(0, end));
  }

  end(): string {
    return textOf(this.#begun);
  }
}

/** The first byte of a decoded text that was not UTF-8; null if there is none. */
export function badByte(text: string): number | null {
  if (text.isWellFormed()) return null;
  const bad = /(?<![\ud800-\udbff])[\udc80-\udcff]/.exec(text);
  return bad === null ? null : bad[0].charCodeAt(0) - ESCAPE;
}

/** What is wrong with a line that has a bad byte, and how to mend it. */
export const notUtf8 = (byte: number): string =>
  `expected text in UTF-8, got the byte 0x${byte.toString(16).toUpperCase()}; save the file as UTF-8 (iconv -f latin1 -t utf8)`;

/** The number of bytes of a character by its first byte; 0 if no character begins with it. */
const lengthOf = (first: number): number =>
  first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;

/** The number of bytes at the end that begin a character whose other bytes are still to come. */
function unfinished(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count]!;
    if ((byte & 0xc0) !== 0x80) return lengthOf(byte) > count ? count : 0;
  }
  return 0;
}

function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOf(bytes[at]!);
    const one = bytes.subarray(at, at + length);
    const isGood = length > 0 && one.length === length && isUtf8(one);
    texts.push(isGood ? one.toString("utf8") : String.fromCharCode(ESCAPE + bytes[at]!));
    at += isGood ? length : 1;
  }
  return texts.join("");
}
