/** Reads one Python string literal: its quotes and escapes (Python Language Reference, 2.4.1). */

type StringRead =
  | { readonly value: string; readonly end: number }
  /** What was expected at offset `at`. */
  | { readonly expected: string; readonly at: number };

const simpleEscapes: Record<string, string> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Reads the literal whose opening quote is at `start`. In a bytes literal each character of the value is one byte. */
export function readString(text: string, start: number, kind: { raw: boolean; bytes: boolean }): StringRead {
  const mark = text[start] as string;
  const quote = text.startsWith(mark.repeat(3), start) ? mark.repeat(3) : mark;
  let value = "";
  let at = start + quote.length;
  while (!text.startsWith(quote, at)) {
    const c = text[at];
    if (c === undefined || (c === "\n" && quote.length === 1)) {
      return { expected: "a string with its closing quote", at: start };
    }
    if (kind.bytes && c > "\x7f") return { expected: "ASCII in a bytes literal", at };
    if (c !== "\\") {
      value += c;
      at += 1;
    } else if (kind.raw) {
      value += text.slice(at, at + 2);
      at += 2;
    } else {
      const read = readEscape(text.slice(at + 1, at + 10), kind.bytes);
      if (read === null) return { expected: "a whole escape (\\xhh, \\uhhhh, \\Uhhhhhhhh)", at };
      value += read.value;
      at += 1 + read.length;
    }
  }
  return { value, end: at + quote.length };
}

/** What an escape stands for, and its length after the backslash; null for an incomplete or invalid one. */
function readEscape(rest: string, bytes: boolean): { value: string; length: number } | null {
  const c = rest[0] ?? "";
  const simple = simpleEscapes[c];
  if (simple !== undefined) return { value: simple, length: 1 };
  const octal = /^[0-7]{1,3}/.exec(rest)?.[0];
  if (octal) {
    const code = Number.parseInt(octal, 8);
    return { value: String.fromCodePoint(bytes ? code & 0xff : code), length: octal.length };
  }
  if (c !== "x" && (bytes || !/[uUN]/.test(c))) return { value: "\\", length: 0 }; // an unknown escape keeps its backslash
  const hex = (bytes ? /^x[0-9a-fA-F]{2}/ : /^(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/).exec(rest)?.[0];
  const point = Number.parseInt(hex?.slice(1) ?? "", 16);
  return hex && point <= 0x10ffff ? { value: String.fromCodePoint(point), length: hex.length } : null;
}
