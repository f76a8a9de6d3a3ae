/**
 * The part of a Python program that makes the round trip, and how an answer replaces it. For a function it is the body without
 * its docstring. For a program that reads and writes it is the whole program.
 * Source: tree-sitter-python. Spans of a project's files are elsewhere (span.ts).
 */
import { CodescoreError } from "../../errors.ts";
import { field, loadParser, type Node, type Program } from "../../languages/python/syntax/walk.ts";

/**
 * A program cut into the target and the parts around it. The docstrings of the module and the target are removed, because they
 * describe the target. Parts are whole lines without the last line break. `compose` joins them.
 */
export interface Region {
  /** The top-level code before the function. */
  readonly context: string;
  /** Decorators and signature; for a method, its class from the first line on. */
  readonly header: string;
  readonly target: string;
  /** The code after the target. */
  readonly after: string;
  /** Name of the top-level function or class around the target. Null for a whole program. */
  readonly top: string | null;
  /** The code after that function or class. The same as `after` unless the target belongs to a method. */
  readonly afterTop: string;
  /** White space before the target's lines. */
  readonly indent: string;
  /** Name of the function whose body is the target. Null for a whole program. */
  readonly entry: string | null;
}

/** The program with `body` in place of the target. */
export const compose = ({ context, header, after }: Region, body: string): string =>
  joinParts([context, header === "" || body === "" ? header + body : `${header}\n${body}`, after]);

export const joinParts = (parts: readonly string[]): string => {
  const there = parts.map((part) => trimLines(part)).filter((part) => part !== "");
  return there.length === 0 ? "" : `${there.join("\n\n\n")}\n`;
};

/**
 * Cuts the body of `entryPoint` (`f`, `Solution.f`) out of a program. Null takes the whole program.
 * @throws `CodescoreError("input")` if the program does not parse, lacks the function, or has nothing to describe
 */
export async function cutRegion(source: string, entryPoint: string | null): Promise<Region> {
  const program = (await loadParser())(source.replace(/\r\n?/g, "\n"));
  if (program.broken) throw new CodescoreError("input", "the reference is not valid Python");
  const region = entryPoint === null ? wholeProgram(program) : functionBody(program, entryPoint);
  if (region.target.replace(/^[ \t]*#.*/gm, "").trim() === "") {
    throw new CodescoreError("input", "the reference has only a docstring");
  }
  return region;
}

function wholeProgram({ root, code: text }: Program): Region {
  const target = trimLines(text.slice(afterDocstring(root, text) ?? 0));
  return { context: "", header: "", target, after: "", top: null, afterTop: "", indent: "", entry: null };
}

function functionBody(program: Program, entryPoint: string): Region {
  const { root, code: text } = program;
  const entry = entryPoint.replace(/^.*[.\s]/, "");
  const found = functionsNamed(program, entry);
  // Python keeps the last definition. A top-level one takes precedence over one inside something else.
  const node = found.filter((n) => topLevelOf(n).isTop).at(-1) ?? found.at(-1);
  const block = node && field(node, "body");
  if (!node || !block) throw new CodescoreError("input", `the reference has no function \`${entry}\``);
  const { top } = topLevelOf(node);
  const colon = node.children.findLast((child) => child.type === ":" && child.start < block.start)!;
  const lineEnd = lineEndFrom(text, colon.end);
  const oneLine = block.start < lineEnd;
  const bodyStart = oneLine ? block.start : lineEnd + 1;
  const outer = lineIndent(text, node.start);
  const indent = oneLine ? `${outer}    ` : lineIndent(text, block.start);
  const past = afterDocstring(block, text);
  const body =
    past === null
      ? text.slice(bodyStart, block.end)
      : text.slice(bodyStart, lineStart(text, block.start)) + ownLine(text, past, block.end, indent);
  const contextStart = afterDocstring(root, text) ?? 0;
  return {
    context: trimLines(text.slice(contextStart, top.start)),
    header: text.slice(top.start, oneLine ? colon.end : lineEnd).trimEnd(),
    target: trimLines(oneLine ? `${indent}${body}` : body),
    after: trimLines(text.slice(block.end)),
    top: nameOf(top, text),
    afterTop: trimLines(text.slice(top.end)),
    indent,
    entry,
  };
}

/** The definitions of a function, including methods, in the order of the program. */
export const functionsNamed = ({ nodes, code }: Program, name: string): Node[] =>
  nodes.filter((node) => node.type === "function_definition" && nameOf(node, code) === name);

/** The name of the function or class that a statement of `text` defines. For any other statement, its own text. */
export function nameOf(statement: Node, text: string): string {
  const definition = statement.type === "decorated_definition" ? field(statement, "definition") : statement;
  const name = definition && /^(function|class)_definition$/.test(definition.type) && field(definition, "name");
  return textOf(name || statement, text);
}

export const textOf = ({ start, end }: Node, text: string): string => text.slice(start, end);

/** The top-level statement around a node, and whether it is the node itself or the node with its decorators. */
function topLevelOf(node: Node): { top: Node; isTop: boolean } {
  let top = node;
  while (top.parent?.parent) top = top.parent;
  return { top, isTop: top === node || (top.type === "decorated_definition" && node.parent === top) };
}

/** Offset of the code after a docstring. Null without a docstring. */
function afterDocstring(block: Node, text: string): number | null {
  const statements = named(block);
  const at = statements.findIndex((child) => child.type !== "comment");
  const first = statements[at];
  if (first?.type !== "expression_statement") return null;
  const [string, ...more] = named(first);
  if (!string || more.length > 0 || !/^(concatenated_)?string$/.test(string.type)) return null;
  if (/^[rRuU]*[bBfF]/.test(textOf(string, text))) return null;
  const next = statements[at + 1];
  const lineEnd = Math.min(lineEndFrom(text, first.end) + 1, text.length);
  return next && next.type !== "comment" && next.start < lineEnd ? next.start : lineEnd;
}

/** The named children, i.e. without keywords and punctuation. */
export const named = ({ children }: Node): Node[] => children.filter((child) => child.named);

/** The text between two offsets. It is indented if it does not start a line. */
const ownLine = (text: string, from: number, to: number, indent: string): string =>
  `${from === lineStart(text, from) ? "" : indent}${text.slice(from, Math.max(from, to))}`;

/** Start of the line that contains `at`. `lastIndexOf` treats a negative offset as 0, so 0 is handled apart. */
export const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1);
const lineIndent = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at)))![0];

function lineEndFrom(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Removes leading blank lines and trailing white space. */
const trimLines = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
