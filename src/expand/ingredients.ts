/**
 * Values worth reusing: parts of the given inputs, and constants of the references with their neighbours, because
 * a program's behaviour changes at the numbers it compares with (EvalPlus, Liu et al. 2023: ingredients).
 */

import { parseLiteral, printLiteral } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";

export type Ingredients = ReadonlyMap<PyValue["t"], readonly PyValue[]>;

/** Maximum characters of a constant: longer strings of a program are messages, not data. */
const longestConstant = 24;
const mostOfAKind = 200;

export function collectIngredients(given: readonly PyValue[], sources: readonly string[]): Ingredients {
  const out = new Map<PyValue["t"], Map<string, PyValue>>();
  const add = (value: PyValue): void => {
    const kind = out.get(value.t) ?? new Map<string, PyValue>();
    if (kind.size < mostOfAKind) out.set(value.t, kind.set(printLiteral(value), value));
  };
  const visit = (value: PyValue): void => {
    add(value);
    if (value.t === "dict") value.v.flat().forEach(visit);
    else if ("v" in value && Array.isArray(value.v)) value.v.forEach(visit);
  };
  given.forEach(visit);
  for (const value of sources.flatMap(constantsIn)) {
    add(value);
    if (value.t !== "int") continue;
    add({ t: "int", v: value.v - 1n });
    add({ t: "int", v: value.v + 1n });
  }
  return new Map([...out].map(([t, kind]) => [t, [...kind.values()]]));
}

/** An unterminated string extends to the end of its line, so that a line is scanned only once. */
const token =
  /(?<doc>[rRuU]?(?:'''[\s\S]*?'''|"""[\s\S]*?"""))|#[^\n]*|(?<str>\b[rRbBuU]{0,2}(?:'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|['"](?:\\.|[^'"\\\n])*['"])|[\p{L}_][\p{L}\p{N}_]*|(?<num>0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|['"](?:\\.|[^\\\n])*/gu;

/** A text without letters: punctuation and digits, as in `"([{"`. */
const MARKS = /^[^\p{L}\s]{2,10}$/u;
/** A program with more of them handles texts of any kind. */
const MOST_LETTERS = 20;

/**
 * The characters that programs look for in texts: constants of one character, and constants of punctuation and digits alone. `"ACGT"` of
 * a gene, `"()[]{}"`, `"IVX"`. Empty for fewer than two or more than `MOST_LETTERS`.
 */
export function lettersOf(sources: readonly string[]): readonly string[] {
  const texts = sources.flatMap(constantsIn).flatMap((value) => (value.t === "str" ? [value.v] : []));
  const letters = new Set(texts.flatMap((text) => ([...text].length === 1 || MARKS.test(text) ? [...text] : [])));
  const found = [...letters].filter((letter) => letter.trim() !== "");
  return found.length < 2 || found.length > MOST_LETTERS ? [] : found;
}

/** The numbers and short strings of a program, without comments and triple-quoted texts. */
export function constantsIn(source: string): PyValue[] {
  const out: PyValue[] = [];
  for (const { groups } of source.matchAll(token)) {
    const text = groups?.str ?? groups?.num;
    if (text === undefined || text.length > longestConstant) continue;
    try {
      out.push(parseLiteral(text));
    } catch {
      // Not a whole literal after all (an f-string, `1.real`), so not an ingredient.
    }
  }
  return out;
}

const USES_PATTERNS = /\bre\.(?:compile|fullmatch|match|search|sub|subn|split|findall|finditer)\(/;
const IS_PATTERN = /[[\]{}()*+?\\^$|]/;

/** A program without its regular expressions, which are no data either: `'[a-z]+'` becomes `''`. */
export function withoutPatterns(source: string): string {
  if (!USES_PATTERNS.test(source)) return source;
  return source.replace(token, (found, ...more) => {
    const text = (more.at(-1) as { str?: string }).str;
    return text !== undefined && text.length > 3 && IS_PATTERN.test(text) ? "''" : found;
  });
}
