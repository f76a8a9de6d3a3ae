/**
 * What the readers must see in Python source, by pattern: docstrings, top-level functions, calls. Good enough for the
 * shapes that data sets have; nothing here judges a candidate.
 */
import escapeRegExp from "escape-string-regexp";

/** Names of the functions defined at the top level, in order. */
export const definedFunctions = (code: string): string[] =>
  [...code.matchAll(/^(?:async[ \t]+)?def[ \t]+(\w+)/gm)].map((match) => match[1] as string);

/** True when every statement of the source is an import. */
export const onlyImports = (code: string): boolean =>
  code.split("\n").every((line) => /^\s*(?:#.*)?$|^(?:import|from)\s/.test(line));

/** Newlines as Python counts them. */
export const unixNewlines = (code: string): string => code.replace(/\r\n?/g, "\n");

/**
 * The function that tests are about: the one they call most often among those that the reference defines (MBPP names it
 * nowhere, and its reference may begin with helpers). Null when they call none of them.
 */
export function calledFunction(tests: readonly string[], reference: string): string | null {
  const calls = new Map(definedFunctions(reference).map((name) => [name, 0]));
  for (const test of tests) {
    for (const [, name] of test.matchAll(/(?<![\w.])(\w+)\s*\(/g)) {
      const seen = calls.get(name as string);
      if (seen !== undefined) calls.set(name as string, seen + 1);
    }
  }
  let best: string | null = null;
  for (const [name, count] of calls) if (count > 0 && count > (calls.get(best ?? "") ?? 0)) best = name;
  return best;
}

/** So many times the source is gone through in search of where its calls end; those that are nested thousands deep would take it squared. */
const MOST_READING = 50;

/** The source between the parentheses of every call of a function, in order; calls that do not end are left out. */
export function callsOf(code: string, name: string): string[] {
  const calls: string[] = [];
  let left = MOST_READING * code.length;
  for (const match of code.matchAll(new RegExp(`(?<![\\w.])${escapeRegExp(name)}\\s*\\(`, "g"))) {
    const start = match.index + match[0].length;
    const end = closingBracket(code, start);
    if (end !== null) calls.push(code.slice(start, end));
    left -= (end ?? code.length) - start;
    if (left < 0) break;
  }
  return calls;
}

/** Where the bracket that is open at `start` closes, strings and comments skipped; null when it does not. */
export function closingBracket(code: string, start: number): number | null {
  let depth = 1;
  const signs = /#[^\n]*|("""|'''|["'])|[([{]|[)\]}]/g;
  signs.lastIndex = start;
  for (let match = signs.exec(code); match !== null; match = signs.exec(code)) {
    const [sign, quote] = match;
    if (quote !== undefined) signs.lastIndex = stringEnd(code, signs.lastIndex, quote) + quote.length;
    else if (/[([{]/.test(sign[0] as string)) depth += 1;
    else if (!sign.startsWith("#")) {
      depth -= 1;
      if (depth === 0) return match.index;
    }
  }
  return null;
}

/** Source divided at the commas that stand in no bracket and no string. */
export function atCommas(code: string): string[] {
  const parts: string[] = [];
  let from = 0;
  const signs = /("""|'''|["'])|[([{]|,/g;
  for (let match = signs.exec(code); match !== null; match = signs.exec(code)) {
    const [sign, quote] = match;
    if (quote !== undefined) signs.lastIndex = stringEnd(code, signs.lastIndex, quote) + quote.length;
    else if (sign === ",") {
      parts.push(code.slice(from, match.index));
      from = match.index + 1;
    } else signs.lastIndex = (closingBracket(code, signs.lastIndex) ?? code.length - 1) + 1;
  }
  parts.push(code.slice(from));
  return parts;
}

/** The spaces before the first line that holds something. */
export const indentOf = (code: string): number => /^(?:[ \t]*\n)*([ \t]*)/.exec(code)?.[1]?.length ?? 0;

/**
 * The statements that are indented so far, each with all that belongs to it (its body, its decorators, the comments
 * before it). A line inside of brackets or of a string begins nothing.
 */
export function blocks(code: string, indent: number): string[] {
  const starts: number[] = [];
  let open = false; // decorators and comments belong to what follows
  for (const start of logicalLines(code)) {
    const text = code.slice(start, code.indexOf("\n", start) < 0 ? code.length : code.indexOf("\n", start));
    if (text.trim() === "" || text.length - text.trimStart().length !== indent) continue;
    if (/^\s*(?:else|elif|except|finally)\b/.test(text)) continue;
    if (!open) starts.push(start);
    open = /^\s*[@#]/.test(text);
  }
  return starts.map((start, i) => code.slice(start, starts[i + 1] ?? code.length));
}

/** Where the lines begin that continue none before. */
function logicalLines(code: string): number[] {
  const starts = [0];
  const signs = /#[^\n]*|("""|'''|["'])|[([{]|\\\n|\n/g;
  for (let match = signs.exec(code); match !== null; match = signs.exec(code)) {
    const [sign, quote] = match;
    if (quote !== undefined) signs.lastIndex = stringEnd(code, signs.lastIndex, quote) + quote.length;
    else if (/^[([{]/.test(sign)) signs.lastIndex = (closingBracket(code, signs.lastIndex) ?? code.length - 1) + 1;
    else if (sign === "\n") starts.push(signs.lastIndex);
  }
  return starts;
}

/** The docstring of a function, else of the module, dedented as `inspect.cleandoc` does; null when there is none. */
export function docstring(code: string, functionName: string | null): string | null {
  const from =
    functionName === null
      ? -1
      : code.search(new RegExp(`^[ \\t]*(?:async )?def\\s+${escapeRegExp(functionName)}\\b`, "m"));
  const inFunction = from < 0 ? null : /:[ \t]*(?:#[^\n]*)?\n\s*[rRuU]?("""|'''|"|')/.exec(code.slice(from));
  if (inFunction !== null)
    return stringAt(code, from + inFunction.index + inFunction[0].length, inFunction[1] as string);
  const ofModule = /^\s*[rRuU]?("""|''')/.exec(code);
  return ofModule === null ? null : stringAt(code, ofModule[0].length, ofModule[1] as string);
}

const stringAt = (code: string, start: number, quote: string): string =>
  cleandoc(code.slice(start, stringEnd(code, start, quote)));

/** Where the quotes that close a string stand, or the end of the source. */
function stringEnd(code: string, start: number, quote: string): number {
  let end = start;
  while (end < code.length && !code.startsWith(quote, end)) end += code[end] === "\\" ? 2 : 1;
  return end;
}

/** The common indentation of all lines but the first, and blank lines at both ends, removed. */
function cleandoc(text: string): string {
  const lines = text.replaceAll("\t", "        ").split("\n");
  const rest = lines.slice(1).filter((line) => line.trim() !== "");
  const margin = Math.min(...rest.map((line) => line.length - line.trimStart().length));
  const dedented = lines.map((line, i) => (i === 0 ? line.trimStart() : line.slice(margin)).trimEnd());
  const isText = (line: string): boolean => line !== "";
  return dedented.slice(dedented.findIndex(isText), dedented.findLastIndex(isText) + 1).join("\n");
}
