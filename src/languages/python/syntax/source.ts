/**
 * Finds docstrings, top-level functions and calls in Python source by pattern. The data set readers need them. This is good
 * enough for the shapes that data sets have. No candidate is judged with it.
 */
import escapeRegExp from "escape-string-regexp";

/** Names of the functions defined at the top level, in order. */
export const definedFunctions = (code: string): string[] =>
  [...code.matchAll(/^(?:async[ \t]+)?def[ \t]+(\w+)/gm)].map((match) => match[1] as string);

/** Whether every line of the source is blank, a comment or an import. */
export const onlyImports = (code: string): boolean =>
  code.split("\n").every((line) => /^\s*(?:#.*)?$|^(?:import|from)\s/.test(line));

/** Newlines as Python counts them. */
export const unixNewlines = (code: string): string => code.replace(/\r\n?/g, "\n");

/**
 * The function that the tests are about: of the functions that the reference defines, the one that the tests call most often.
 * (MBPP does not name it, and its references may begin with helpers.) Null if they call none of them.
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

/**
 * Finding the ends of all calls reads at most this many times the source. Otherwise calls nested thousands deep would take
 * quadratic time.
 */
const MOST_READING = 50;

/** The source between the parentheses of each call of a function, in order. Calls that are never closed are omitted. */
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

/** The offset of the bracket that closes the one open at `start`, skipping strings and comments; null if it is never closed. */
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

/** Splits source at the commas that are in no bracket and no string. */
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

/** The width of the indentation of the first line that is not blank. */
export const indentOf = (code: string): number => /^(?:[ \t]*\n)*([ \t]*)/.exec(code)?.[1]?.length ?? 0;

/**
 * The statements with this indentation, each with all that belongs to it (its body, its decorators, the comments before it). A
 * line inside brackets or a string starts no statement.
 */
export function blocks(code: string, indent: number): string[] {
  const starts: number[] = [];
  let open = false; // decorators and comments belong to the following statement
  for (const start of logicalLines(code)) {
    const text = code.slice(start, code.indexOf("\n", start) < 0 ? code.length : code.indexOf("\n", start));
    if (text.trim() === "" || text.length - text.trimStart().length !== indent) continue;
    if (/^\s*(?:else|elif|except|finally)\b/.test(text)) continue;
    if (!open) starts.push(start);
    open = /^\s*[@#]/.test(text);
  }
  return starts.map((start, i) => code.slice(start, starts[i + 1] ?? code.length));
}

/** Offsets of the lines that do not continue an earlier one. */
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

/** The docstring of the function, otherwise of the module, dedented as by `inspect.cleandoc`; null if there is none. */
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

/** The offset of the quotes that close a string, or the end of the source. */
function stringEnd(code: string, start: number, quote: string): number {
  let end = start;
  while (end < code.length && !code.startsWith(quote, end)) end += code[end] === "\\" ? 2 : 1;
  return end;
}

/** Removes the common indentation of all lines but the first, and blank lines at both ends. */
function cleandoc(text: string): string {
  const lines = text.replaceAll("\t", "        ").split("\n");
  const rest = lines.slice(1).filter((line) => line.trim() !== "");
  const margin = Math.min(...rest.map((line) => line.length - line.trimStart().length));
  const dedented = lines.map((line, i) => (i === 0 ? line.trimStart() : line.slice(margin)).trimEnd());
  const isText = (line: string): boolean => line !== "";
  return dedented.slice(dedented.findIndex(isText), dedented.findLastIndex(isText) + 1).join("\n");
}
