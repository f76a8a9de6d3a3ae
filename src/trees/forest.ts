/** Gradient-boosted trees: how they are kept, and what they say of a row of features. */

/** Numbers a node. */
export const WIDTH = 3;
/** In a leaf, in place of a feature. */
const LEAF = -1;

export interface Forest {
  /**
   * [nodes, 3], tree after tree, each in the order of a walk that takes the left branch first, so that a node's left child is
   * the next one. Of an inner node: the feature, the greatest value that goes left, how many nodes further the right child is.
   * Of a leaf: -1, its log odds, 0. The first tree is a leaf: the log odds before any other.
   */
  readonly nodes: Float32Array;
  /** The place in `nodes` at which each tree begins. */
  readonly roots: Uint32Array;
}

/** The probability, in (0, 1), that a forest gives a row of features. */
export function predict({ nodes, roots }: Forest, features: ArrayLike<number>): number {
  let odds = 0;
  for (const root of roots) {
    let node = root;
    while (nodes[node]! >= 0) node += WIDTH * (features[nodes[node]!]! <= nodes[node + 1]! ? 1 : nodes[node + 2]!);
    odds += nodes[node + 1]!;
  }
  return 1 / (1 + Math.exp(-odds));
}

/** One forest whose log odds are the mean of several's: they err in different places. */
export function meanOf(forests: readonly Forest[]): Forest {
  const nodes = Float32Array.from(forests.flatMap((forest) => [...forest.nodes]));
  for (let node = 0; node < nodes.length; node += WIDTH) {
    if (nodes[node] === LEAF) nodes[node + 1]! /= forests.length;
  }
  return { nodes, roots: rootsOf(nodes) };
}

/** A forest of its nodes; null unless it is one over so many features, in which every walk comes to a leaf. */
export function forestOf(nodes: Float32Array, features: number): Forest | null {
  if (nodes.length === 0 || nodes.length % WIDTH !== 0) return null;
  for (let node = 0; node < nodes.length; node += WIDTH) {
    const [feature, value, right] = [nodes[node]!, nodes[node + 1]!, nodes[node + 2]!];
    if (!Number.isFinite(value)) return null;
    if (feature === LEAF) continue;
    const isFeature = Number.isInteger(feature) && feature >= 0 && feature < features;
    // Children come after their parents, so a walk ends.
    const isInside = Number.isInteger(right) && right > 1 && node + WIDTH * right < nodes.length;
    if (!isFeature || !isInside) return null;
  }
  return { nodes, roots: rootsOf(nodes) };
}

/** A tree ends with its rightmost leaf. */
function rootsOf(nodes: Float32Array): Uint32Array {
  const roots: number[] = [];
  for (let node = 0; node < nodes.length; node += WIDTH) {
    roots.push(node);
    while (nodes[node] !== LEAF) node += WIDTH * nodes[node + 2]!;
  }
  return Uint32Array.from(roots);
}
