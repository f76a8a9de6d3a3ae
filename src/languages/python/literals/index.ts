/**
 * Python literals, read and written without running Python: what `ast.literal_eval` takes, and beside it `set()`,
 * `set([...])`, `frozenset(...)`, `float('inf')` and `complex(re, im)`, which values without a literal need.
 * Not here: expressions (`2 ** 31`, `[0] * 9`), names, f-strings and `\N{...}` escapes; each is an error.
 * Two surrogates side by side are one character, as JavaScript has it.
 * Source: the Python Language Reference, 2.4 (literals) and 6.2 (displays).
 */
import { CodescoreError } from "../../../errors.ts";
import type { PyValue } from "../../../types.ts";
import { LiteralParser, type PyArguments } from "./read.ts";

export { distinct, equalityKey, hashable } from "./equality.ts";
export { printLiteral, showLiteral } from "./print.ts";
export type { PyArguments } from "./read.ts";

/** The value of one literal, e.g. `{'a': [1, -2.5]}`. Throws `CodescoreError("input")` with the position. */
export function parseLiteral(text: string): PyValue {
  return new LiteralParser(text).whole((parser) => parser.value(), 0);
}

/** The literal that a text begins with, and where it ends; null where it begins with none. */
export function literalPrefix(text: string): { readonly value: PyValue; readonly end: number } | null {
  try {
    const { found, end } = new LiteralParser(text).first((parser) => parser.value());
    return { value: found, end };
  } catch (error) {
    if (error instanceof CodescoreError) return null;
    throw error;
  }
}

/** The values of an argument list, e.g. `[1, 2], k=3`. Throws `CodescoreError("input")` with the position. */
export function parseArguments(text: string): PyArguments {
  return new LiteralParser(text).whole((parser) => parser.arguments(), 1);
}
