/**
 * Removes comments, docstrings and blank lines, as the CodeBLEU of CodeXGLUE does before it parses
 * (`remove_comments_and_docstrings` of codebleu 0.7.0). Python follows the lexical rules of Python 3.11's `tokenize` module, of
 * which only strings, comments and lines matter here. The other languages use one pattern for comments and strings. Source that
 * cannot be followed to its end (an open string or bracket, a dedent to no outer level) is returned unchanged. Takes linear
 * time.
 * One difference: indentation stays as it is written. In codebleu a tab becomes one space on all lines of a block but the first.
 */
import type { Language } from "../types.ts";

export function withoutComments(source: string, language: Language): string {
  const stripped = language === "python" ? withoutPythonComments(source) : withoutCComments(source);
  if (stripped === null) return source;
  return stripped
    .split("\n")
    .filter((line) => line.trim() !== "")
    .join("\n");
}

/** What comes before a string. It decides whether the string is a docstring: at the start of a block, or of a statement in it. */
type Before = "start" | "newline" | "other";

const BLANKS = /[ \f\t]*/y;
const STRING_START = /(?:[bruf]|br|rb|fr|rf)?('''|"""|'|")/iy;
const WORD = /[\p{L}\p{N}_]+/uy;
const LINE_END = /\\?\r?\n/y;

/** Null where Python's tokenizer raises. */
function withoutPythonComments(source: string): string | null {
  let out = "";
  let at = 0;
  let depth = 0;
  let before: Before = "start";
  const indents = [0];
  /** For each quote: the offset before which it is known not to be closed on its line. */
  const open = new Map<string, number>();
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) at += match[0].length;
    return match;
  };

  let startsStatement = true;
  while (at < source.length) {
    if (startsStatement) {
      startsStatement = false;
      const blanks = take(BLANKS)![0];
      if (at === source.length) break;
      if (/[#\r\n]/.test(source[at]!)) {
        at = endOfLine(source, at) + 1; // nothing but a comment
        out += "\n";
        before = "other";
        startsStatement = true;
        continue;
      }
      const column = columnAfter(blanks);
      if (column > indents.at(-1)!) {
        indents.push(column);
        before = "start";
      } else if (column < indents.at(-1)!) {
        if (!indents.includes(column)) return null;
        while (column < indents.at(-1)!) indents.pop();
        before = "other";
      }
      out += blanks;
    }
    out += take(BLANKS)![0];
    if (at === source.length) break;
    const lineEnd = take(LINE_END);
    if (lineEnd !== null) {
      if (lineEnd[0].startsWith("\\")) {
        if (at === source.length) return null;
        continue;
      }
      out += "\n";
      before = depth > 0 ? "other" : "newline";
      startsStatement = depth === 0;
      continue;
    }
    if (source[at] === "#") {
      at = endOfLine(source, at);
      before = "other";
      continue;
    }
    const start = at;
    const quote = take(STRING_START)?.[1];
    if (quote !== undefined && (open.get(quote) ?? 0) <= start) {
      const end = stringEnd(source, at, quote);
      if (end === "never") return null;
      if (end !== "not here") {
        at = end;
        const isFirst = start === 0 || source[start - 1] === "\n";
        if (before === "other" && !isFirst) out += source.slice(start, end);
        before = "other";
        continue;
      }
      open.set(quote, endOfLine(source, start));
    }
    at = start;
    const word = take(WORD)?.[0] ?? source[at++]!;
    if ("([{".includes(word)) depth += 1;
    else if (")]}".includes(word)) depth -= 1;
    out += word;
    before = "other";
  }
  return depth === 0 ? out : null;
}

/** The offset where a string ends; `never` if the source ends first, `not here` if its line does. */
function stringEnd(source: string, from: number, quote: string): number | "never" | "not here" {
  let at = from;
  let joined = false;
  while (at < source.length) {
    if (source.startsWith(quote, at)) return at + quote.length;
    if (source[at] === "\\") {
      joined ||= /^\r?\n/.test(source.slice(at + 1, at + 3));
      at += source[at + 1] === "\r" && source[at + 2] === "\n" ? 3 : 2;
    } else if (source[at] === "\n" && quote.length === 1) {
      return joined ? at : "not here";
    } else at += 1;
  }
  return quote.length === 3 || joined ? "never" : "not here";
}

const endOfLine = (source: string, from: number): number => {
  const end = source.indexOf("\n", from);
  return end === -1 ? source.length : end;
};

function columnAfter(blanks: string): number {
  let column = 0;
  for (const blank of blanks) {
    if (blank === " ") column += 1;
    else if (blank === "\t") column = (Math.floor(column / 8) + 1) * 8;
    else column = 0; // a form feed
  }
  return column;
}

const C_STRING = { "'": /'[^\\']*(?:\\[\s\S][^\\']*)*'/y, '"': /"[^\\"]*(?:\\[\s\S][^\\"]*)*"/y } as const;

/** Replaces each comment by a space. Strings are in single or double quotes and may span lines; template literals do not count. */
function withoutCComments(source: string): string {
  const lastComment = source.lastIndexOf("*/");
  const unclosed = new Set<string>();
  let out = "";
  let from = 0;
  let at = 0;
  while (at < source.length) {
    const [sign, next] = [source[at]!, source[at + 1]];
    let end = at;
    if (sign === "/" && next === "/") end = endOfLine(source, at);
    else if (sign === "/" && next === "*" && at + 2 <= lastComment) end = source.indexOf("*/", at + 2) + 2;
    if (end > at) {
      out += `${source.slice(from, at)} `;
      from = end;
    } else if ((sign === "'" || sign === '"') && !unclosed.has(sign)) {
      C_STRING[sign].lastIndex = at;
      end += C_STRING[sign].exec(source)?.[0].length ?? 0;
      if (end === at) unclosed.add(sign); // nor is any later one, because this match saw all of them as escaped
    }
    at = Math.max(end, at + 1);
  }
  return out + source.slice(from);
}
