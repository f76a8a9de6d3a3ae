/** Features in bins, at most 255 of about as many rows each, so that a split is found by counting. */

const MOST = 255;

export class Binned {
  /** Of each feature the bin of each row. */
  readonly columns: readonly Uint8Array[];
  /** How many bins it has. */
  readonly sizes: readonly number[];
  /** The greatest value of each of its bins but the last. */
  readonly #edges: readonly Float32Array[];

  constructor(features: readonly Float64Array[]) {
    this.#edges = features.map(edgesOf);
    this.sizes = this.#edges.map((edges) => edges.length + 1);
    this.columns = features.map((values, k) => Uint8Array.from(values, (value) => binOf(this.#edges[k]!, value)));
  }

  /** The greatest value that a bin may hold. */
  edge(column: number, bin: number): number {
    return this.#edges[column]![bin]!;
  }
}

/** Half-way between neighbours among the values, of all of them or of evenly spread ones; as forests keep them, in single precision. */
function edgesOf(values: Float64Array): Float32Array {
  const sorted = values.toSorted();
  const distinct = sorted.filter((value, i) => i === 0 || value > sorted[i - 1]!);
  if (distinct.length <= MOST) return Float32Array.from(distinct.slice(1), (value, i) => (value + distinct[i]!) / 2);
  const spread = Float32Array.from({ length: MOST - 1 }, (_, k) => {
    return sorted[Math.floor(((k + 1) * (sorted.length - 1)) / MOST)]!;
  });
  return spread.filter((value, i) => (i === 0 || value > spread[i - 1]!) && value < sorted.at(-1)!);
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
