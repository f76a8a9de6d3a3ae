import fc from "fast-check";
import { expect, it } from "vitest";
import { concordance } from "../../src/statistics/index.ts";

/** Checks every pair. */
function slowly(scores: readonly number[], truth: readonly number[]): { pairs: number; right: number } {
  let [pairs, right] = [0, 0];
  for (let i = 0; i < scores.length; i++) {
    for (let k = 0; k < i; k++) {
      if (truth[i] === truth[k]) continue;
      pairs += 1;
      const agree = Math.sign(scores[i]! - scores[k]!) * Math.sign(truth[i]! - truth[k]!);
      right += (1 + agree) / 2;
    }
  }
  return { pairs, right };
}

it("counts the pairs that scores order as the truth does, ties half", () => {
  expect(concordance([1, 2, 3], [0, 0.5, 1])).toEqual({ pairs: 3, right: 3 });
  expect(concordance([1, 1], [0, 1])).toEqual({ pairs: 1, right: 0.5 });
  expect(concordance([1, 2], [1, 1])).toEqual({ pairs: 0, right: 0 });
  expect(concordance([], [])).toEqual({ pairs: 0, right: 0 });
  const row = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 4 }));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), (rows) => {
      const [scores, truth] = [rows.map(([score]) => score), rows.map(([, value]) => value)];
      expect(concordance(scores, truth)).toEqual(slowly(scores, truth));
    }),
  );
});
