/** Near copies of test problems are found by tree, tokens, words or a list. Different problems are kept. */
import { describe, expect, it } from "vitest";
import { decontaminate, readNearDuplicates } from "../../src/dataset/index.ts";
import type { Problem } from "../../src/types.ts";
import { writeRows } from "../problems/helpers.ts";

const problem = (id: string, description: string, ...references: string[]): Problem => ({
  id,
  description,
  prompt: "",
  entryPoint: /def (\w+)/.exec(references[0] ?? "")?.[1] ?? null,
  references,
  tests: [],
  setup: "",
  contract: "",
  source: "test",
});

const tested = problem(
  "HE/1",
  "Return the largest sum of a contiguous part of the list, and zero when every part of it sums to less than zero.",
  `def best(numbers):
    """Docs."""
    total = 0
    top = 0
    for n in numbers:  # each
        total = max(0, total + n)
        top = max(top, total)
    return top
`,
);

const renamed = `from typing import List

def largest_part(xs: List[int]) -> int:
    run = 0
    seen = 0
    for value in xs:
        run = max(0, run + value)
        seen = max(seen, run)
    return seen
`;

const changed = renamed.replace("run = max(0, run + value)", "run = max(0, run + int(value))");

const unlike = `def words(text):
    out = []
    for word in text.split():
        if word not in out and len(word) > 3:
            out.append(word.lower())
    return sorted(out, key=len)
`;

describe("decontaminate", () => {
  it.each<[string, Problem, object | null]>([
    [
      "a renamed, annotated copy",
      problem("A", "Something else.", renamed),
      { why: "same-tree", nearest: "HE/1", score: 1 },
    ],
    [
      "a copy in a second reference",
      problem("A", "", unlike, renamed.replace("largest_part", "words")),
      { why: "same-tree" },
    ],
    ["a copy with a change", problem("A", "", changed), { why: "tokens", nearest: "HE/1" }],
    [
      "the same words about another program",
      problem("A", `Given a list: ${tested.description.toLowerCase()}`, unlike),
      { why: "words", nearest: "HE/1", score: 1 },
    ],
    ["another program", problem("A", "Give the distinct long words of a text, shortest first.", unlike), null],
    ["a program that does not parse", problem("A", "", "def f(:"), null],
    ["nothing to compare", problem("A", ""), null],
    ["a trivial program", problem("A", "", "def f(x):\n    return x\n"), null],
  ])("of %s", async (_, candidate, expected) => {
    const trivial = problem("HE/0", "", "def g(y):\n    return y\n");
    const { clean, removed } = await decontaminate([candidate], { against: [trivial, tested] });
    expect(clean).toEqual(expected === null ? [candidate] : []);
    expect(removed).toEqual(expected === null ? [] : [expect.objectContaining({ taskId: "A", ...expected })]);
  });

  it("names the nearest of several, in any order", async () => {
    const nearest = problem("HE/2", "", changed.replace("seen = max(seen, run)", "seen = min(seen, run)"));
    for (const against of [
      [nearest, tested],
      [tested, nearest],
    ]) {
      const { removed } = await decontaminate([problem("A", "", changed)], { against });
      expect(removed).toMatchObject([{ nearest: "HE/2", why: "tokens" }]);
    }
  });

  it("takes a list's word, of `maybe` unless it is to be kept, and of a problem for its rewording", async () => {
    const file = writeRows([
      { task_id: "MBPP/1", level: "high" },
      { task_id: "MBPP/2", level: "maybe" },
    ]);
    const listed = await readNearDuplicates([file]);
    const all = ["MBPP/1", "MBPPT/1", "MBPP/2", "MBPPT/2", "MBPP/3"].map((id) => problem(id, "", unlike));
    const ids = (problems: readonly Problem[]) => problems.map(({ id }) => id);
    const strict = await decontaminate(all, { against: [tested], listed });
    expect(ids(strict.clean)).toEqual(["MBPP/3"]);
    expect(strict.removed[1]).toEqual({ taskId: "MBPPT/1", why: "listed", nearest: null, score: "high" });
    const lax = await decontaminate(all, { against: [tested], listed, keepMaybe: true });
    expect(ids(lax.clean)).toEqual(["MBPP/2", "MBPPT/2", "MBPP/3"]);
  });

  it("leaves out a rewording of what it finds, and a `maybe` that it finds itself", async () => {
    const all = [problem("MBPP/7", "", renamed), problem("MBPPT/7", "", unlike), problem("MBPP/8", "", changed)];
    const listed = new Map([["MBPP/8", "maybe"]]);
    const { clean, removed } = await decontaminate(all, { against: [tested], listed, keepMaybe: true });
    expect(clean).toEqual([]);
    expect(removed.map(({ why }) => why)).toEqual(["same-tree", "same-tree", "tokens"]);
  });
});
