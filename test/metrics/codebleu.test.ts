/** CodeBLEU compared with values recorded from codebleu 0.7.0 (scripts/record/codebleu), and the intended differences. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { loadCodeBleu, type ScoreCodeBleu } from "../../src/metrics/codebleu/codebleu.ts";
import { withoutComments } from "../../src/metrics/codebleu/comments.ts";
import { getMetric } from "../../src/metrics/index.ts";
import { LANGUAGES } from "../../src/metrics/types.ts";

interface Recorded {
  readonly candidate: string;
  readonly reference: string;
  readonly ngram: number;
  readonly weightedNgram: number;
  readonly syntax: number;
  /** For Python: all values that occurred under different hash seeds, and the one with sets that keep their order. */
  readonly dataFlow: readonly number[];
  readonly dataFlowInOrder: number;
  /** For Python, if the seed does not matter. */
  readonly codebleu?: number;
}

const recorded = (language: string): Recorded[] =>
  JSON.parse(readFileSync(new URL(`../fixtures/codebleu/${language}.json`, import.meta.url), "utf8")).pairs;

describe.each(LANGUAGES)("%s", (language) => {
  it("has the n-gram and syntactic match of codebleu", async () => {
    const score = await loadCodeBleu({ language });
    const pairs = recorded(language);
    expect(pairs.length).toBeGreaterThanOrEqual(60);
    for (const pair of pairs) {
      const ours = score([pair]);
      for (const part of ["ngram", "weightedNgram", "syntax"] as const) {
        expect(Math.abs(ours[part] - pair[part]), `${part} of ${pair.candidate}`).toBeLessThan(1e-9);
      }
    }
  });
});

let score: ScoreCodeBleu;
beforeAll(async () => {
  score = await loadCodeBleu();
});
const of = (candidate: string, reference: string) => score([{ candidate, reference }]);

describe("the data-flow match", () => {
  const pairs = recorded("python");

  it("is codebleu's, for every seed where the seed does not matter", () => {
    const certain = pairs.filter(({ dataFlow }) => dataFlow.length === 1);
    expect(certain.length).toBeGreaterThanOrEqual(60);
    for (const pair of pairs) {
      expect(Math.abs((score([pair]).dataFlow ?? 0) - pair.dataFlowInOrder), pair.candidate).toBeLessThan(1e-9);
    }
    for (const { dataFlow, dataFlowInOrder } of certain) expect(dataFlowInOrder).toBeCloseTo(dataFlow[0]!, 12);
  });

  it("makes codebleu's total, but for what that gives to a match of 0", () => {
    const totals = pairs.filter(({ codebleu }) => codebleu !== undefined);
    const free = totals.filter(({ dataFlow }) => dataFlow[0] === 0);
    expect(free.length).toBeGreaterThan(0);
    for (const pair of totals) {
      const ours = score([pair]);
      const parts = [ours.ngram, ours.weightedNgram, ours.syntax, ours.dataFlow || 1];
      const theirs = parts.reduce((sum, part) => sum + part / 4, 0);
      expect(Math.abs(theirs - pair.codebleu!)).toBeLessThan(1e-9);
      if (ours.dataFlow) expect(ours.score).toBeCloseTo(theirs, 12);
      else expect(ours.score).toBeLessThan(theirs + 1e-12);
    }
  });

  it("is none where the reference has none, and its weight goes to the other parts", () => {
    const { score: total, dataFlow, ngram, weightedNgram, syntax } = of("print(1)", "def f():\n    pass");
    expect(dataFlow).toBeNull();
    expect(total).toBeCloseTo((ngram + weightedNgram + syntax) / 3, 12);
    expect(of("print(1)", "x = 1\ny = x").dataFlow).toBe(0);
    expect(getMetric("codebleu").signature).toMatch(/flow:no-flow=left-out/);
  });

  it("does not depend on names", () => {
    const program = "def f(a, b):\n    for c in a:\n        b = b + c\n    return b\n";
    expect(of(program.replace(/\bb\b/g, "zz").replace(/\ba\b/g, "y"), program).dataFlow).toBe(1);
    expect(of(program.replace("b + c", "c + b"), program).dataFlow).toBeLessThan(1);
  });

  // codebleu 0.7.0 scores the first program against itself 0, and the second .25 (with an ASCII letter instead).
  it.each([
    ["a string set to an attribute", 'class A:\n    def f(self, x):\n        self.x = "y"\n        return x\n'],
    ["letters that are not ASCII", 'def f(a):\n    b = ["é"] + a + a\n    return b\n'],
  ])("reads %s", (_, program) => {
    expect(of(program, program).dataFlow).toBe(1);
    expect(of(program.replace("é", "e"), program).dataFlow).toBe(1);
  });

  it("takes nested loops in their stride", () => {
    const nest = (n: number) =>
      Array.from({ length: n }, (_, i) => `${" ".repeat(i)}for v${i} in w${i}:\n`).join("") +
      `${" ".repeat(n)}x = v0\n`;
    expect(of(nest(60), nest(60)).dataFlow).toBe(1);
  });
});

describe("comments and docstrings", () => {
  it.each([
    ['def f():\n    """Doc."""\n    return 1  # one\n', "def f():\n    return 1"],
    ["def f():\n\tx = 1\n\n\treturn x", "def f():\n\tx = 1\n\treturn x"],
    ["x = 'open\n# kept?", "x = 'open"],
    ["f(1 # open\n", "f(1 # open\n"],
    ["x = '# no comment'", "x = '# no comment'"],
  ])("of Python: %j", (source, expected) => {
    expect(withoutComments(source, "python").replace(/ +$/gm, "")).toBe(expected);
  });

  it.each([
    ["a /* b\n c */ d // e\nf", "a   d  \nf"],
    ["s = 'it // is' + \"/* so */\"", "s = 'it // is' + \"/* so */\""],
    ["a /* open\nb", "a /* open\nb"],
  ])("of the others: %j", (source, expected) => {
    expect(withoutComments(source, "java")).toBe(expected);
  });
});

describe("weights", () => {
  const pair = recorded("python")[3]!;

  it("choose the parts", async () => {
    const syntaxOnly = await loadCodeBleu({ weights: [0, 0, 2, 0] });
    expect(syntaxOnly([pair]).score).toBeCloseTo(pair.syntax, 12);
    const flowOnly = await loadCodeBleu({ weights: [0, 0, 0, 1] });
    expect(flowOnly([{ candidate: "x", reference: "pass" }]).score).toBeNull();
  });

  it.each([[[1, 1]], [[0, 0, 0, 0]], [[1, 1, 1, -1]], [[1, 1, 1, Number.NaN]]])("refuses %j", (codeBleuWeights) => {
    expect(() => getMetric("codebleu", { codeBleuWeights })).toThrow("weights of CodeBLEU");
  });
});

describe("metrics", () => {
  it("pool the counts of a set, as the paper does", () => {
    const [a, b] = recorded("python").slice(2, 4) as [Recorded, Recorded];
    const both = score([a, b]);
    expect(both.syntax).toBeGreaterThan(Math.min(a.syntax, b.syntax) - 1e-12);
    expect(both.syntax).toBeLessThan(Math.max(a.syntax, b.syntax) + 1e-12);
    expect(both.syntax).not.toBeCloseTo(Math.min(a.syntax, b.syntax), 6);
  });

  it("come in parts, named and signed", async () => {
    const [syntax, flow] = [getMetric("codebleu-syntax"), getMetric("codebleu-dataflow")];
    await Promise.all([syntax.prepare?.(), flow.prepare?.()]);
    const pair = recorded("python")[2]!;
    expect(syntax.score?.(pair.candidate, pair.reference)).toBeCloseTo(pair.syntax, 12);
    expect(flow.score?.(pair.candidate, pair.reference)).toBeCloseTo(pair.dataFlowInOrder, 12);
    expect(flow.score?.("x", "pass")).toBeNaN();
    expect(getMetric("codebleu", { language: "go" }).signature).toMatch(
      /^codebleu\|lang:go\|.*flow:left-out\|grammar:\d/,
    );
    expect(() => getMetric("codebleu-dataflow", { language: "go" })).toThrow("data flow for Python only, got go");
  });

  it("take what does not parse, and what there is too much of", () => {
    const reference = "def f(a):\n    x = a + 1\n    return x\n";
    const programs = [
      "",
      "(".repeat(10_000),
      "def f(:\n ((x = } ".repeat(1_000),
      "\ud800",
      `x = ${"a + ".repeat(5_000)}a`,
    ];
    for (const program of [...programs, "if a:\n    a = b\nelse:\n    b = a\n".repeat(4_000)]) {
      for (const ours of [of(program, reference), of(reference, program)]) {
        expect(ours.score).toBeGreaterThanOrEqual(0);
        expect(ours.score).toBeLessThanOrEqual(1);
      }
    }
  });
});
