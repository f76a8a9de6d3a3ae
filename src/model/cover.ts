/**
 * Cover levels: for each token of the candidate and the reference, how long an n-gram around it also occurs in the other program. They are
 * computed from the ids, inside the graph. A small encoder cannot find the alignment of two programs by itself. With cover levels it learns
 * fast.
 */
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
