/** Gradient-boosted trees: their storage format, and their prediction for a row of features. */

/** Stands for a feature in a leaf. */
const LEAF = -1;

/** The nodes, tree after tree. Each tree is in depth-first order, left branch first, so that a node's left child is the next node. */
export interface Nodes {
  /** The feature that a node splits on. -1: the node is a leaf. */
  readonly feature: ArrayLike<number>;
  /** The largest value that goes left. In a leaf, its log odds. */
  readonly value: ArrayLike<number>;
  /** Offset from a node to its right child. In a leaf, 0. */
  readonly right: ArrayLike<number>;
}

/** Trees whose leaf values are summed. The first tree is a single leaf: the initial log odds. */
export interface Forest extends Nodes {
  readonly feature: Int16Array;
  readonly value: Float32Array;
  readonly right: Int32Array;
  /** The first node of each tree. */
  readonly roots: Int32Array;
}

/** The probability, in (0, 1), that a forest predicts for a row of features. */
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

/** A forest whose log odds are the mean of several forests'. Averaging helps because their errors differ. */
export function meanOf(forests: readonly Forest[]): Forest {
  const all = (name: keyof Nodes): number[] => forests.flatMap((forest) => [...forest[name]]);
  const feature = all("feature");
  const value = all("value").map((of, node) => (feature[node] === LEAF ? of / forests.length : of));
  return kept({ feature, value, right: all("right") });
}

/** Checks the nodes. Null unless they are a forest over this many features in which every path ends at a leaf. */
export function forestOf(nodes: Nodes, features: number): Forest | null {
  const { feature, value, right } = nodes;
  const size = feature.length;
  if (size === 0 || value.length !== size || right.length !== size) return null;
  for (let node = 0; node < size; node++) {
    if (!Number.isFinite(value[node])) return null;
    if (feature[node] === LEAF) continue;
    const isFeature = Number.isInteger(feature[node]) && feature[node]! >= 0 && feature[node]! < features;
    // Children come after their parents, so every path ends.
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
