/**
 * Takes an argument list apart and puts it together again. Arguments that are not literals (`lambda x: x`, `Node(1)`,
 * `*rest`) keep their source and have no value; they are passed on unchanged.
 */
import { CodescoreError } from "../errors.ts";
import { parseLiteral, printLiteral } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";

export interface Slot {
  /** The name of a keyword argument; null for a positional one. */
  readonly name: string | null;
  /** Null if the source is not a literal. */
  readonly value: PyValue | null;
  readonly source: string;
}

export type Call = readonly Slot[];

export function readCall(args: string): Call {
  return splitTopLevel(args).map((part) => {
    const keyword = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)\s*/u.exec(part);
    const source = part.slice(keyword?.[0].length ?? 0).trim();
    return { name: keyword?.[1] ?? null, value: literalOrNull(source), source };
  });
}

export const printCall = (call: Call): string =>
  call.map(({ name, source }) => (name === null ? source : `${name}=${source}`)).join(", ");

export const withValue = (slot: Slot, value: PyValue): Slot => ({ ...slot, value, source: printLiteral(value) });

function literalOrNull(source: string): PyValue | null {
  try {
    return parseLiteral(source);
  } catch (error) {
    if (error instanceof CodescoreError) return null;
    throw error;
  }
}

/** An unterminated string extends to the end of the text, so that a text is scanned only once. */
const piece =
  /(?:[rRbBuUfF]{0,2})('''|"""|'|")(?:\\[\s\S]|(?!\1)[^\\])*(?:\1|\\?$)|#[^\n]*|\blambda\b|[\p{L}\p{N}_]+|[[\](){},:]|[\s\S]/uy;

/** Splits at the commas outside of brackets, strings and the parameters of a lambda. Removes comments. */
export function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  let depth = 0;
  let lambdas = 0;
  piece.lastIndex = 0;
  for (let found = piece.exec(text); found !== null; found = piece.exec(text)) {
    const token = found[0];
    if (token.startsWith("#")) continue;
    if (/^[[({]$/.test(token)) depth += 1;
    else if (/^[\])}]$/.test(token)) depth -= 1;
    else if (depth === 0 && token === "lambda") lambdas += 1;
    else if (depth === 0 && token === ":" && lambdas > 0) lambdas -= 1;
    if (token === "," && depth === 0 && lambdas === 0) {
      parts.push(part);
      part = "";
    } else part += token;
  }
  if (part.trim() !== "") parts.push(part);
  return parts;
}
