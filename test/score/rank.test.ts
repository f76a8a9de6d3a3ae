import { describe, expect, it } from "vitest";
import { rank, Summary } from "../../src/score/index.ts";

describe("rank", () => {
  it.each<[string, number[], [number, number][]]>([
    ["nothing", [], []],
    ["one", [0.2], [[1, 1]]],
    [
      "higher as better",
      [0.1, 0.9, 0.5],
      [
        [3, 1],
        [1, 1],
        [2, 1],
      ],
    ],
    [
      "equals alike, the next after all of them",
      [0.5, 0.9, 0.5, 0.1],
      [
        [2, 2],
        [1, 1],
        [2, 2],
        [4, 1],
      ],
    ],
    [
      "scores as equal that differ by less than they are exact",
      [0.5, 0.5 + 5e-7, 0.5 - 2e-6],
      [
        [1, 2],
        [1, 2],
        [3, 1],
      ],
    ],
    [
      "a chain of near scores by its best",
      [0.5, 0.5 - 8e-7, 0.5 - 16e-7],
      [
        [1, 2],
        [1, 2],
        [3, 1],
      ],
    ],
  ])("takes %s", (_, scores, expected) => {
    expect(rank(scores).map(({ rank: place, tied }) => [place, tied])).toEqual(expected);
  });
});

describe("Summary", () => {
  it("counts formats, cuts and errors, and says them in words", () => {
    const summary = new Summary();
    const score = { score: 0.5, exec: 0.5, signature: "s" };
    summary.add({ ...score, format: "ref", conclusion: "fails" });
    summary.add({ ...score, format: "nl", conclusion: "looks-right", consensus: 0.5 });
    summary.add({ ...score, format: "ref+nl", cut: { candidate: 3, reference: 0, description: 4 } });
    summary.add({ ...score, format: "ref+nl", abstained: true, cut: { candidate: 2, reference: 0, description: 0 } });
    summary.add({ error: { code: "input", message: "m" } });
    expect(JSON.parse(JSON.stringify(summary))).toEqual({
      rows: 5,
      errors: 1,
      abstained: 1,
      consensus: 1,
      notes: {},
      formats: { ref: 1, nl: 1, "ref+nl": 2 },
      conclusions: { fails: 1, "looks-right": 1, "behaves-right": 0, unknown: 0 },
      cut: { rows: 2, descriptions: 1, candidate: 5, reference: 0, description: 4 },
    });
    expect(summary.toString()).toBe(
      "1 ref, 1 nl, 2 ref+nl; 1 fails, 1 looks right; 2 cut to fit (5 tokens of candidates); 1 with a description that is read in part; 1 with consensus; 1 abstained; 1 with an error",
    );
    expect(new Summary().toString()).toBe("");
  });
});
