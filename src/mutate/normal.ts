/**
 * Normal forms of programs, independent of names: each function as its tokens without comments, docstrings and
 * annotations, with variables numbered by first appearance. Equal forms mean equal syntax trees up to renaming.
 */

import {
  enclosing,
  field,
  loadParser,
  type Node,
  ofType,
  type Program,
  parts,
  textOf,
} from "../languages/python/syntax/walk.ts";
import { isDocstring } from "./edits.ts";
import { isPredefined, isVariable } from "./names.ts";

export interface NormalFunction {
  /** Null for a program without functions. */
  readonly name: string | null;
  /** Variables are `$0`, `$1`, ... in order of first appearance. */
  readonly tokens: readonly string[];
}

/** Returns a function that gives the functions and methods of a program, nested ones as part of the outer. One without any counts as one. */
export async function normalForms(): Promise<(code: string) => NormalFunction[]> {
  const parse = await loadParser();
  return (code) => {
    const program = parse(code);
    if (program.broken) return [];
    const functions = ofType(program, "function_definition").filter(
      (node) => enclosing(node, "function_definition") === null,
    );
    return (functions.length > 0 ? functions : [program.root]).map((node) => ({
      name: nameOf(program, node),
      tokens: tokensOf(program, node),
    }));
  };
}

function nameOf(program: Program, node: Node): string | null {
  const name = field(node, "name");
  return name ? textOf(program, name) : null;
}

function tokensOf(program: Program, root: Node): string[] {
  const names = new Map<string, string>();
  const out: string[] = [];
  const visit = (node: Node): void => {
    if (node.type === "comment" || node.type === "type" || (isDocstring(node) && isFirst(node))) return;
    if (node.children.length === 0 || node.type === "string") {
      const text = textOf(program, node);
      if (text === ":" && node.parent?.type.startsWith("typed_")) return;
      if (text === "->") return;
      out.push(wordOf(node, text));
      return;
    }
    if (node.type === "block") out.push("{");
    for (const child of node.children) visit(child);
    if (node.type === "block") out.push("}");
  };
  const wordOf = (node: Node, text: string): string => {
    if (!isVariable(node) || isPredefined(text))
      return node.type === "string" ? text.replace(/^(\w*)'([^'"\\]*)'$/, '$1"$2"') : text;
    const known = names.get(text) ?? `$${names.size}`;
    names.set(text, known);
    return known;
  };
  const own = nameOf(program, root);
  if (own !== null) names.set(own, "$f");
  visit(root);
  return out;
}

const isFirst = (node: Node): boolean => node.parent !== null && parts(node.parent)[0] === node;
