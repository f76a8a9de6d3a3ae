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
  return chance(odds);
}

const chance = (odds: number): number => 1 / (1 + Math.exp(-odds));

/** Number of rows after which sorting the splits pays. */
const FEW = 64;

/** A function that gives what `predict` gives, to the last bit. It is faster for many rows, because it makes no jump that depends on memory. */
export function predictor(forest: Forest): (row: Float64Array) => number {
  let rows = 0;
  let splits: Splits | null | undefined;
  return (row) => {
    if (++rows <= FEW) return predict(forest, row);
    splits ??= splitsOf(forest);
    return splits === null ? predict(forest, row) : scan(splits, row);
  };
}

/** The splits of a forest, ordered by feature and value (Lucchese et al. 2015, "QuickScorer"). */
interface Splits {
  /** The first split of each feature, and the number of splits. */
  readonly firsts: Int32Array;
  readonly values: Float32Array;
  readonly trees: Uint16Array;
  /** The leaves of a split's tree, as bits from the left, without those that a row cannot reach if it goes right. */
  readonly masks: Int32Array;
  /** The values of each tree's leaves. */
  readonly leaves: Float32Array;
}

/** Leaves of a tree that fit in a mask, and trees that have a number. */
const [MOST_LEAVES, MOST_TREES] = [32, 2 ** 16];

/** Null for a forest that is too large. */
function splitsOf({ feature, value, right, roots }: Forest): Splits | null {
  const nodes = Array.from(feature, (_, node) => node).filter((node) => feature[node] !== LEAF);
  const masks = new Int32Array(feature.length);
  const trees = new Uint16Array(feature.length);
  const leaves = new Float32Array(roots.length * MOST_LEAVES);
  if (roots.length > MOST_TREES) return null;
  for (let tree = 0; tree < roots.length; tree++) {
    const [first, end] = [roots[tree]!, roots[tree + 1] ?? feature.length];
    /** The leaf before which each node stands. */
    const before = new Int32Array(end - first + 1);
    for (let node = first; node < end; node++) {
      const leaf = before[node - first]!;
      before[node - first + 1] = leaf + (feature[node] === LEAF ? 1 : 0);
      if (feature[node] === LEAF && leaf >= MOST_LEAVES) return null;
      if (feature[node] === LEAF) leaves[tree * MOST_LEAVES + leaf] = value[node]!;
    }
    for (let node = first; node < end; node++) {
      if (feature[node] === LEAF) continue;
      const [from, to] = [before[node - first]!, before[node - first + right[node]!]!];
      masks[node] = ~(((1 << (to - from)) - 1) << from);
      trees[node] = tree;
    }
  }
  nodes.sort((a, b) => feature[a]! - feature[b]! || value[a]! - value[b]!);
  const features = nodes.length === 0 ? 0 : feature[nodes.at(-1)!]! + 1;
  const firsts = new Int32Array(features + 1);
  for (const node of nodes) firsts[feature[node]! + 1]! += 1;
  for (let i = 0; i < features; i++) firsts[i + 1]! += firsts[i]!;
  return {
    firsts,
    values: Float32Array.from(nodes, (node) => value[node]!),
    trees: Uint16Array.from(nodes, (node) => trees[node]!),
    masks: Int32Array.from(nodes, (node) => masks[node]!),
    leaves,
  };
}

/** Removes the leaves that the row cannot reach. It ends in the leftmost of the others. */
function scan({ firsts, values, trees, masks, leaves }: Splits, row: Float64Array): number {
  const reached = new Int32Array(leaves.length / MOST_LEAVES).fill(-1);
  for (let feature = 0; feature + 1 < firsts.length; feature++) {
    const [end, given] = [firsts[feature + 1]!, row[feature]!];
    for (let i = firsts[feature]!; i < end && !(given <= values[i]!); i++) reached[trees[i]!]! &= masks[i]!;
  }
  let odds = 0;
  for (let tree = 0; tree < reached.length; tree++) {
    const left = reached[tree]!;
    odds += leaves[tree * MOST_LEAVES + 31 - Math.clz32(left & -left)]!;
  }
  return chance(odds);
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
