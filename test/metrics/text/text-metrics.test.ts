import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  corpusBleu,
  corpusChrf,
  exactMatch,
  getMetric,
  metricNames,
  metricNeeds,
  sentenceBleu,
  sentenceChrf,
  tokenize13a,
  tokenizeCode,
} from "../../../src/metrics/index.ts";

interface Recorded {
  readonly candidate: string;
  readonly reference: string;
  readonly sentence_bleu_13a: number;
  readonly sentence_bleu_code: number;
  readonly code_tokens_candidate: string;
  readonly code_tokens_reference: string;
  readonly chrf: number;
  readonly chrf_pp: number;
}

// Recorded from sacreBLEU 2.6.0 in Python.
const recorded = JSON.parse(
  readFileSync(new URL("../../fixtures/metrics/bleu_chrf.json", import.meta.url), "utf8"),
) as {
  cases: Recorded[];
  corpus: { bleu_13a: number; bleu_code: number; chrf: number };
};
const { cases, corpus } = recorded;
const candidates = cases.map(({ candidate }) => candidate);
const references = cases.map(({ reference }) => reference);

/** Expects equality to 1e-9 of the expected value. */
const expectEqual = (got: number, expected: number, what: string): void =>
  expect(Math.abs(got - expected), `${what}: got ${got}, expected ${expected}`).toBeLessThanOrEqual(
    1e-9 * Math.abs(expected),
  );

describe("sacreBLEU's recorded values", () => {
  it("has all 168 sentence cases", () => expect(cases).toHaveLength(168));

  test.each([
    ["sentence_bleu_13a", (c: string, r: string) => sentenceBleu(c, r, "13a")],
    ["sentence_bleu_code", (c: string, r: string) => sentenceBleu(c, r, "code")],
    ["chrf", (c: string, r: string) => sentenceChrf(c, r)],
    ["chrf_pp", (c: string, r: string) => sentenceChrf(c, r, { wordOrder: 2 })],
  ] as const)("%s agrees on every sentence", (field, score) => {
    cases.forEach((row, i) => {
      expectEqual(score(row.candidate, row.reference), row[field], `case ${i}`);
    });
  });

  test.each([
    ["BLEU 13a", () => corpusBleu(candidates, references, "13a"), corpus.bleu_13a],
    ["BLEU code", () => corpusBleu(candidates, references, "code"), corpus.bleu_code],
    ["chrF", () => corpusChrf(candidates, references), corpus.chrf],
  ] as const)("the corpus's %s agrees", (name, score, expected) => {
    expectEqual(score(), expected, name);
  });

  it("splits code into the recorded tokens", () => {
    for (const row of cases) {
      expect(tokenizeCode(row.candidate).join(" ")).toBe(row.code_tokens_candidate);
      expect(tokenizeCode(row.reference).join(" ")).toBe(row.code_tokens_reference);
    }
  });
});

// Derived from Python's `sacrebleu.tokenizers.tokenizer_13a`; white space and letters as classified by Python 3.
test.each([
  ["It's 3.14, isn't it?", "It's 3.14 , isn't it ?"],
  ["a-b 1-2 x.y 5.", "a-b 1 - 2 x . y 5 ."],
  ["&quot;x&quot; &lt;b&gt; end-\nof line", '" x " < b > endof line'],
  ["tab\tand\u0085next\u001cgroup", "tab and next group"],
])("13a splits %j", (text, expected) => {
  expect(tokenize13a(text).join(" ")).toBe(expected);
});

test("code tokens follow Python's \\w and \\s", () => {
  expect(tokenizeCode("größe_2=x²\u001c\ufeff𝛼**2")).toEqual(["größe_2", "=", "x²", "\ufeff", "𝛼", "*", "*", "2"]);
});

describe("single sentences", () => {
  test.each([
    ["both empty", "", "", 0, 0],
    ["empty candidate", "", "return 1", 0, 0],
    ["empty reference", "return 1", "", 0, 0],
    ["nothing in common", "abc", "xyz", 0, 0],
    ["the same", "return x + 1", "return x + 1", 100, 100],
    ["the same, shorter than four tokens", "pass", "pass", 100, 100],
  ])("%s", (_, candidate, reference, bleu, chrf) => {
    expect(sentenceBleu(candidate, reference)).toBeCloseTo(bleu, 9);
    expect(sentenceChrf(candidate, reference)).toBeCloseTo(chrf, 9);
  });

  it("counts characters beyond the basic plane as one", () => {
    // One of two characters matches, and no bigram does: the mean precision and recall over both orders are 1/4.
    expect(sentenceChrf("𝛼𝛽", "𝛼𝛾")).toBeCloseTo(25, 9);
  });

  it("penalises brevity in a corpus and gives 0 when no 4-gram exists", () => {
    expect(corpusBleu(["a b c d"], ["a b c d e f g h"], "code")).toBeCloseTo(100 * Math.exp(-1), 9);
    expect(corpusBleu(["a b"], ["a b"], "code")).toBe(0);
  });

  it("refuses columns of two lengths", () => {
    expect(() => corpusBleu(["a"], [])).toThrow("1 candidate and 0 references");
    expect(() => corpusChrf(["a"], [])).toThrow("1 candidate and 0 references");
  });
});

test.each([
  ["a = 1\nb = 2\n", "a = 1  \nb = 2", true],
  ["\n\na = 1", "a = 1", true],
  ["  a = 1", "a = 1", false],
  ["a = 1\n\nb = 2", "a = 1\nb = 2", false],
  ["", "", true],
])("exact match of %j and %j is %s", (candidate, reference, same) => {
  expect(exactMatch(candidate, reference)).toBe(same);
});

describe("the registry", () => {
  it("keeps every metric in [0, 1], and at 1 for a text beside itself", async () => {
    const program = fc.string({ unit: "grapheme", maxLength: 60 });
    const same = "def f(x):\n    return x\n";
    for (const metric of metricNames.filter((name) => !(name in metricNeeds)).map((name) => getMetric(name))) {
      await metric.prepare?.();
      if (metric.score === undefined) continue;
      fc.assert(
        fc.property(program, program, (a, b) => {
          const score = metric.score(a, b);
          if (Number.isNaN(score)) return; // there is no value
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-12);
        }),
        { numRuns: 60, seed: 7 },
      );
      // METEOR has a penalty even for a single chunk.
      expect(metric.score(same, same), metric.name).toBeCloseTo(1, metric.name === "meteor" ? 2 : 12);
    }
  });

  it("names what there is when asked for what there is not", () => {
    expect(() => getMetric("blue")).toThrow(
      "unknown metric `blue`; expected one of exact, bleu, bleu-13a, chrf, chrf++, rouge-l",
    );
  });
});
