/** The order of a task's candidates: what was seen to run comes before what only resembles something. */
import { describe, expect, it } from "vitest";
import { type CodeScorer, type InputRow, type ScoreResult, scoreRows } from "../../src/score/index.ts";
import type { Behaviour, Conclusion } from "../../src/types.ts";

const SEEN: Behaviour = {
  ...{ agree: 1, inputs: 4, examples: null, samples: null, source: "reference", counterexample: null },
};
const UNSEEN: Behaviour = { ...SEEN, agree: null, inputs: 0, source: null, reason: "it needs numpy" };

const scored = (score: number, conclusion: Conclusion, behaviour?: Behaviour): ScoreResult => ({
  ...{ score, exec: 1, format: "ref", signature: "s", conclusion },
  ...(behaviour && { behaviour }),
});

/** Ids and ranks of one task's rows, in the given order. */
async function orderOf(order: "rank" | "best", results: Readonly<Record<string, ScoreResult>>) {
  const rows = Object.keys(results).map((id): InputRow => ({ id, candidate: id, task: "t", where: null }));
  const scorer = {
    async *score(given: AsyncIterable<InputRow>) {
      for await (const row of given) yield { row, result: results[row.id as string]! };
    },
  };
  const found: [unknown, number | undefined][] = [];
  async function* given() {
    yield* rows;
  }
  for await (const { id, rank } of scoreRows(scorer as unknown as CodeScorer, given(), { format: "auto", order }))
    found.push([id, rank?.rank]);
  return found;
}

describe("with --run", () => {
  const RESULTS = {
    unseen: scored(0.99, "looks-right", UNSEEN),
    fails: scored(0.9, "fails", SEEN),
    right: scored(0.8, "behaves-right", SEEN),
    unknown: scored(0.3, "unknown", SEEN),
    less: scored(0.2, "unknown", UNSEEN),
    broken: { error: { code: "input", message: "no row" } } as ScoreResult,
  };

  it("programs that ran and do not fail come first, the others by score", async () => {
    expect(await orderOf("rank", RESULTS)).toEqual([
      ["right", 1],
      ["unknown", 2],
      ["unseen", 3],
      ["fails", 4],
      ["less", 5],
      ["broken", undefined],
    ]);
    expect(await orderOf("best", RESULTS)).toEqual([["right", 1]]);
  });

  it("a program that could not be run is chosen if the others fail and score less", async () => {
    const { unseen, fails, less } = RESULTS;
    expect(await orderOf("best", { fails, unseen })).toEqual([["unseen", 1]]);
    expect(await orderOf("best", { less, fails })).toEqual([["fails", 1]]);
  });

  it("equal scores of a program that ran and of one that did not are no tie", async () => {
    const results = { unseen: scored(0.5, "unknown", UNSEEN), seen: scored(0.5, "unknown", SEEN) };
    expect(await orderOf("rank", results)).toEqual([
      ["seen", 1],
      ["unseen", 2],
    ]);
  });
});

it("without --run the scores alone count", async () => {
  const results = { a: scored(0.2, "fails"), b: scored(0.6, "unknown"), c: scored(0.5, "looks-right") };
  expect((await orderOf("rank", results)).map(([id]) => id)).toEqual(["b", "c", "a"]);
});
