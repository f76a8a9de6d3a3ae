/**
 * Extracts the program from a text that is given as one. Python passes through unchanged, even if broken, because metrics must
 * see that a program does not parse. In a Markdown answer the program is in a fence. A program in another language is refused.
 */

import { remember } from "../util/remember.ts";
import { detectLanguage } from "./detect.ts";
import { foreignTag, pythonParts, readFences } from "./fences.ts";
import { loadParser, type Parse, parts } from "./python/syntax/walk.ts";
import { SUPPORTED } from "./registry.ts";

/** The notes that a scored text may carry. */
export const NOTES = { fenced: "taken out of a Markdown fence", prose: "no program, only prose" } as const;

export type ReadProgram =
  | { readonly program: string; readonly parses: boolean; readonly note?: (typeof NOTES)[keyof typeof NOTES] }
  /** Why the text is not a Python program, e.g. `looks like Java`. */
  | { readonly foreign: string };

/** Returns synchronously for text that parses as Python, which is nearly all. The rest needs other grammars, loaded on demand. */
export type ProgramReader = (text: string) => ReadProgram | Promise<ReadProgram>;

/** Total number of characters of the texts whose results are cached. References repeat for every candidate of a problem. */
const REMEMBERED = 2 ** 20;

let loading: Promise<ProgramReader> | undefined;

/**
 * Loads the reader, once.
 * @throws `CodescoreError("environment")` if the grammar cannot be loaded.
 */
export async function loadProgramReader(): Promise<ProgramReader> {
  loading ??= loadParser().then((parse) =>
    remember(
      (text) => (parse(text.toWellFormed()).broken ? readOther(parse, text) : { program: text, parses: true }),
      REMEMBERED,
    ),
  );
  return loading;
}

/** For error messages: which input is accepted. */
export const READS = `codescore reads ${SUPPORTED.name} only`;

async function readOther(parse: Parse, given: string): Promise<ReadProgram> {
  const text = given.replace(/\r\n?/g, "\n");
  const fenced = outOfFences(parse, text);
  if (fenced !== null) return fenced;
  const language = await detectLanguage(text);
  if (language !== null) return { foreign: `looks like ${language.name}` };
  return { program: given, parses: false, ...(isProse(text) && { note: NOTES.prose }) };
}

/** Maximum number of blocks examined per answer. Each may be parsed, and once more together with the text before it. */
const MOST_BLOCKS = 20;

/** The program in the fences; null if none can be told from the surrounding text. */
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
  // A program that starts before the fence, as in a prompt, continues in the block.
  const joined = parts.map((part) => `${before}\n${part}`).find((both) => begun.length > 0 && does(parse, both));
  if (joined !== undefined) return { program: joined, parses: true, note: NOTES.fenced };
  const [first] = parts;
  if (first === undefined || begun.length > 0) return null;
  return detectLanguage(first).then((language) => {
    if (language !== null) return { foreign: `looks like ${language.name}` };
    // The code in the fence is broken. A block at the very start of the text has no opening fence: then its fence may be a line
    // of a program that was cut off.
    const isProgram = definitions(first).length > 0 && !text.startsWith(first);
    return isProgram ? { program: first, parses: false, note: NOTES.fenced } : { program: text, parses: false };
  });
}

const definitions = (text: string): string[] =>
  [...text.matchAll(/^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)/gm)].map((match) => match[1]!);

/** Whether code parses and does more than name a value. A word of prose parses as well. */
function does(parse: Parse, code: string): boolean {
  const { broken, root } = parse(code.toWellFormed());
  const statements = parts(root);
  return (
    !broken && statements.some(({ type, children }) => type !== "expression_statement" || children[0]?.type === "call")
  );
}

/** Adds missing imports from the text before the block. A block that repeats a function of the prompt relies on the imports above it. */
function withImports(parse: Parse, before: string, program: string): string {
  const imports = before.match(/^(?:from [\w.]+ import [^\n]+|import [\w., ]+)$/gm) ?? [];
  const missing = imports.filter((line) => !program.includes(line) && !parse(line).broken);
  return missing.length === 0 ? program : `${missing.join("\n")}\n${program}`;
}

/** A line as it occurs in programs: in Python, or in broken Python. */
const CODE =
  /^[ \t]*(?:(?:async )?def \w|class \w+[(:]|import \w+|from [\w.]+ import|return\b|(?:if|elif|else|for|while|try|with)\b[^\n]*:|print\b|@\w|>>>|[\w.[\]]+[ \t]*[-+*/%]?=|[\w.]+\()/m;

/** Four words in a row, or six letters of a script without spaces between words. */
const WORDS = /(?:[\p{L}'’-]{1,30},? ){3}[\p{L}'’-]{1,30}|\p{Lo}{6}/u;

/** Whether a text that does not parse has words and no line of code. */
export const isProse = (text: string): boolean =>
  !CODE.test(text.slice(0, 20_000)) && WORDS.test(text.slice(0, 20_000));
