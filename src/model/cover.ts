/**
 * Cover levels: for each token of the candidate (and of the reference) the longest n-gram around it that also occurs in
 * the other program, computed from the ids inside the graph. A small encoder cannot find the alignment of two programs by
 * itself; given it, it learns fast.
 */
import type { Ops } from "./ops.ts";

/**
 * @param candidate mask of the candidate's tokens [B, T]
 * @param reference mask of the reference's tokens [B, T]
 * @param sizes rising n-gram sizes, beginning with 1
 * @returns how many of the sizes cover each token, 0 to sizes.length [B, T]
 */
export function coverLevels<T>(ops: Ops<T>, ids: T, candidate: T, reference: T, sizes: readonly number[]): T {
  const rows = (x: T): T => ops.reshape(x, [0, -1, 1]);
  const columns = (x: T): T => ops.reshape(x, [0, 1, -1]);
  const [own, other] = [ops.span(candidate), ops.span(reference)];
  const same = ops.equal(rows(own.cut(ids)), columns(other.cut(ids))); // [B, C, R]
  const both = ops.mul(rows(own.cut(candidate)), columns(other.cut(reference)));
  const matches = new Map<number, T>([[1, ops.mul(same, both)]]); // n -> 1 where n tokens match from (i, j) on
  const levels: { candidate: T; reference: T }[] = [];
  let largest = 1;
  for (const n of sizes) {
    if (!matches.has(n)) {
      // A run of n is a run of `largest` and, n - k further on, a run of the smallest known k that reaches the rest.
      const rest = [...matches.keys()].find((k) => k >= n - largest);
      if (rest === undefined) throw new RangeError(`cover sizes must not more than double: ${largest}, ${n}`);
      matches.set(n, ops.mul(matches.get(largest)!, ops.shift(matches.get(rest)!, [1, 2], n - rest)));
      largest = n;
    }
    const covered = (axis: number): T => spread(ops, ops.max(matches.get(n)!, axis), n);
    levels.push({ candidate: covered(2), reference: covered(1) });
  }
  const sum = (part: "candidate" | "reference"): T =>
    levels.map((level) => level[part]).reduce((a, b) => ops.add(a, b));
  return ops.add(own.restore(sum("candidate")), other.restore(sum("reference")));
}

/** 1 on each of the n tokens of a run that starts at a 1; by doubling. */
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
