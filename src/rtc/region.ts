/**
 * The part of a Python program that goes on a round trip, and how what a model answered takes its place again.
 * Of a function the body goes, its docstring removed; of a program that reads and writes, the whole of it.
 * Source: tree-sitter-python. Not here: spans of a project's files.
 */
import { createRequire } from "node:module";
import { Language, type Node, Parser } from "web-tree-sitter";
import { CodescoreError } from "../errors.ts";

/** Nothing in it still describes the target. Parts are whole lines without the last line's end; `compose` joins them. */
export interface Region {
  /** The top-level code before the function. */
  readonly context: string;
  /** Decorators and signature; for a method, its class from the first line on. */
  readonly header: string;
  readonly target: string;
  /** What follows. */
  readonly after: string;
  /** Name of the top-level function or class that the target stands in; null for a whole program. */
  readonly top: string | null;
  /** What follows that; the same as `after` unless the target is a method's. */
  readonly afterTop: string;
  /** White space before the lines of the target. */
  readonly indent: string;
  /** Name of the function whose body the target is; null for a whole program. */
  readonly entry: string | null;
}

/** The program with `body` in the place of the target. */
export const compose = ({ context, header, after }: Region, body: string): string =>
  joinParts([context, header === "" || body === "" ? header + body : `${header}\n${body}`, after]);

export const joinParts = (parts: readonly string[]): string => {
  const there = parts.map((part) => trimLines(part)).filter((part) => part !== "");
  return there.length === 0 ? "" : `${there.join("\n\n\n")}\n`;
};

let loading: Promise<Parser> | undefined;

async function loadParser(): Promise<Parser> {
  await Parser.init();
  const grammar = createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm");
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return parser;
}

/** Parses, hands the root on, and frees the tree. */
export async function withTree<T>(source: string, use: (root: Node) => T): Promise<T> {
  loading ??= loadParser();
  const tree = (await loading).parse(source);
  if (tree === null) throw new CodescoreError("infra", "the Python parser gave up on a program");
  try {
    return use(tree.rootNode);
  } finally {
    tree.delete();
  }
}

/**
 * Cuts the body of `entryPoint` (`f`, `Solution.f`) out of a program, or the whole program when it is null.
 * Throws `CodescoreError("input")` for a program that does not parse, lacks the function, or has nothing to describe.
 */
export async function cutRegion(source: string, entryPoint: string | null): Promise<Region> {
  const text = source.replace(/\r\n?/g, "\n");
  return withTree(text, (root) => {
    if (root.hasError) throw new CodescoreError("input", "the reference is no valid Python");
    const region = entryPoint === null ? wholeProgram(root, text) : functionBody(root, text, entryPoint);
    if (region.target.replace(/^\s*#.*$/gm, "").trim() === "") {
      throw new CodescoreError("input", "the reference has nothing but a docstring to describe");
    }
    return region;
  });
}

function wholeProgram(root: Node, text: string): Region {
  const target = trimLines(text.slice(afterDocstring(root, text) ?? 0));
  return { context: "", header: "", target, after: "", top: null, afterTop: "", indent: "", entry: null };
}

function functionBody(root: Node, text: string, entryPoint: string): Region {
  const entry = entryPoint.replace(/^.*[.\s]/, "");
  const found = root
    .descendantsOfType("function_definition")
    .filter((node) => node?.childForFieldName("name")?.text === entry);
  // Python keeps the last definition; one at the top level is meant before one inside something else.
  const node = found.filter((n) => topLevelOf(n).isTop).at(-1) ?? found.at(-1);
  const block = node?.childForFieldName("body");
  if (!node || !block) throw new CodescoreError("input", `the reference has no function \`${entry}\``);
  const { top } = topLevelOf(node);
  const colon = node.children.findLast((child) => child.type === ":" && child.startIndex < block.startIndex)!;
  const lineEnd = lineEndFrom(text, colon.endIndex);
  const oneLine = block.startIndex < lineEnd;
  const bodyStart = oneLine ? block.startIndex : lineEnd + 1;
  const outer = lineIndent(text, node.startIndex);
  const indent = oneLine ? `${outer}    ` : lineIndent(text, block.startIndex);
  const past = afterDocstring(block, text);
  const body =
    past === null
      ? text.slice(bodyStart, block.endIndex)
      : text.slice(bodyStart, lineStart(text, block.startIndex)) + ownLine(text, past, block.endIndex, indent);
  const contextStart = afterDocstring(root, text) ?? 0;
  return {
    context: trimLines(text.slice(contextStart, top.startIndex)),
    header: text.slice(top.startIndex, oneLine ? colon.endIndex : lineEnd).trimEnd(),
    target: trimLines(oneLine ? `${indent}${body}` : body),
    after: trimLines(text.slice(block.endIndex)),
    top: nameOf(top),
    afterTop: trimLines(text.slice(top.endIndex)),
    indent,
    entry,
  };
}

/** The name that a statement gives to a function or class; for any other statement its own text. */
export function nameOf(statement: Node): string {
  if (statement.type === "decorated_definition") return nameOf(statement.childForFieldName("definition") ?? statement);
  if (!/^(function|class)_definition$/.test(statement.type)) return statement.text;
  return statement.childForFieldName("name")?.text ?? statement.text;
}

/** The top-level statement that a node stands in, and whether that is the node itself or its decorators. */
function topLevelOf(node: Node): { top: Node; isTop: boolean } {
  let top = node;
  while (top.parent?.parent) top = top.parent;
  return { top, isTop: top.id === node.id || (top.type === "decorated_definition" && node.parent?.id === top.id) };
}

/** Where the code after a docstring begins; null where there is none. */
function afterDocstring(block: Node, text: string): number | null {
  const statements = block.namedChildren.filter((child) => child !== null);
  const at = statements.findIndex((child) => child.type !== "comment");
  const first = statements[at];
  const string = first?.namedChildren[0];
  if (first?.type !== "expression_statement" || !string || !/^(concatenated_)?string$/.test(string.type)) return null;
  if (first.namedChildCount !== 1 || /^[rRuU]*[bBfF]/.test(string.text)) return null;
  const next = statements[at + 1];
  const lineEnd = Math.min(lineEndFrom(text, first.endIndex) + 1, text.length);
  return next && next.type !== "comment" && next.startIndex < lineEnd ? next.startIndex : lineEnd;
}

/** The text between two places; indented where it does not begin a line. */
const ownLine = (text: string, from: number, to: number, indent: string): string =>
  `${from === lineStart(text, from) ? "" : indent}${text.slice(from, Math.max(from, to))}`;

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const lineIndent = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at)))![0];

function lineEndFrom(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Without blank lines before and white space behind. */
const trimLines = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
