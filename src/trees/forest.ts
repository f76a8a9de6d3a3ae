/** Gradient-boosted trees: how they are kept, and what they say of a row of features. */

/** In a leaf, in place of a feature. */
const LEAF = -1;

/**
 * Nodes, tree after tree, each tree in the order of a walk that takes the left branch first, so that a node's left child is the
 * next one.
 */
export interface Nodes {
  /** Which feature is asked for; -1: the node is a leaf. */
  readonly feature: ArrayLike<number>;
  /** The greatest value that goes left; of a leaf its log odds. */
  readonly value: ArrayLike<number>;
  /** How many nodes further the right child is; of a leaf 0. */
  readonly right: ArrayLike<number>;
}

/** Trees whose leaves add up. The first is a leaf: the log odds before any other. */
export interface Forest extends Nodes {
  readonly feature: Int16Array;
  readonly value: Float32Array;
  readonly right: Int32Array;
  /** The node with which each tree begins. */
  readonly roots: Int32Array;
}

/** The probability, in (0, 1), that a forest gives a row of features. */
export function predict({ feature, value, right, roots }: Forest, row: Float64Array): number {
  let odds = 0;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree]!;
    for (let asked = feature[node]!; asked >= 0; asked = feature[node]!) {
      node += row[asked]! <= value[node]! ? 1 : right[node]!;
    }
    odds += value[node]!;
  }
  return 1 / (1 + Math.exp(-odds));
}

/** One forest whose log odds are the mean of several's: they err in different places. */
export function meanOf(forests: readonly Forest[]): Forest {
  const all = (name: keyof Nodes): number[] => forests.flatMap((forest) => [...forest[name]]);
  const feature = all("feature");
  const value = all("value").map((of, node) => (feature[node] === LEAF ? of / forests.length : of));
  return kept({ feature, value, right: all("right") });
}

/** null unless the nodes are a forest over so many features, in which every walk comes to a leaf. */
export function forestOf(nodes: Nodes, features: number): Forest | null {
  const { feature, value, right } = nodes;
  const size = feature.length;
  if (size === 0 || value.length !== size || right.length !== size) return null;
  for (let node = 0; node < size; node++) {
    if (!Number.isFinite(value[node])) return null;
    if (feature[node] === LEAF) continue;
    const isFeature = Number.isInteger(feature[node]) && feature[node]! >= 0 && feature[node]! < features;
    // Children come after their parents, so a walk ends.
    const isInside = Number.isInteger(right[node]) && right[node]! > 1 && node + right[node]! < size;
    if (!isFeature || !isInside) return null;
  }
  return kept(nodes);
}

function kept({ feature, value, right }: Nodes): Forest {
  const roots: number[] = [];
  for (let node = 0; node < feature.length; node++) {
    roots.push(node);
    while (feature[node] !== LEAF) node += right[node]!; // a tree ends with its rightmost leaf
  }
  return {
    feature: Int16Array.from(feature),
    value: Float32Array.from(value),
    right: Int32Array.from(right),
    roots: Int32Array.from(roots),
  };
}
