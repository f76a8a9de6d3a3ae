/** Parts of a Python program's syntax from which `flow.ts` reads data flow. */
import type { Node } from "../../languages/grammar/tree.ts";

/** The walk lacks a part that it needs, because the program does not parse, or the program is too large. */
export class Unreadable extends Error {}

/** Whether a node is a token. A string is one token as a whole; a comment is not a token. */
export const isLeaf = ({ type, children }: Node): boolean =>
  type !== "comment" && (children.length === 0 || type === "string");

/** The tokens below a node, in source order. */
export function leavesOf(node: Node): Node[] {
  const leaves: Node[] = [];
  const stack = [node];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (isLeaf(next)) leaves.push(next);
    else for (let i = next.children.length - 1; i >= 0; i--) stack.push(next.children[i]!);
  }
  return leaves;
}

export const field = ({ children }: Node, name: string): Node | null =>
  children.find((child) => child.field === name) ?? null;

export function part(node: Node, name: string): Node {
  const found = field(node, name);
  if (found === null) throw new Unreadable();
  return found;
}

/** The left and right sides of an assignment or a `for`: their parts if both have equally many, otherwise each side as a whole. */
export function sides(node: Node): [left: readonly Node[], right: readonly Node[]] {
  const whole = [part(node, "left"), part(node, "right")] as const;
  const [left, right] = whole.map((side) => (isLeaf(side) ? [] : side.children.filter(({ type }) => type !== ","))) as [
    Node[],
    Node[],
  ];
  return left.length === right.length && left.length > 0 ? [left, right] : [[whole[0]], [whole[1]]];
}
