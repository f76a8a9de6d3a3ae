/**
 * Reads and writes Python literals without running Python. Accepts what `ast.literal_eval` accepts, and also `set()`,
 * `set([...])`, `frozenset(...)`, `float('inf')` and `complex(re, im)`, for values without a literal. Not supported, each is an
 * error: expressions (`2 ** 31`, `[0] * 9`), names, f-strings and `\N{...}` escapes. Two adjacent surrogates are one character,
 * as in JavaScript. Source: the Python Language Reference, 2.4 (literals) and 6.2 (displays).
 */
import { CodescoreError } from "../../../errors.ts";
import type { PyValue } from "../../../types.ts";
import { remember } from "../../../util/remember.ts";
import { LiteralParser, type PyArguments } from "./read.ts";

export { distinct, equalityKey, hashable, withItems } from "./equality.ts";
export { printLiteral, showLiteral } from "./print.ts";
export type { PyArguments } from "./read.ts";

/** Maximum total characters of argument lists whose values are remembered. An input is looked at in many ways. */
const REMEMBERED = 2 ** 19;

/**
 * The value of one literal, e.g. `{'a': [1, -2.5]}`.
 * @throws `CodescoreError("input")` with the position.
 */
export function parseLiteral(text: string): PyValue {
  return new LiteralParser(text).whole((parser) => parser.value(), 0);
}

/** The literal at the start of a text, and where it ends; null if there is none. */
export function literalPrefix(text: string): { readonly value: PyValue; readonly end: number } | null {
  try {
    const { found, end } = new LiteralParser(text).first((parser) => parser.value());
    return { value: found, end };
  } catch (error) {
    if (error instanceof CodescoreError) return null;
    throw error;
  }
}

/**
 * The values of an argument list, e.g. `[1, 2], k=3`.
 * @throws `CodescoreError("input")` with the position.
 */
export const parseArguments: (text: string) => PyArguments = remember(
  (text) => new LiteralParser(text).whole((parser) => parser.arguments(), 1),
  REMEMBERED,
);
