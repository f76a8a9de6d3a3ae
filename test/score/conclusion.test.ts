/** The conclusion of a score, and its reason. */
import { describe, expect, it } from "vitest";
import { CodeScorer, concludedByRun, isResemblance } from "../../src/score/index.ts";
import { EMPTY_NOTE } from "../../src/score/rows.ts";
import type { Behaviour, Score } from "../../src/types.ts";

const REFERENCE = "def less(a: int, b: int) -> bool:\n    return a < b\n";
const CASES: readonly (readonly [name: string, candidate: string, conclusion: string, reason: string | RegExp])[] = [
  ["a rewrite", "def less(x, y):\n    return y > x\n", "looks-right", "not executed"],
  [
    "a wrong operator",
    "def less(a, b):\n    return a > b\n",
    "unknown",
    "not executed; line 2: `>` here, `<` in the reference; nothing else differs",
  ],
  [
    "a wrong answer that is more than one edit away",
    "def less(a, b):\n    return b - a < 0\n",
    "looks-right",
    "not executed",
  ],
  ["a name that nothing defines", "def less(a, b):\n    return a < c\n", "fails", "line 2: `c` is not defined"],
  ["an answer of another kind", "def less(a, b):\n    return [a, b]\n", "fails", /line 1: it returns list/],
  ["an empty answer", "", "fails", "the answer is empty"],
  [
    "what may fail in a branch",
    "def less(a, b):\n    if a:\n        return len(3)\n    return a < b\n",
    "unknown",
    /./,
  ],
];

describe("a score by text", () => {
  it("says whether a program fails for certain, with the line, or only looks right", async () => {
    const scorer = await CodeScorer.load("tiny", { threads: 1 });
    const results = await scorer.scoreAll(CASES.map(([, candidate]) => ({ candidate, reference: REFERENCE })));
    await scorer.close();
    for (const [i, [name, , conclusion, reason]] of CASES.entries()) {
      const found = results[i] as Score;
      if (name.startsWith("what may")) expect(found.conclusion).not.toBe("fails");
      else expect([name, found.conclusion]).toEqual([name, conclusion]);
      if (typeof reason === "string") expect(found.reason).toBe(reason);
      else expect(found.reason).toMatch(reason);
      expect(found.findings !== undefined).toBe(found.conclusion === "fails");
    }
  });
});

const RAN: Behaviour = {
  ...{ agree: 1, inputs: 40, examples: null, samples: null, source: "reference", counterexample: null },
};

describe("a score of a program that ran", () => {
  const text: Score = {
    score: 0.9,
    exec: 0.9,
    format: "ref",
    signature: "s",
    conclusion: "looks-right",
    reason: "not executed",
  };
  it.each<[string, Behaviour, string, string, number?]>([
    ["agrees everywhere", RAN, "behaves-right", "answers like the reference on 100% of 40 inputs"],
    [
      "agrees on too few inputs",
      { ...RAN, inputs: 2 },
      "unknown",
      "answers like the reference on 100% of 2 inputs, which are too few",
    ],
    [
      "agrees on few inputs and passes an example",
      { ...RAN, inputs: 2, examples: { passed: 1, total: 1 } },
      "behaves-right",
      "answers like the reference on 100% of 2 inputs, passes 1 of 1 example",
    ],
    [
      "goes wrong on an input",
      { ...RAN, agree: 0.95, counterexample: { input: "f(1)", expected: "2", got: "3" } },
      "fails",
      "f(1): expected 2, got 3",
    ],
    [
      "goes wrong on unusual inputs alone",
      { ...RAN, agree: 0.95, counterexample: { input: "f(-1)", expected: "2", got: "3", unusual: true } },
      "unknown",
      "differs only on unusual inputs: f(-1): expected 2, got 3",
    ],
    [
      "agrees with a reference that gave all inputs the same answer",
      { ...RAN, constant: true },
      "unknown",
      "answers like the reference on 100% of 40 inputs, but the reference gives every input the same answer",
    ],
    [
      "differs from a reference that gave all inputs the same answer",
      { ...RAN, agree: 0.95, constant: true, counterexample: { input: "f(1)", expected: "2", got: "3" } },
      "fails",
      "f(1): expected 2, got 3",
    ],
    [
      "fails an example",
      { ...RAN, examples: { passed: 1, total: 2 } },
      "fails",
      "answers like the reference on 100% of 40 inputs, passes 1 of 2 examples",
    ],
    [
      "passes the examples, without a reference, and is likely to be right",
      { ...RAN, agree: null, examples: { passed: 2, total: 2 } },
      "behaves-right",
      "passes 2 of 2 examples",
      0.8,
    ],
    [
      "passes the examples, without a reference, which proves little",
      { ...RAN, agree: null, examples: { passed: 2, total: 2 } },
      "unknown",
      "passes 2 of 2 examples, but passes every test only with probability 0.70",
      0.7,
    ],
    [
      "answers as others do, which proves nothing",
      { ...RAN, agree: null, samples: 0.8, source: "samples" },
      "unknown",
      "80% of the other candidates' answers agree",
    ],
    ["did not run", { ...RAN, agree: null, inputs: 0, source: null, reason: "no" }, "looks-right", "not executed (no)"],
  ])("says so where it %s", (_, behaviour, conclusion, reason, pass = 0.9) => {
    const found = concludedByRun({ ...text, pass, behaviour }) as Score;
    expect([found.conclusion, found.reason]).toEqual([conclusion, reason]);
    expect(isResemblance(found)).toBe(conclusion === "looks-right");
  });

  it("says that an empty answer is empty, not which name it lacks", () => {
    const counterexample = { input: "f(1)", expected: "2", got: "NameError: name 'f' is not defined" };
    const findings = [{ line: null, what: "it does not define `f`, but the reference does", certain: true }] as const;
    const behaviour = { ...RAN, agree: 0, counterexample };
    const found = concludedByRun({ ...text, score: 0, notes: [EMPTY_NOTE], findings, behaviour });
    const reason = "the answer is empty";
    expect(found).toMatchObject({ conclusion: "fails", reason, findings: [{ what: reason, certain: true }] });
  });

  it("keeps the line that the text shows where running agrees that it fails, and drops it where not", () => {
    const findings = [{ line: 3, what: "`x` is not defined", certain: true }] as const;
    const ran = (agree: number) => concludedByRun({ ...text, findings, behaviour: { ...RAN, agree } });
    expect(ran(0)).toMatchObject({ conclusion: "fails", findings });
    expect(ran(1)).not.toHaveProperty("findings");
  });
});
