/**
 * Cover levels: for each token of the candidate and the reference, how long an n-gram around it also occurs in the other program. The
 * exported network computes them from the ids, training from lists. A small encoder cannot find the alignment of two programs by itself. With
 * cover levels it learns fast.
 */
import type { ModelConfig } from "./config.ts";
import type { Ops } from "./ops.ts";

/**
 * @param candidate mask of the candidate's tokens [B, T]
 * @param reference mask of the reference's tokens [B, T]
 * @param sizes increasing n-gram sizes, starting with 1
 * @returns for each token, the number of sizes that cover it, 0 to sizes.length [B, T]
 */
export function coverLevels<T>(ops: Ops<T>, ids: T, candidate: T, reference: T, sizes: readonly number[]): T {
  const rows = (x: T): T => ops.reshape(x, [0, -1, 1]);
  const columns = (x: T): T => ops.reshape(x, [0, 1, -1]);
  const [inCandidate, inReference] = [ops.span(candidate), ops.span(reference)];
  const same = ops.equal(rows(inCandidate.cut(ids)), columns(inReference.cut(ids))); // [B, C, R]
  const both = ops.mul(rows(inCandidate.cut(candidate)), columns(inReference.cut(reference)));
  const matches = new Map<number, T>([[1, ops.mul(same, both)]]); // n -> 1 if n tokens match from (i, j) on
  let largest = 1;
  for (const n of sizes) {
    if (!matches.has(n)) {
      // A run of length n is a run of length `largest` and, n - k tokens later, a run of length k, the smallest known k that reaches the end.
      const rest = [...matches.keys()].find((k) => k >= n - largest);
      if (rest === undefined) throw new RangeError(`cover sizes must not more than double: ${largest}, ${n}`);
      matches.set(n, ops.mul(matches.get(largest)!, ops.shift(matches.get(rest)!, [1, 2], n - rest)));
      largest = n;
    }
  }
  /** Levels of the tokens along the other axis; the maximum is taken over `axis`. */
  const levels = (axis: number): T =>
    sizes.map((n) => spread(ops, ops.max(matches.get(n)!, axis), n)).reduce((a, b) => ops.add(a, b));
  return ops.add(inCandidate.restore(levels(2)), inReference.restore(levels(1)));
}

/** 1 on each of the n tokens of a run that starts at a 1. Uses doubling. */
function spread<T>(ops: Ops<T>, starts: T, n: number): T {
  let covered = starts;
  let width = 1;
  while (width < n) {
    const step = Math.min(width, n - width);
    covered = ops.max(ops.stack([covered, ops.shift(covered, [1], -step)], 2), 2);
    width += step;
  }
  return covered;
}

/** `coverLevels` of one sequence of ids, without tensors: 0 on special tokens. */
export function coverLevelsOf(ids: readonly number[], config: ModelConfig): Uint8Array {
  const { bos_token_id, eos_token_id } = config;
  const { cover } = config.codescore;
  const ends = ids.flatMap((id, i) => (id === eos_token_id ? [i] : []));
  const candidate = [ids[0] === bos_token_id ? 1 : 0, ends[0] ?? ids.length] as const;
  const reference = [candidate[1] + 1, ends[1] ?? ids.length] as const;
  const runs = new Uint16Array(ids.length); // the longest run that starts at each token
  let later = new Uint16Array(ids.length + 1); // runs that start at the candidate's next token and at each token of the reference
  for (let i = candidate[1] - 1; i >= candidate[0]; i--) {
    const own = new Uint16Array(ids.length + 1);
    for (let j = reference[0]; j < reference[1]; j++) {
      if (ids[i] !== ids[j]) continue;
      own[j] = later[j + 1]! + 1;
      runs[i] = Math.max(runs[i]!, own[j]!);
      runs[j] = Math.max(runs[j]!, own[j]!);
    }
    later = own;
  }
  const levels = new Uint8Array(ids.length);
  for (const [start, end] of [candidate, reference]) {
    for (const n of cover) {
      let covered = start; // the end of the tokens that are covered
      for (let i = start; i < end; i++) {
        if (runs[i]! >= n) covered = i + n;
        if (i < covered) levels[i]! += 1;
      }
    }
  }
  return levels;
}
