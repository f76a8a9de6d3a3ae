/** Helpers to navigate a Python tree, as `languages/python/syntax/parse.ts` makes it. */
import { oncePer } from "../../../util/remember.ts";
import type { Node, Program } from "./parse.ts";

export { loadParser, type Node, type Parse, type Program } from "./parse.ts";

export const textOf = ({ code }: Program, { start, end }: { start: number; end: number }): string =>
  code.slice(start, end);

const byType = oncePer(({ nodes }: Program): ReadonlyMap<string, readonly Node[]> => {
  const found = new Map<string, Node[]>();
  for (const node of nodes) {
    const alike = found.get(node.type);
    if (alike === undefined) found.set(node.type, [node]);
    else alike.push(node);
  }
  return found;
});

const NONE: readonly Node[] = [];

/** The nodes of these types, in source order. A single type is looked up: one pass finds all types for all analyses of a program. */
export const ofType = (program: Program, ...types: readonly string[]): readonly Node[] =>
  types.length === 1
    ? (byType(program).get(types[0]!) ?? NONE)
    : program.nodes.filter(({ type }) => types.includes(type));

export const field = (node: Node, name: string): Node | undefined =>
  node.children.find((child) => child.field === name);

export const fields = (node: Node, name: string): Node[] => node.children.filter((child) => child.field === name);

/** The children that carry meaning: no punctuation and no comments. */
export const parts = (node: Node): Node[] => node.children.filter(({ named, type }) => named && type !== "comment");

/** The node and all its descendants, parents first. Not recursive, because trees may be arbitrarily deep. */
export function descendants(node: Node): Node[] {
  const out: Node[] = [];
  const left = [node];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    out.push(next);
    for (let i = next.children.length - 1; i >= 0; i--) left.push(next.children[i]!);
  }
  return out;
}

/** The nearest ancestor that has one of the types. */
export function enclosing(node: Node, ...types: string[]): Node | null {
  for (let at = node.parent; at; at = at.parent) if (types.includes(at.type)) return at;
  return null;
}

export const contains = (outer: Node, inner: Node): boolean => outer.start <= inner.start && inner.end <= outer.end;
