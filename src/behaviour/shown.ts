/** Reads Python values as descriptions write them: with typographic quotes, in JSON's spelling, before a full stop. */
import { CodescoreError } from "../errors.ts";
import { literalPrefix, parseArguments, parseLiteral, printLiteral } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";

/** Replaces typographic quotes, minus signs and spaces by those of source code. */
export const asSource = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[“”„‟]/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[−–‒](?=[\d.])/g, "-")
    .replace(/[\u00a0\u2007\u2009\u202f]/g, " ");

const JSON_WORDS: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
const STRING_OR_WORD = /"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|\b(?:true|false|null)\b/g;

/** Replaces JSON's `true`, `false` and `null` outside of strings by Python's names, which have the same lengths. */
const pythonic = (text: string): string => text.replace(STRING_OR_WORD, (found) => JSON_WORDS[found] ?? found);

/** Text that may follow an answer: the end of a line or sentence, a comment, a reason. Otherwise the literal is part of a larger expression. */
const AFTER =
  /^(?:$|[\n!?;:)\]}`'"|#—]|\.(?![\w.])|,(?![ \t]*[\d'"[({-])|\/\/|--? [a-z]|<\/?[a-z]|(?:because|since|as|and|for|while|where|but|which)\b)/i;
/** The message of an `assert`. */
const MESSAGE = /^,[ \t]*f?['"]/;

/** The literal at the beginning of a text, printed; null if there is none, or if it is part of a larger expression. */
export function answerIn(text: string): string | null {
  const source = pythonic(text);
  const found = literalPrefix(source);
  if (found === null) return null;
  const rest = source.slice(found.end);
  const own = source.slice(0, found.end);
  const bare = own.trimEnd();
  // `15.` at the end of a sentence
  if (found.value.t === "float" && bare.endsWith(".")) return printLiteral(parseLiteral(bare.slice(0, -1)));
  const isApart = bare !== own;
  if (!AFTER.test(rest) && !MESSAGE.test(rest) && !(isApart && rest.startsWith("("))) return null;
  return printLiteral(found.value);
}

export interface Arguments {
  readonly positional: readonly PyValue[];
  readonly keyword: readonly (readonly [string, PyValue])[];
}

/** Parses arguments that are literals; null if one is not a literal, or if there are none. */
export function argumentsIn(text: string): Arguments | null {
  if (isDeep(text)) return null;
  try {
    const found = parseArguments(pythonic(text.trim()));
    return found.positional.length + found.keyword.length === 0 ? null : found;
  } catch (error) {
    if (error instanceof CodescoreError) return null;
    throw error;
  }
}

/** Maximum depth of nested brackets. Mutations of deeper values take seconds. */
const DEEPEST = 20;

function isDeep(text: string): boolean {
  let depth = 0;
  for (const c of text) {
    if ("([{".includes(c)) depth += 1;
    else if (")]}".includes(c)) depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

export const printArguments = ({ positional, keyword }: Arguments): string =>
  [...positional.map(printLiteral), ...keyword.map(([key, value]) => `${key}=${printLiteral(value)}`)].join(", ");
