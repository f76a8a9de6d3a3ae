/** Prints numbers, strings and constants, with the nodes that the grammar has for them. */
import type { Output } from "./printed.ts";

const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "none"],
  ["...", "ellipsis"],
]);

const INTEGER = /^(?:\d+|0x[\da-f]+|0b[01]+|0o[0-7]+)$/;
const FLOAT = /^\d+\.\d+(?:e[+-]?\d+)?$|^\d+e[+-]?\d+$/;
/** A string as `repr` writes it. */
const STRING = /^(b?)(['"])([\s\S]*)\2$/;
const ESCAPE = /\\(?:x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8}|[nrt\\'"])/g;

export function printText(out: Output, text: string, field: string | null): void {
  const constant = CONSTANTS.get(text);
  if (constant !== undefined) out.leaf(constant, text, field);
  else if (INTEGER.test(text)) out.leaf("integer", text, field);
  else if (FLOAT.test(text)) out.leaf("float", text, field);
  else printString(out, text, field);
}

function printString(out: Output, text: string, field: string | null): void {
  const [, prefix, quote, inside] = STRING.exec(text) ?? [];
  if (quote === undefined || inside === undefined || !isOne(inside, quote)) {
    out.ask();
    out.leaf("string", text, field);
    return;
  }
  out.open("string", field);
  out.leaf("string_start", `${prefix}${quote}`);
  if (inside !== "") {
    out.open("string_content");
    let at = 0;
    for (const { 0: sequence, index } of inside.includes("\\") ? inside.matchAll(ESCAPE) : []) {
      out.plain(inside.slice(at, index));
      out.leaf("escape_sequence", sequence);
      at = index + sequence.length;
    }
    out.plain(inside.slice(at));
    out.close();
  }
  out.leaf("string_end", quote);
  out.close();
}

/** Whether the text is a single string: it has no line break, and no quote or backslash outside escapes. */
const isOne = (inside: string, quote: string): boolean => {
  const rest = inside.includes("\\") ? inside.replace(ESCAPE, "") : inside;
  return !rest.includes(quote) && !rest.includes("\\") && !rest.includes("\n") && !rest.includes("\r");
};
