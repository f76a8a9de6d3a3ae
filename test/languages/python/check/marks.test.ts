import { describe, expect, it } from "vitest";
import { MARKS, staticMarks } from "../../../../src/languages/python/index.ts";
import { loadParser } from "../../../../src/languages/python/syntax/parse.ts";
import { type EncodeOptions, makeEncoder, NORMALISE, Tokenizer, trainBpe } from "../../../../src/tokenize/index.ts";
import type { InputFormat } from "../../../../src/types.ts";

const parse = await loadParser();
const tokenizer = new Tokenizer(trainBpe(["def f(x):\n    return x + 1\n"], { vocabSize: 280 }));
const options: EncodeOptions = { maxLength: 200, normalise: "none", emptyParts: "keep", staticMarks: true };

/** The texts that have a mark. */
const marked = (code: string, mark: number): string[] =>
  staticMarks(parse(code))
    .filter((place) => place.mark === mark)
    .map(({ start, end }) => code.slice(start, end));

describe("staticMarks", () => {
  it("marks each use of a name that nothing binds", () => {
    const code = "def f(x):\n    return np.sum(x) + np.max(x, np=1).np\n";
    expect(marked(code, MARKS.undefinedName)).toEqual(["np", "np"]);
  });

  it("marks modules that are not there", () => {
    const code = "import os, numpy.linalg as la\nfrom scipy.stats import norm\nfrom math import pi\n";
    expect(marked(code, MARKS.missingImport)).toEqual(["numpy.linalg", "scipy.stats"]);
  });

  it("marks what follows an error of syntax", () => {
    const code = "def f(x):\n    return x\n\ndef g(:\n    pass\n";
    expect(marked(code, MARKS.afterSyntaxError).join("")).toContain("pass");
    expect(marked(code, MARKS.afterSyntaxError).join("")).not.toContain("return x");
  });
});

describe("the marks of tokens", () => {
  const tokensOf = async (given: Partial<EncodeOptions>, candidate: string, reference: string | null) => {
    const encode = await makeEncoder(tokenizer, { ...options, ...given });
    const format: InputFormat = reference === null ? "nl" : "ref";
    const { ids, marks } = encode({ candidate, reference, description: "é" }, format);
    return { ids, marks, isMarked: marks?.includes(MARKS.undefinedName) === true };
  };
  const faulty = "def f(x):\n    return y + 1\n";
  const right = "def f(x):\n    return x + 1\n";

  it.each(NORMALISE)("cover the name that is undefined (%s)", async (normalise) => {
    const { ids, marks } = await tokensOf({ normalise }, `s = "é"\n${faulty}`, right);
    expect(marks).toHaveLength(ids.length);
    const there = ids.filter((_, i) => marks![i] === MARKS.undefinedName);
    expect([tokenizer.encode("y"), tokenizer.encode(" y")]).toContainEqual(there);
  });

  it.each(NORMALISE)("go by the modules that are there (%s)", async (normalise) => {
    const program = "import numpy, math\ndef f(x):\n    return math.floor(numpy.abs(x))\n";
    const missing = async (given: Partial<EncodeOptions>): Promise<number[]> => {
      const { ids, marks = [] } = await tokensOf({ normalise, ...given }, program, right);
      return ids.filter((_, i) => marks[i] === MARKS.missingImport);
    };
    const spelt = (name: string): number[][] => [tokenizer.encode(name), tokenizer.encode(` ${name}`)];
    expect(spelt("numpy")).toContainEqual(await missing({ modules: new Set(["math"]) }));
    expect(spelt("math")).toContainEqual(await missing({ modules: new Set(["numpy"]) }));
    expect(await missing({ modules: new Set(["math", "numpy"]) })).toEqual([]);
    expect(spelt("numpy")).toContainEqual(await missing({}));
  });

  it("are absent where nothing is wrong", async () => {
    expect((await tokensOf({}, right, right)).marks).toBeUndefined();
    expect((await tokensOf({ staticMarks: false }, faulty, right)).marks).toBeUndefined();
  });

  it("spare what the reference takes to be there as well", async () => {
    expect((await tokensOf({}, faulty, "def f(x):\n    return y + x\n")).isMarked).toBe(false);
    expect((await tokensOf({}, faulty, null)).isMarked).toBe(true);
  });

  it("cover a candidate that has nothing of what tests may call, but no program that is run whole", async () => {
    const other = await tokensOf({}, "def g(x):\n    return x + 1\n", right);
    const own = other.marks!.slice(1, other.ids.indexOf(tokenizer.special("</s>")));
    expect(new Set(own)).toEqual(new Set([MARKS.otherName]));
    const script = "def f():\n    return int(input())\nprint(f() + 1)\n";
    expect((await tokensOf({}, "print(int(input()) + 1)\n", script)).marks).toBeUndefined();
  });

  it("follow the tokens that are kept", async () => {
    const { ids, isMarked } = await tokensOf({ maxLength: 20 }, `${"x = 1\n".repeat(30)}${faulty}`, right);
    expect(ids).toHaveLength(20);
    expect(isMarked).toBe(false); // it was cut
  });
});
