import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestOf, bottomOfTasks, topOfTasks } from "../../src/statistics/index.ts";

describe("choosing a program by its score", () => {
  const column = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 4 })), {
    minLength: 1,
    maxLength: 8,
  });

  /** Every choice of n of the items. */
  const choices = (items: readonly number[], n: number): number[][] =>
    n === 0 ? [[]] : items.flatMap((item, i) => choices(items.slice(i + 1), n - 1).map((rest) => [item, ...rest]));

  it("best of n is the mean over all choices of n programs", () => {
    fc.assert(
      fc.property(column, fc.integer({ min: 1, max: 4 }), (rows, n) => {
        const scores = rows.map(([score]) => score);
        const ratios = rows.map(([, ratio]) => ratio / 4);
        const task = [...rows.keys()];
        const picked = choices(task, n).map((drawn) => {
          const best = Math.max(...drawn.map((i) => scores[i]!));
          const tied = drawn.filter((i) => scores[i] === best);
          return tied.reduce((sum, i) => sum + ratios[i]!, 0) / tied.length;
        });
        const [got] = bestOf([task], scores, ratios, n);
        if (picked.length === 0) expect(got).toBeNaN();
        else expect(got).toBeCloseTo(picked.reduce((a, b) => a + b) / picked.length, 12);
      }),
      { numRuns: 200, seed: 8 },
    );
  });

  it("top-1 is the best of all, bottom-1 the best of all by the score turned round", () => {
    fc.assert(
      fc.property(column, (rows) => {
        const scores = rows.map(([score]) => score);
        const ratios = rows.map(([, ratio]) => ratio / 4);
        const tasks = [[...rows.keys()]];
        expect(topOfTasks(tasks, scores, ratios)[0]).toBeCloseTo(bestOf(tasks, scores, ratios, rows.length)[0]!, 12);
        const turned = scores.map((score) => -score);
        expect(bottomOfTasks(tasks, scores, ratios)).toEqual(topOfTasks(tasks, turned, ratios));
      }),
      { numRuns: 100, seed: 9 },
    );
  });
});
