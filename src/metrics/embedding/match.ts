/**
 * Greedy matching of contextual token vectors (Zhang et al. 2020, equations 1 to 4). The value of each token is its highest
 * cosine with a token of the other side. Special tokens of the other side count, as in the package bert-score.
 */

/** One text as token vectors. */
export interface TokenVectors {
  /** [tokens, size], each normalized to length 1. */
  readonly vectors: Float32Array;
  /** Weight of each token; 0 for special ones. */
  readonly weights: Float64Array;
  /** Tokens that are not special. */
  readonly content: number;
}

export interface Matched {
  readonly p: number;
  readonly r: number;
  readonly f1: number;
  /** Recall has nine times the weight of precision (Zhou et al. 2023). */
  readonly f3: number;
}

/** Divides each row of [tokens, size] by its length, in place. */
export function normalizeRows(vectors: Float32Array, size: number): Float32Array {
  for (let from = 0; from < vectors.length; from += size) {
    let squares = 0;
    for (let i = from; i < from + size; i++) squares += vectors[i]! ** 2;
    const length = Math.sqrt(squares);
    for (let i = from; i < from + size; i++) vectors[i]! /= length;
  }
  return vectors;
}

/**
 * Precision, recall and their means. All are 0 if a side has only special tokens. If the total weight is 0, F is 0, and P or R
 * is NaN, as in the packages.
 */
export function matchTokens(candidate: TokenVectors, reference: TokenVectors, size: number): Matched {
  if (candidate.content === 0 || reference.content === 0) return { p: 0, r: 0, f1: 0, f3: 0 };
  const { ofOurs, ofTheirs } = bestCosines(candidate.vectors, reference.vectors, size);
  const p = weightedMean(ofOurs, candidate.weights);
  const r = weightedMean(ofTheirs, reference.weights);
  return { p, r, f1: fBeta(p, r, 1), f3: fBeta(p, r, 3) };
}

/**
 * The highest cosine of each row with a row of the other side. Processes two rows by four at a time, so that loaded values are
 * used more than once; this is four times as fast as one by one. At the end, the last row fills the missing places.
 */
function bestCosines(
  ours: Float32Array,
  theirs: Float32Array,
  size: number,
): { readonly ofOurs: Float64Array; readonly ofTheirs: Float64Array } {
  const [n, m] = [ours.length / size, theirs.length / size];
  const ofOurs = new Float64Array(n).fill(-1);
  const ofTheirs = new Float64Array(m).fill(-1);
  for (let i = 0; i < n; i += 2) {
    const i1 = Math.min(i + 1, n - 1);
    const [a0, a1] = [i * size, i1 * size];
    for (let j = 0; j < m; j += 4) {
      const [j1, j2, j3] = [Math.min(j + 1, m - 1), Math.min(j + 2, m - 1), Math.min(j + 3, m - 1)];
      const [b0, b1, b2, b3] = [j * size, j1 * size, j2 * size, j3 * size];
      let [s0, s1, s2, s3, t0, t1, t2, t3] = [0, 0, 0, 0, 0, 0, 0, 0];
      for (let k = 0; k < size; k++) {
        const x = ours[a0 + k]!; // no destructuring in here: it takes three times as long
        const y = ours[a1 + k]!;
        const u0 = theirs[b0 + k]!;
        const u1 = theirs[b1 + k]!;
        const u2 = theirs[b2 + k]!;
        const u3 = theirs[b3 + k]!;
        s0 += x * u0;
        s1 += x * u1;
        s2 += x * u2;
        s3 += x * u3;
        t0 += y * u0;
        t1 += y * u1;
        t2 += y * u2;
        t3 += y * u3;
      }
      ofOurs[i] = Math.max(ofOurs[i]!, s0, s1, s2, s3);
      ofOurs[i1] = Math.max(ofOurs[i1]!, t0, t1, t2, t3);
      ofTheirs[j] = Math.max(ofTheirs[j]!, s0, t0);
      ofTheirs[j1] = Math.max(ofTheirs[j1]!, s1, t1);
      ofTheirs[j2] = Math.max(ofTheirs[j2]!, s2, t2);
      ofTheirs[j3] = Math.max(ofTheirs[j3]!, s3, t3);
    }
  }
  return { ofOurs, ofTheirs };
}

function weightedMean(values: Float64Array, weights: Float64Array): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    sum += values[i]! * weights[i]!;
    total += weights[i]!;
  }
  return sum / total;
}

function fBeta(p: number, r: number, beta: number): number {
  const f = ((1 + beta ** 2) * p * r) / (beta ** 2 * p + r);
  return Number.isNaN(f) ? 0 : f;
}

/**
 * The weight of an id by the number of documents that contain it (equation 5): log((n + 1) / (those + 1)).
 * @param documents the number of occurrences of each sequence of ids
 */
export function inverseDocumentFrequency(
  documents: Iterable<readonly [ids: readonly number[], times: number]>,
): (id: number) => number {
  const counts = new Map<number, number>();
  let n = 0;
  for (const [ids, times] of documents) {
    n += times;
    for (const id of new Set(ids)) counts.set(id, (counts.get(id) ?? 0) + times);
  }
  return (id) => Math.log((n + 1) / ((counts.get(id) ?? 0) + 1));
}
