/** Binary trees written as the values of their levels: `[3, 9, 20, None, None, 15, 7]`. */
import { compare } from "../../expand/index.ts";
import { equalityKey } from "../../languages/python/literals/index.ts";
import type { PyValue } from "../../types.ts";
import type { Random } from "../../util/random.ts";
import type { TreeForm } from "./types.ts";

interface Tree {
  value: PyValue;
  left: Tree | null;
  right: Tree | null;
}

const NONE: PyValue = { t: "none" };

function parse(items: readonly PyValue[]): Tree | null {
  const trees = items.map((value): Tree | null => (value.t === "none" ? null : { value, left: null, right: null }));
  const [root = null] = trees;
  const waiting = root === null ? [] : [root];
  let next = 1;
  for (let i = 0; i < waiting.length; i++) {
    for (const side of ["left", "right"] as const) {
      const child = trees[next++] ?? null;
      waiting[i]![side] = child;
      if (child !== null) waiting.push(child);
    }
  }
  return root;
}

function print(root: Tree | null): PyValue[] {
  const levels = [root];
  for (let i = 0; i < levels.length; i++) {
    const tree = levels[i];
    if (tree) levels.push(tree.left, tree.right);
  }
  const values = levels.map((tree) => tree?.value ?? NONE);
  return values.slice(0, values.findLastIndex(({ t }) => t !== "none") + 1);
}

/** The nodes from left to right. Does not recurse, because a tree may be one long path. */
function inOrder(root: Tree | null): Tree[] {
  const [found, open]: [Tree[], Tree[]] = [[], []];
  for (let tree = root; tree !== null || open.length > 0; ) {
    for (; tree !== null; tree = tree.left) open.push(tree);
    const last = open.pop()!;
    found.push(last);
    tree = last.right;
  }
  return found;
}

/** Whether a list is what LeetCode writes for a tree of this form, without values that have no parent. */
export function isTree(items: readonly PyValue[], form: TreeForm): boolean {
  const printed = mendedTree(items, form);
  return printed.length === items.length && printed.every((item, i) => equalityKey(item) === equalityKey(items[i]!));
}

/**
 * The nearest list that is a tree of this form. Values without a parent are removed. A search tree gets its values in order, and integers become
 * different if they must be. A complete tree loses its holes, a perfect one the level that is not filled, and a full one each only child.
 */
export function mendedTree(items: readonly PyValue[], { search, distinct, shape }: TreeForm): PyValue[] {
  const filled = shape === "complete" || shape === "perfect" ? items.filter(({ t }) => t !== "none") : items;
  const size = shape === "perfect" ? 2 ** Math.floor(Math.log2(filled.length + 1)) - 1 : filled.length;
  const root = parse(filled.slice(0, size));
  const trees = inOrder(root);
  if (shape === "full") {
    for (const tree of trees) if (tree.left === null || tree.right === null) [tree.left, tree.right] = [null, null];
  }
  if (search) {
    const values = trees.map(({ value }) => value).sort((a, b) => compare(a, b) ?? 0);
    for (const [i, tree] of trees.entries()) {
      const [value, before] = [values[i]!, trees[i - 1]?.value];
      tree.value =
        before?.t === "int" && value.t === "int" && value.v <= before.v ? { t: "int", v: before.v + 1n } : value;
    }
  } else if (distinct) {
    const taken = new Set<string>();
    for (const tree of trees) {
      while (tree.value.t === "int" && taken.has(equalityKey(tree.value)))
        tree.value = { t: "int", v: tree.value.v + 1n };
      taken.add(equalityKey(tree.value));
    }
  }
  return print(root);
}

/** A list of numbers as a tree of another shape: complete as it is, with holes, a path, or the same from both sides. */
export function reshaped(items: readonly PyValue[], rng: Random): PyValue[] {
  const hole = rng.pick([0, 0.2, 0.5, 0.9]);
  const shaped: PyValue[] = [];
  for (const item of items) {
    if (shaped.length > 0 && rng.chance(hole)) shaped.push(NONE);
    shaped.push(item);
  }
  const root = parse(shaped);
  if (root !== null && rng.chance(SYMMETRIC)) root.right = mirrored(root.left);
  return print(root);
}

const SYMMETRIC = 0.15;

/** The tree with left and right exchanged everywhere. */
export const mirroredTree = (items: readonly PyValue[]): PyValue[] => print(mirrored(parse(items)));

/** A copy with left and right exchanged. Trees in inputs are not deep. */
function mirrored(tree: Tree | null): Tree | null {
  return tree && { value: tree.value, left: mirrored(tree.right), right: mirrored(tree.left) };
}

/** The value of a tree at a place, counted round its nodes. */
export function valueAt(items: readonly PyValue[], place: bigint): PyValue {
  const values = items.filter(({ t }) => t !== "none");
  return values.length === 0 ? NONE : values[Number((place < 0n ? -place : place) % BigInt(values.length))]!;
}

export const isValueOf = (items: readonly PyValue[], value: PyValue): boolean =>
  items.some((item) => equalityKey(item) === equalityKey(value));
