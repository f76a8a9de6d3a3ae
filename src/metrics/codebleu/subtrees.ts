/**
 * The syntactic match of CodeBLEU (Ren et al. 2020, section 3.2): how many subtrees of the reference the candidate also has,
 * counted as in codebleu 0.7.0 (`syntax_match.py`). Counted are the subtrees that have children, and the whole tree. Subtrees
 * are equal if tree-sitter writes the same S-expression, which contains named nodes and fields but no text. One occurrence in
 * the candidate may match several in the reference. Takes linear time: subtrees are numbered from the leaves up, where the
 * reference implementation compares strings with strings.
 */
import type { Node, Program } from "../../languages/grammar/tree.ts";

/** The subtrees of a reference. */
export interface Subtrees {
  /** Each distinct subtree, with its number. */
  readonly numbers: ReadonlyMap<string, number>;
  /** The number of each subtree of the program, with repetitions. */
  readonly all: readonly number[];
}

/** A subtree that occurs in none of the reference's trees. */
const UNKNOWN = -1;

export function subtreesOf(program: Program): Subtrees {
  const numbers = new Map<string, number>();
  const all = numberTrees(program, (key) => {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  });
  return { numbers, all };
}

/** The number of subtrees of the reference that the candidate has. */
export function countSubtrees(candidate: Program, { numbers, all }: Subtrees): number {
  const found = new Set(numberTrees(candidate, (key) => numbers.get(key) ?? UNKNOWN));
  return all.reduce((count, number) => count + (found.has(number) ? 1 : 0), 0);
}

/** The numbers of all trees that have children, and of the whole tree. `numberOf` gives the number for a tree's written form. */
function numberTrees({ code, nodes }: Program, numberOf: (key: string) => number): number[] {
  const trees: number[] = [];
  /** The written form of a node in its parent: its number with its field; empty for an unnamed node. */
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

/**
 * The name of a node in the S-expression. An unexpected token is named by its first character, a token inserted by the parser as
 * missing.
 */
function nameOf({ type, start, end, missing, named, children }: Node, code: string): string {
  if (missing) return named ? `MISSING ${type}` : `MISSING "${type}"`;
  if (type === "ERROR" && children.length === 0 && end > start) return `UNEXPECTED ${code.codePointAt(start)}`;
  return type;
}
