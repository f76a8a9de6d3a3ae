/** Changes of source text, and the lines and indentation needed to change whole statements. */

import { descendants, type Node, type Program, parts, textOf } from "../languages/python/syntax/walk.ts";
import type { Random } from "../util/random.ts";

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits that belong together; they do not overlap. */
export type Change = readonly Edit[];

/** One way to change programs. */
export interface Operator {
  readonly name: string;
  /** How often it is chosen, relative to the others. */
  readonly weight: number;
  /** The changes it can make, one per place where it applies. `rng` chooses wordings; `keep` holds names that must stay. */
  find(program: Program, rng: Random, keep: ReadonlySet<string>): Change[];
}

/** Applies a change. Inserts a blank where a word would run into its neighbour, as in `return(x)` with `x` for `(x)`. */
export function applyChange(code: string, change: Change): string {
  let out = code;
  for (const { start, end, text } of [...change].sort((a, b) => b.start - a.start || b.end - a.end)) {
    const [before, after] = [out.slice(0, start), out.slice(end)];
    const left = /\w$/.test(before) && /^\w/.test(text) ? " " : "";
    const right = /\w$/.test(text) && /^\w/.test(after) ? " " : "";
    out = before + left + text + right + after;
  }
  return out;
}

export const replace = ({ start, end }: { start: number; end: number }, text: string): Edit => ({ start, end, text });

export const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });

export function indentOf({ code }: Program, node: Node): string {
  const start = code.lastIndexOf("\n", node.start - 1) + 1;
  return /^[ \t]*/.exec(code.slice(start, node.start))?.[0] ?? "";
}

/** One more level of indentation, in the style of this program. */
export function indentUnit({ code }: Program): string {
  return /^(?:\t| {2,})/m.exec(code.replace(/("""|''')[\s\S]*?\1/g, ""))?.[0].slice(0, 8) ?? "    ";
}

/** The whole lines of a statement with their newline; null if it shares a line with something else. */
export function linesOf({ code }: Program, node: Node): { start: number; end: number } | null {
  const start = code.lastIndexOf("\n", node.start - 1) + 1;
  if (code.slice(start, node.start).trim() !== "") return null;
  const next = code.indexOf("\n", node.end);
  const end = next < 0 ? code.length : next + 1;
  return /^\s*(?:#.*)?$/.test(code.slice(node.end, end)) ? { start, end } : null;
}

const statementType = /^(?:.*_statement|function_definition|class_definition|decorated_definition)$/;

/** The blocks of a program (and the module), each as its statements; only statements with lines of their own. */
export function blocksOf(program: Program): Node[][] {
  return program.nodes
    .filter(({ type }) => type === "block" || type === "module")
    .map((block) => parts(block).filter((node) => statementType.test(node.type) && linesOf(program, node) !== null));
}

/** Applies `make` to each two consecutive statements of a block and collects the results. */
export const ofNeighbours = <T>(blocks: readonly (readonly Node[])[], make: (first: Node, second: Node) => T[]): T[] =>
  blocks.flatMap((block) => block.slice(1).flatMap((second, i) => make(block[i] as Node, second)));

export const isDocstring = (node: Node): boolean =>
  node.type === "expression_statement" && node.children.length === 1 && node.children[0]?.type === "string";

/** Whether the indentation of a node may change: it contains no string that spans several lines. */
export const isIndentable = (program: Program, node: Node): boolean =>
  !descendants(node).some((part) => part.type === "string" && textOf(program, part).includes("\n"));

/** The lines of `text`, each moved from indentation `from` to `to`. Blank lines stay. */
export const reindent = (text: string, from: string, to: string): string =>
  text
    .split("\n")
    .map((line) => (line.startsWith(from) && line.trim() !== "" ? to + line.slice(from.length) : line))
    .join("\n");

/** The whole lines of a block's statements; null if the block is on its header's line. */
export function blockLines(program: Program, block: Node): { start: number; end: number } | null {
  const inner = parts(block);
  const [first, last] = [inner[0], inner[inner.length - 1]];
  if (!first || !last) return null;
  const [from, to] = [linesOf(program, first), linesOf(program, last)];
  return from && to ? { start: from.start, end: to.end } : null;
}

/** Removes a statement. A block that would become empty gets `pass`. */
export function removal(program: Program, node: Node): Change | null {
  const lines = linesOf(program, node);
  if (!lines) return null;
  const alone = node.parent?.type === "block" && parts(node.parent).length === 1;
  return [replace(lines, alone ? `${indentOf(program, node)}pass\n` : "")];
}
