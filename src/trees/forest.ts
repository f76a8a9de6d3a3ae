/** Gradient-boosted trees: how they are kept, and what they say of a row of features. */

/**
 * A tree's nodes in the order of a walk that takes the left branch first, so that a node's left child is the next one. Of an
 * inner node: the feature, the greatest value that goes left, the place of the right child. Of a leaf: -1, its value, 0.
 */
export interface Tree {
  readonly feature: readonly number[];
  readonly value: readonly number[];
  readonly right: readonly number[];
}

export interface Forest {
  /** Log odds before any tree. */
  readonly base: number;
  readonly trees: readonly Tree[];
}

/** The probability, in (0, 1), that a forest gives a row; `feature` says the row's value of a feature. */
export function predict({ base, trees }: Forest, feature: (index: number) => number): number {
  let odds = base;
  for (const tree of trees) odds += leafOf(tree, feature);
  return 1 / (1 + Math.exp(-odds));
}

function leafOf({ feature, value, right }: Tree, of: (index: number) => number): number {
  let node = 0;
  while (feature[node]! >= 0) node = of(feature[node]!) <= value[node]! ? node + 1 : right[node]!;
  return value[node]!;
}

/** One forest whose log odds are the mean of several's: they err in different places. */
export function meanOf(forests: readonly Forest[]): Forest {
  const share = (value: number): number => Number((value / forests.length).toPrecision(6));
  const scaled = ({ feature, value, right }: Tree): Tree => ({
    feature,
    value: value.map((of, node) => (feature[node] === -1 ? share(of) : of)),
    right,
  });
  return {
    base: share(forests.reduce((sum, { base }) => sum + base, 0)),
    trees: forests.flatMap(({ trees }) => trees.map(scaled)),
  };
}

/** Whether a value is a forest over so many features in which every walk comes to a leaf. */
export function isForest(value: unknown, features: number): value is Forest {
  const { base, trees } = (value ?? {}) as Partial<Forest>;
  return Number.isFinite(base) && Array.isArray(trees) && trees.every((tree) => isTree(tree, features));
}

function isTree(tree: unknown, features: number): tree is Tree {
  const { feature, value, right } = (tree ?? {}) as Partial<Tree>;
  if (!Array.isArray(feature) || !Array.isArray(value) || !Array.isArray(right)) return false;
  const size = feature.length;
  if (size === 0 || value.length !== size || right.length !== size) return false;
  return feature.every((one: unknown, node) => {
    if (!Number.isFinite(value[node])) return false;
    if (one === -1) return true;
    const isFeature = Number.isInteger(one) && (one as number) >= 0 && (one as number) < features;
    // Children come after their parents, so a walk ends.
    return isFeature && Number.isInteger(right[node]) && right[node]! > node + 1 && right[node]! < size;
  });
}
