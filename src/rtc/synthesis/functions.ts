/**
 * The functions of a file whose calls are recorded and replayed: those that are in no other function. Closures and classes inside
 * a function are replayed as part of it. Works on syntax and runs nothing.
 */
import { lineNumber } from "../../languages/python/syntax/parse.ts";
import { field, loadParser, type Node, type Program, parts } from "../../languages/python/syntax/walk.ts";
import { lineStart } from "./region.ts";
import { type SourceFile, type Span, withoutSpan } from "./span.ts";

export interface PlacedFunction {
  readonly name: string;
  /** Start of the line with `def`. `first` is the start of its first decorator's line, or the same. */
  readonly start: number;
  readonly first: number;
  readonly end: number;
  readonly body: { readonly start: number; readonly end: number };
  /** End of the docstring. Null without a docstring. */
  readonly docstring: number | null;
  /** Lines that open the classes and blocks around it, e.g. `class A:`, and `if 1:` for any other block. */
  readonly opening: string;
  /** The kinds of these (`class`, `block`), outermost first, then its name. */
  readonly path: readonly string[];
  readonly isAsync: boolean;
}

/** A span with its functions: the one around it, or those inside it. */
export interface SpanFunctions {
  readonly functions: readonly PlacedFunction[];
  /** Whether the span is part of the body of its only function. */
  readonly isInside: boolean;
}

/** The functions of a span, or the reason why there are none. */
export async function functionsOf(span: Span): Promise<SpanFunctions | string> {
  const functions = outermost((await loadParser())(span.file.text));
  const around = functions.find(({ body }) => body.start <= span.start + span.indent.length && span.end <= body.end);
  const found = around ? [around] : functions.filter(({ first, end }) => span.start <= first && end <= span.end);
  if (found.length === 0) return "the span is in no function and contains none";
  if (found.some(({ isAsync }) => isAsync)) return "its function is a coroutine";
  return { functions: found, isInside: around !== undefined };
}

function outermost({ root, code }: Program): PlacedFunction[] {
  const found: PlacedFunction[] = [];
  const visit = (node: Node, opening: string, path: readonly string[]): void => {
    for (const child of node.children) {
      if (child.type === "function_definition") found.push(placed(child, code, opening, path));
      else if (child.type === "class_definition") {
        const head = `${indentAt(code, child.start)}class ${nameOf(child, code)}:\n`;
        visit(child, opening + head, [...path, "class"]);
      } else if (child.type === "block" && node.type !== "class_definition") {
        visit(child, `${opening}${indentAt(code, node.start)}if 1:\n`, [...path, "block"]);
      } else visit(child, opening, path);
    }
  };
  visit(root, "", []);
  return found;
}

function placed(node: Node, code: string, opening: string, path: readonly string[]): PlacedFunction {
  const name = nameOf(node, code);
  const body = field(node, "body")!;
  const [statement] = parts(body);
  const text = statement?.type === "expression_statement" ? parts(statement) : [];
  return {
    name,
    start: lineStart(code, node.start),
    first: lineStart(code, node.parent?.type === "decorated_definition" ? node.parent.start : node.start),
    end: node.end,
    body: { start: body.start, end: body.end },
    docstring: text.length === 1 && text[0]!.type === "string" ? statement!.end : null,
    opening,
    path: [...path, name],
    isAsync: code.startsWith("async", node.start),
  };
}

const nameOf = (node: Node, code: string): string => {
  const name = field(node, "name")!;
  return code.slice(name.start, name.end);
};

const indentAt = (code: string, at: number): string => /^[ \t]*/.exec(code.slice(lineStart(code, at)))![0];

/** Line of a function's first decorator or `def`, as Python counts. */
export const lineOf = (text: string, { first }: PlacedFunction): number => lineNumber(text, first);

/** The file with emptied function bodies, and the lines where the functions then begin. Docstrings stay unless the span contains them. */
export function withoutBodies(span: Span, functions: readonly PlacedFunction[]): { text: string; lines: number[] } {
  const { text } = span.file;
  const [lines, pieces]: [number[], string[]] = [[], []];
  let at = 0;
  for (const one of functions) {
    pieces.push(text.slice(at, one.first));
    lines.push(lineNumber(pieces.join(""), pieces.join("").length));
    pieces.push(text.slice(one.first, one.body.start), bodyless(span, one));
    at = one.body.end;
  }
  return { text: [...pieces, text.slice(at)].join(""), lines };
}

/** The replacement for a function's body. A mention of `__class__` keeps the cell that `super()` needs. */
function bodyless({ file: { text }, start, end }: Span, { body, docstring, path }: PlacedFunction): string {
  const nothing = path.includes("class") ? "__class__" : "pass";
  const keeps = docstring !== null && (docstring <= start || body.start >= end);
  if (!keeps) return nothing;
  const kept = text.slice(body.start, docstring!);
  const isOneLine = text.slice(lineStart(text, body.start), body.start).trim() !== "";
  return isOneLine ? `${kept}; ${nothing}` : `${kept}\n${indentAt(text, body.start)}${nothing}`;
}

/** A program with one function of a file, inside its classes and blocks. */
export const inPlace = (file: SourceFile, { opening }: Pick<PlacedFunction, "opening">, text: string): string =>
  `${FUTURE.exec(file.text)?.[0] ?? ""}${opening}${text}\n`;

const FUTURE = /^from __future__ import [\w, ]{1,200}\n/m;

/** The unchanged texts of a span's functions. */
export const originals = ({ file }: Span, { functions }: SpanFunctions): string[] =>
  functions.map((one) => inPlace(file, one, file.text.slice(one.start, one.end)));

/**
 * The texts of a span's functions with `code` in place of the span. Null stands for an unchanged function. A string says why
 * there are none: the code does not parse, or changes more than function bodies.
 */
export async function candidates(
  span: Span,
  found: SpanFunctions,
  code: string,
): Promise<readonly (string | null)[] | string> {
  const { file, start, end } = span;
  const { functions, isInside } = found;
  const text = file.text.slice(0, start) + code + file.text.slice(end);
  if (isInside) {
    const [one] = functions as [PlacedFunction];
    return [inPlace(file, one, text.slice(one.start, one.end + code.length - (end - start)))];
  }
  const parse = await loadParser();
  const opening = functions[0]!.opening;
  const wrap = (lines: string): Program => parse(`${openingOf(span, opening)}${lines}\n`);
  const [before, after] = [wrap(file.text.slice(start, end)), wrap(code)];
  if (after.broken) return "its code does not parse";
  const [old, made] = [outermost(before), outermost(after)];
  if (
    old.length !== functions.length ||
    made.length !== old.length ||
    skeleton(before, old) !== skeleton(after, made)
  ) {
    return "its code changes more than function bodies";
  }
  return made.map((one, i) => {
    const [mine, theirs] = [one, old[i]!].map((f, k) => leaves(k === 0 ? after : before, f.body));
    return mine === theirs ? null : inPlace(file, one, after.code.slice(one.start, one.end));
  });
}

/** The lines of a function's opening that are outside the span. */
const openingOf = ({ indent }: Span, opening: string): string =>
  opening
    .split("\n")
    .filter((line) => line !== "" && /^[ \t]*/.exec(line)![0].length < indent.length)
    .map((line) => `${line}\n`)
    .join("");

/** All of a program except function bodies and comments. */
function skeleton(program: Program, functions: readonly PlacedFunction[]): string {
  const bodies = functions.map(({ body }) => body);
  return leavesOf(program, (node) => !bodies.some(({ start, end }) => start <= node.start && node.end <= end));
}

const leaves = (program: Program, { start, end }: { start: number; end: number }): string =>
  leavesOf(program, (node) => start <= node.start && node.end <= end);

const leavesOf = ({ nodes, code }: Program, wanted: (node: Node) => boolean): string =>
  nodes
    .filter((node) => node.children.length === 0 && node.type !== "comment" && wanted(node))
    .map((node) => code.slice(node.start, node.end))
    .join(" ");

/** The texts of the functions without the span. Functions inside the span get an empty body each. */
export function deletions(span: Span, { functions, isInside }: SpanFunctions): string[] {
  const { file } = span;
  const [one] = functions as [PlacedFunction];
  if (isInside) {
    const without = withoutSpan(span);
    return [inPlace(file, one, without.slice(one.start, one.end + without.length - file.text.length))];
  }
  return functions.map((f) => inPlace(file, f, `${file.text.slice(f.start, f.body.start)}pass`));
}
