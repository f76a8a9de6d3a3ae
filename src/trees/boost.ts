/**
 * Gradient boosting of regression trees (Friedman 2001) on binned features. Each tree grows at the leaf with the highest gain, as in
 * LightGBM (Ke et al. 2017, sections 2.1 and 3), with Newton steps on the cross-entropy with soft labels. The same rows, options and seed
 * give the same forest.
 */
import { Random } from "../util/random.ts";
import { oncePer } from "../util/remember.ts";
import { Binned } from "./bins.ts";
import { type Forest, forestOf } from "./forest.ts";

export interface Rows {
  /** For each feature, its value in each row. */
  readonly features: readonly Float64Array[];
  /** In [0, 1]. */
  readonly targets: Float64Array;
  /** Above 0. */
  readonly weights: Float64Array;
}

export interface BoostOptions {
  /** @default 200 */
  readonly trees?: number;
  /** Maximum leaves per tree. @default 31 */
  readonly leaves?: number;
  /** Learning rate: the share of its step that each tree makes. @default 0.05 */
  readonly rate?: number;
  /** Minimum rows per leaf. @default 40 */
  readonly leastRows?: number;
  /** L2 term that is added to a leaf's curvature. @default 5 */
  readonly ridge?: number;
  /** Share of the rows that each tree is grown on. @default 0.7 */
  readonly rowShare?: number;
  /** Share of the features that each tree may split on. @default 0.4 */
  readonly featureShare?: number;
  /** @default 1 */
  readonly seed?: number;
  /** Called after each tree. */
  readonly onTree?: () => void;
}

type Settings = Required<BoostOptions>;

/** Default number of trees. */
export const TREES = 200;

const DEFAULTS: Settings = {
  trees: TREES,
  leaves: 31,
  rate: 0.05,
  leastRows: 40,
  ridge: 5,
  rowShare: 0.7,
  featureShare: 0.4,
  seed: 1,
  onTree: () => {},
};

/** Cached, because forests of several seeds are grown on the same features. */
const binnedOf = oncePer((features: Rows["features"]) => new Binned(features));

/** Grows a forest whose probabilities approximate the targets. */
export function boost({ features, targets, weights }: Rows, options: BoostOptions = {}): Forest {
  const settings = { ...DEFAULTS, ...options };
  const random = new Random(settings.seed);
  const size = targets.length;
  const binned = binnedOf(features);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = targets.reduce((sum, target, i) => sum + target * weights[i]!, 0) / total;
  const inside = Math.min(1 - 1e-6, Math.max(1e-6, mean)); // in case all are 0 or all are 1
  const base = Math.fround(Math.log(inside / (1 - inside)));
  const odds = new Float64Array(size).fill(base);
  const [gradient, curvature] = [new Float64Array(size), new Float64Array(size)];
  const rows = Array.from({ length: size }, (_, i) => i);
  const columns = features.map((_, i) => i);
  const nodes: Kept[] = [[-1, base, 0]];
  for (let n = 0; n < settings.trees; n++) {
    for (let i = 0; i < size; i++) {
      const p = 1 / (1 + Math.exp(-odds[i]!));
      gradient[i] = weights[i]! * (p - targets[i]!);
      curvature[i] = weights[i]! * p * (1 - p);
    }
    const seen = Int32Array.from(random.shuffle(rows).slice(0, Math.ceil(settings.rowShare * size)));
    const by = random.shuffle(columns).slice(0, Math.ceil(settings.featureShare * columns.length));
    const tree = grow(binned, { gradient, curvature, rows: seen, columns: by, settings });
    nodes.push(...tree.nodes);
    for (let i = 0; i < size; i++) odds[i]! += tree.at(i);
    settings.onTree();
  }
  const [feature, value, right] = [0, 1, 2].map((k) => nodes.map((node) => node[k]!)) as [number[], number[], number[]];
  return forestOf({ feature, value, right }, features.length)!;
}

/** A node's feature, value and offset of its right child, as in `Nodes`. */
type Kept = readonly [feature: number, value: number, right: number];

interface Growing {
  readonly gradient: Float64Array;
  readonly curvature: Float64Array;
  readonly rows: Int32Array;
  readonly columns: readonly number[];
  readonly settings: Settings;
}

interface Node {
  readonly rows: Int32Array;
  readonly sums: Sums;
  /** Its value as a leaf. */
  readonly value: number;
  /** Its best split, null if there is none. */
  readonly best: Split | null;
  split: { readonly by: Split; readonly left: Node; readonly right: Node } | null;
}

interface Split {
  readonly gain: number;
  readonly column: number;
  /** The last bin that goes left. */
  readonly bin: number;
}

function grow(binned: Binned, growing: Growing): { nodes: Kept[]; at: (row: number) => number } {
  const { settings, columns } = growing;
  const sumsOf = (rows: Int32Array): Sums => sumUp(rows, binned, growing);
  const open = (rows: Int32Array, sums: Sums): Node => {
    const total = whole(sums, binned.sizes[columns[0]!]!);
    const value = Math.fround((-settings.rate * total.gradient) / (total.curvature + settings.ridge));
    return { rows, sums, value, best: bestSplit(rows.length, sums, total, binned, growing), split: null };
  };
  const root = open(growing.rows, sumsOf(growing.rows));
  const leaves = [root];
  while (leaves.length < settings.leaves) {
    const next = leaves.reduce((a, b) => ((b.best?.gain ?? 0) > (a.best?.gain ?? 0) ? b : a));
    if (next.best === null) break;
    const { column, bin } = next.best;
    const bins = binned.columns[column]!;
    const left = next.rows.filter((row) => bins[row]! <= bin);
    const right = next.rows.filter((row) => bins[row]! > bin);
    // Only the smaller part is summed up. The sums of the other are the difference.
    const isLeft = left.length < right.length;
    const fewer = sumsOf(isLeft ? left : right);
    const more = less(next.sums, fewer);
    next.split = { by: next.best, left: open(left, isLeft ? fewer : more), right: open(right, isLeft ? more : fewer) };
    leaves.splice(leaves.indexOf(next), 1, next.split.left, next.split.right);
  }
  const nodesOf = ({ split, value }: Node): Kept[] => {
    if (split === null) return [[-1, value, 0]];
    const [left, right] = [nodesOf(split.left), nodesOf(split.right)];
    return [[split.by.column, binned.edge(split.by.column, split.by.bin), 1 + left.length], ...left, ...right];
  };
  const at = (row: number): number => {
    let node = root;
    while (node.split !== null) {
      const { by, left, right } = node.split;
      node = binned.columns[by.column]![row]! <= by.bin ? left : right;
    }
    return node.value;
  };
  return { nodes: nodesOf(root), at };
}

/** Sums over a node's rows, and their number, for each bin of all columns of a tree, one column after another. */
interface Sums {
  readonly gradient: Float64Array;
  readonly curvature: Float64Array;
  readonly rows: Int32Array;
}

function sumUp(rows: Int32Array, { sizes, usual, starts, others, otherBins }: Binned, growing: Growing): Sums {
  const first = new Int32Array(sizes.length).fill(-1); // index of the first bin of each of the tree's columns
  let size = 0;
  for (const column of growing.columns) {
    first[column] = size;
    size += sizes[column]!;
  }
  const sums = { gradient: new Float64Array(size), curvature: new Float64Array(size), rows: new Int32Array(size) };
  let [allGradient, allCurvature] = [0, 0];
  for (const row of rows) {
    const [g, h] = [growing.gradient[row]!, growing.curvature[row]!];
    allGradient += g;
    allCurvature += h;
    const end = starts[row + 1]!;
    for (let i = starts[row]!; i < end; i++) {
      const from = first[others[i]!]!;
      if (from < 0) continue;
      const bin = from + otherBins[i]!;
      sums.gradient[bin]! += g;
      sums.curvature[bin]! += h;
      sums.rows[bin]! += 1;
    }
  }
  for (const column of growing.columns) {
    const from = first[column]!;
    let [g, h, count] = [allGradient, allCurvature, rows.length];
    for (let bin = from; bin < from + sizes[column]!; bin++) {
      g -= sums.gradient[bin]!;
      h -= sums.curvature[bin]!;
      count -= sums.rows[bin]!;
    }
    const bin = from + usual[column]!;
    sums.gradient[bin] = g;
    sums.curvature[bin] = h;
    sums.rows[bin] = count;
  }
  return sums;
}

const less = (all: Sums, part: Sums): Sums => ({
  gradient: all.gradient.map((value, bin) => value - part.gradient[bin]!),
  curvature: all.curvature.map((value, bin) => value - part.curvature[bin]!),
  rows: all.rows.map((value, bin) => value - part.rows[bin]!),
});

/** A node's gradient and curvature: the sums over the bins of its first column. */
function whole(sums: Sums, size: number): Total {
  const total = (values: Float64Array): number => values.subarray(0, size).reduce((sum, value) => sum + value, 0);
  return { gradient: total(sums.gradient), curvature: total(sums.curvature) };
}

interface Total {
  readonly gradient: number;
  readonly curvature: number;
}

const LEAST_GAIN = 1e-9;

function bestSplit(
  count: number,
  sums: Sums,
  { gradient, curvature }: Total,
  { sizes }: Binned,
  { columns, settings }: Growing,
): Split | null {
  const { ridge, leastRows } = settings;
  if (count < 2 * leastRows) return null;
  const score = (g: number, h: number): number => (g * g) / (h + ridge);
  const before = score(gradient, curvature);
  let best: Split | null = null;
  let from = 0;
  for (const column of columns) {
    const size = sizes[column]!;
    let [g, h, left] = [0, 0, 0];
    for (let bin = 0; bin < size - 1; bin++) {
      g += sums.gradient[from + bin]!;
      h += sums.curvature[from + bin]!;
      left += sums.rows[from + bin]!;
      if (left < leastRows || count - left < leastRows) continue;
      const gain = score(g, h) + score(gradient - g, curvature - h) - before;
      if (gain > (best?.gain ?? LEAST_GAIN)) best = { gain, column, bin };
    }
    from += size;
  }
  return best;
}
