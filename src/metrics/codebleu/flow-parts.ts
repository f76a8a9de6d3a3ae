/** Parts of a Python program's syntax that its data flow is read from (flow.ts). */
import type { Node } from "../../languages/grammar/tree.ts";

/** A part that the walk needs is not there, since the program does not parse; or there is too much. */
export class Unreadable extends Error {}

/** A string is one token, whatever is in it; a comment is none. */
export const isLeaf = ({ type, children }: Node): boolean =>
  type !== "comment" && (children.length === 0 || type === "string");

/** In source order. */
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

/** What an assignment or a `for` has on its left and right: their parts where they have equally many, else the whole. */
export function sides(node: Node): [left: readonly Node[], right: readonly Node[]] {
  const whole = [part(node, "left"), part(node, "right")] as const;
  const [left, right] = whole.map((side) => (isLeaf(side) ? [] : side.children.filter(({ type }) => type !== ","))) as [
    Node[],
    Node[],
  ];
  return left.length === right.length && left.length > 0 ? [left, right] : [[whole[0]], [whole[1]]];
}
