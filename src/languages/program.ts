/**
 * The program in a text that is given as one. Python is handed on as it is, broken Python too: that a program does not parse is
 * what a metric has to see. An answer in Markdown gives the program in its fence; a program of another language is refused.
 */

import { remember } from "../util/remember.ts";
import { detectLanguage } from "./detect.ts";
import { foreignTag, pythonParts, readFences } from "./fences.ts";
import { loadParser, type Parse, parts } from "./python/syntax/walk.ts";
import { SUPPORTED } from "./registry.ts";

/** What there may be to say of a text that is scored. */
export const NOTES = { fenced: "taken out of a Markdown fence", prose: "no program, only prose" } as const;

export type ReadProgram =
  | { readonly program: string; readonly parses: boolean; readonly note?: (typeof NOTES)[keyof typeof NOTES] }
  /** Why it is no program of ours, e.g. `looks like Java`. */
  | { readonly foreign: string };

/** At once for what parses as Python, which is nearly all: the rest needs other grammars. */
export type ProgramReader = (text: string) => ReadProgram | Promise<ReadProgram>;

/** Characters of texts that are remembered together: references repeat for every candidate of a problem. */
const REMEMBERED = 2 ** 20;

let loading: Promise<ProgramReader> | undefined;

/** Throws `CodescoreError("environment")` where the grammar cannot be loaded. */
export async function loadProgramReader(): Promise<ProgramReader> {
  loading ??= loadParser().then((parse) =>
    remember(
      (text) => (parse(text.toWellFormed()).broken ? readOther(parse, text) : { program: text, parses: true }),
      REMEMBERED,
    ),
  );
  return loading;
}

/** For errors: what could be given instead. */
export const READS = `codescore reads ${SUPPORTED.name} only`;

async function readOther(parse: Parse, given: string): Promise<ReadProgram> {
  const text = given.replace(/\r\n?/g, "\n");
  const fenced = outOfFences(parse, text);
  if (fenced !== null) return fenced;
  const language = await detectLanguage(text);
  if (language !== null) return { foreign: `looks like ${language.name}` };
  return { program: given, parses: false, ...(isProse(text) && { note: NOTES.prose }) };
}

/** Blocks of an answer that are looked at; each may be parsed, once more with what stands before it. */
const MOST_BLOCKS = 20;

/** The program that stands in fences; null where none does that can be told from the text around it. */
function outOfFences(parse: Parse, text: string): ReadProgram | Promise<ReadProgram> | null {
  const { blocks: all, before, outside } = readFences(text);
  if (all.length === 0) return null;
  const blocks = all.slice(0, MOST_BLOCKS);
  const parts = pythonParts(blocks);
  const tag = parts.length === 0 ? foreignTag(blocks) : null;
  if (tag !== null) return { foreign: `is in a fence marked as ${tag.name}` };
  const parsing = parts.filter((part) => does(parse, part));
  const begun = definitions(outside);
  const wanted = [...begun, ...parts.flatMap(definitions)];
  const whole = (part: string): boolean => {
    const defined = new Set(definitions(part));
    return wanted.every((name) => defined.has(name));
  };
  const found = parsing.find(whole);
  if (found !== undefined) return { program: withImports(parse, before, found), parses: true, note: NOTES.fenced };
  // What begins outside, as a prompt does, goes on in the block.
  const joined = parts.map((part) => `${before}\n${part}`).find((both) => begun.length > 0 && does(parse, both));
  if (joined !== undefined) return { program: joined, parses: true, note: NOTES.fenced };
  const [first] = parts;
  if (first === undefined || begun.length > 0) return null;
  return detectLanguage(first).then((language) => {
    if (language !== null) return { foreign: `looks like ${language.name}` };
    // Broken inside of its fence; one that has no beginning may as well be a line of a text that lacks its end.
    const isProgram = definitions(first).length > 0 && !text.startsWith(first);
    return isProgram ? { program: first, parses: false, note: NOTES.fenced } : { program: text, parses: false };
  });
}

const definitions = (text: string): string[] =>
  [...text.matchAll(/^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)/gm)].map((match) => match[1]!);

/** Whether it parses, and does more than to name a value: a word of prose parses as well. */
function does(parse: Parse, code: string): boolean {
  const { broken, root } = parse(code.toWellFormed());
  const statements = parts(root);
  return (
    !broken && statements.some(({ type, children }) => type !== "expression_statement" || children[0]?.type === "call")
  );
}

/** A block that repeats a function of the prompt relies on the imports above it. */
function withImports(parse: Parse, before: string, program: string): string {
  const imports = before.match(/^(?:from [\w.]+ import [^\n]+|import [\w., ]+)$/gm) ?? [];
  const missing = imports.filter((line) => !program.includes(line) && !parse(line).broken);
  return missing.length === 0 ? program : `${missing.join("\n")}\n${program}`;
}

/** A line as programs have it: of Python, or of broken Python. */
const CODE =
  /^[ \t]*(?:(?:async )?def \w|class \w+[(:]|import \w+|from [\w.]+ import|return\b|(?:if|elif|else|for|while|try|with)\b[^\n]*:|print\b|@\w|>>>|[\w.[\]]+[ \t]*[-+*/%]?=|[\w.]+\()/m;

/** Words in a row; letters of scripts that do without spaces. */
const WORDS = /(?:[\p{L}'’-]{1,30},? ){3}[\p{L}'’-]{1,30}|\p{Lo}{6}/u;

/** Whether a text that does not parse has words and no line of code. */
export const isProse = (text: string): boolean =>
  !CODE.test(text.slice(0, 20_000)) && WORDS.test(text.slice(0, 20_000));
