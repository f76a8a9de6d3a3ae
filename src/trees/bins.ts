/**
 * Sorts features into bins, at most 255 with about equally many rows each, so that a split is found by counting. Most rows have the same
 * bin in most features, because a program uses only a few of all constructs. So only the other bins of a row are listed, and the rest
 * follows from sums.
 */

const MOST = 255;

export class Binned {
  /** For each feature, the bin of each row. */
  readonly columns: readonly Uint8Array[];
  /** The number of bins of each feature. */
  readonly sizes: readonly number[];
  /** The most frequent bin of each feature. */
  readonly usual: Uint8Array;
  /** For each row, from index `starts[row]` on: the features in which it has another bin, and that bin. */
  readonly starts: Int32Array;
  readonly others: Int32Array;
  readonly otherBins: Uint8Array;
  /** For each feature, the upper edge (inclusive) of each bin but the last. */
  readonly #edges: readonly Float32Array[];

  constructor(features: readonly Float64Array[]) {
    this.#edges = features.map(edgesOf);
    this.sizes = this.#edges.map((edges) => edges.length + 1);
    this.columns = features.map((values, k) => {
      const bins = new Uint8Array(values.length); // `from` with a function takes ten times as long
      for (const [row, value] of values.entries()) bins[row] = binOf(this.#edges[k]!, value);
      return bins;
    });
    this.usual = Uint8Array.from(this.columns, (bins, k) => mostFrequent(bins, this.sizes[k]!));
    const rows = features[0]!.length;
    this.starts = new Int32Array(rows + 1);
    for (const [k, bins] of this.columns.entries()) {
      for (let row = 0; row < rows; row++) if (bins[row] !== this.usual[k]) this.starts[row + 1]! += 1;
    }
    for (let row = 0; row < rows; row++) this.starts[row + 1]! += this.starts[row]!;
    this.others = new Int32Array(this.starts[rows]!);
    this.otherBins = new Uint8Array(this.others.length);
    const next = this.starts.slice();
    for (const [k, bins] of this.columns.entries()) {
      for (let row = 0; row < rows; row++) {
        if (bins[row] === this.usual[k]) continue;
        const at = next[row]!++;
        this.others[at] = k;
        this.otherBins[at] = bins[row]!;
      }
    }
  }

  /** The upper edge (inclusive) of a bin. */
  edge(column: number, bin: number): number {
    return this.#edges[column]![bin]!;
  }
}

/**
 * Bin edges: midpoints between neighbouring values if there are few, otherwise evenly spaced quantiles. In single precision, as forests
 * store them.
 */
function edgesOf(values: Float64Array): Float32Array {
  const sorted = values.toSorted();
  const distinct = sorted.filter((value, i) => i === 0 || value > sorted[i - 1]!);
  if (distinct.length <= MOST) return Float32Array.from(distinct.slice(1), (value, i) => (value + distinct[i]!) / 2);
  const spread = Float32Array.from({ length: MOST - 1 }, (_, k) => {
    return sorted[Math.floor(((k + 1) * (sorted.length - 1)) / MOST)]!;
  });
  return spread.filter((value, i) => (i === 0 || value > spread[i - 1]!) && value < sorted.at(-1)!);
}

function mostFrequent(bins: Uint8Array, size: number): number {
  const times = new Int32Array(size);
  for (const bin of bins) times[bin]! += 1;
  return times.indexOf(Math.max(...times));
}

/** The first bin whose edge is not below a value. */
function binOf(edges: Float32Array, value: number): number {
  let [from, to] = [0, edges.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (value <= edges[middle]!) to = middle;
    else from = middle + 1;
  }
  return from;
}
