/**
 * The syntactic match of CodeBLEU (Ren et al. 2020, section 3.2): how many subtrees of the reference the candidate has as
 * well, as codebleu 0.7.0 counts (`syntax_match.py`): each subtree that has children, and the whole tree; equal when tree-sitter
 * writes the same S-expression, in which named nodes and fields stand and no text; an occurrence in the candidate is not
 * used up. In linear time: subtrees are numbered from the leaves up, where the reference compares strings with strings.
 */
import type { Node, Program } from "../../languages/grammar/tree.ts";

/** The subtrees of a reference. */
export interface Subtrees {
  /** Each distinct one, with its number. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The number of each subtree of the program, some more than once. */
  readonly all: readonly number[];
}

/** What is in none of the reference's trees. */
const UNKNOWN = -1;

export function subtreesOf(program: Program): Subtrees {
  const numbers = new Map<string, number>();
  const all = numberTrees(program, (key) => {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  });
  return { numbers, all };
}

/** How many subtrees of the reference the candidate has. */
export function countSubtrees(candidate: Program, { numbers, all }: Subtrees): number {
  const found = new Set(numberTrees(candidate, (key) => numbers.get(key) ?? UNKNOWN));
  return all.reduce((count, number) => count + (found.has(number) ? 1 : 0), 0);
}

/** The number of each tree that has children, and of the whole, by `numberOf` what it writes as. */
function numberTrees({ code, nodes }: Program, numberOf: (key: string) => number): number[] {
  const trees: number[] = [];
  /** What stands for a node in its parent: its number with its field; nothing for what is not named. */
  const written = new Map<Node, string>();
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i]!;
    const parts = node.children.map((child) => written.get(child)!);
    for (const child of node.children) written.delete(child);
    const inside = parts.includes("?") ? null : parts.filter((part) => part !== "").join(" ");
    const isTree = node.children.length > 0 || node.parent === null;
    if (!node.named && !node.missing) {
      if (isTree) trees.push(inside === null ? UNKNOWN : numberOf(`"${node.type}" ${inside}`));
      written.set(node, inside ?? "?");
      continue;
    }
    const number = inside === null ? UNKNOWN : numberOf(`${nameOf(node, code)} ${inside}`);
    if (isTree) trees.push(number);
    written.set(node, number === UNKNOWN ? "?" : `${node.field ?? ""}:${number}`);
  }
  return trees;
}

/** As in the S-expression: a token that is not of the language by its first character, one that the parser put in as such. */
function nameOf({ type, start, end, missing, named, children }: Node, code: string): string {
  if (missing) return named ? `MISSING ${type}` : `MISSING "${type}"`;
  if (type === "ERROR" && children.length === 0 && end > start) return `UNEXPECTED ${code.codePointAt(start)}`;
  return type;
}
