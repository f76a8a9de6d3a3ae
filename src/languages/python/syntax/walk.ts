/** Helpers to navigate a Python tree, as `languages/python/syntax/parse.ts` makes it. */
import type { Node, Program } from "./parse.ts";

export { loadParser, type Node, type Parse, type Program } from "./parse.ts";

export const textOf = ({ code }: Program, { start, end }: { start: number; end: number }): string =>
  code.slice(start, end);

export const ofType = ({ nodes }: Program, ...types: string[]): Node[] =>
  nodes.filter(({ type }) => types.includes(type));

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
