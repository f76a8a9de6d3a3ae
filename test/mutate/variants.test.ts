/** Variants by kind of change; and the layout rewrites on small programs, with exactly the expected texts. */
import { beforeAll, describe, expect, it } from "vitest";
import { loadParser, type Parse } from "../../src/languages/python/syntax/walk.ts";
import { applyChange } from "../../src/mutate/edits.ts";
import { HARMLESS_KINDS, harmlessVariants, MUTANT_KINDS, oneOperatorMutants } from "../../src/mutate/index.ts";
import { mutantOperators, rewriteOperators } from "../../src/mutate/make.ts";
import { layoutRewrites } from "../../src/mutate/rewrites-layout.ts";
import { Random } from "../../src/util/random.ts";

let parse: Parse;
beforeAll(async () => {
  parse = await loadParser();
});

function made(name: string, code: string): string[] {
  const operator = layoutRewrites.find((one) => one.name === name)!;
  const out = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    for (const change of operator.find(parse(code), new Random(seed), new Set())) out.add(applyChange(code, change));
  }
  return [...out].sort();
}

describe("layout rewrites", () => {
  it("add code that nobody reaches or reads", () => {
    const unused = ["unused", "debug", "dummy", "extra", "flag"];
    const lines = (name: string) => [
      ...["0", "None", "[]"].map((value) => `    ${name} = ${value}\n`),
      `    if False:\n        ${name} = 1\n`,
      `    while False:\n        ${name} = 1\n`,
    ];
    const inFront = unused.flatMap((name) => lines(name).map((line) => line.replace(/^ {4}/gm, "")));
    const inside = unused.flatMap(lines);
    const code = "def f(x):\n    return x\n";
    for (const text of made("dead-code", code)) {
      const isIn = inside.some((line) => text === `def f(x):\n${line}    return x\n`);
      expect(isIn || inFront.some((line) => text === line + code)).toBe(true);
    }
    expect(made("dead-code", code).length).toBeGreaterThan(20);
  });

  it("put nothing before a docstring or an import, and nothing straight into a class", () => {
    const code = 'import re\n\n\nclass A:\n    def f(self):\n        """Docs."""\n        return re\n';
    for (const text of made("dead-code", code)) {
      expect(text.startsWith("import re\n")).toBe(true);
      expect(text).toContain('def f(self):\n        """Docs."""\n');
      expect(text).toContain("class A:\n    def f");
    }
  });

  it("add a docstring where there is none", () => {
    expect(made("docstring", "def f(x):\n    return x\n")).toHaveLength(4);
    expect(made("docstring", "def f(x):\n    return x\n")[0]).toMatch(/^def f\(x\):\n {4}"""[^"]+"""\n {4}return x\n$/);
    expect(made("docstring", 'def f(x):\n    """Docs."""\n    return x\n')).toEqual([]);
    expect(made("docstring", "def f(x): return x\n")).toEqual([]);
  });

  it("take blanks away, but not in strings or between words", () => {
    expect(made("tight", "def f(x, y):\n    z = x + 1 if x not in y else -x\n    return f'{x + y}', ' = '\n")).toEqual([
      "def f(x,y):\n    z=x+1 if x not in y else -x\n    return f'{x + y}',' = '\n",
    ]);
    expect(made("tight", "x = (1 +\n     2)\n")).toEqual(["x=(1 +\n     2)\n"]);
  });

  it("put blank lines between statements", () => {
    const texts = made("blank-lines", "a = 1\nb = 2\n");
    expect(texts).toEqual(["\na = 1\n\nb = 2\n", "\na = 1\nb = 2\n", "a = 1\n\nb = 2\n"]);
  });
});

const program = `def f(values, limit):
    total = 0
    seen = []
    for value in values:
        if value > limit:
            total += value
            seen.append(value)
    return total, seen
`;

describe("variants", () => {
  it("are of every harmless kind, each by operators of its own, and all different", async () => {
    const variants = await harmlessVariants(program, { count: 3, seed: 1 });
    expect([...new Set(variants.map(({ kind }) => kind))]).toEqual([...HARMLESS_KINDS]);
    expect(new Set([program, ...variants.map(({ code }) => code)]).size).toBe(variants.length + 1);
    const names = [...rewriteOperators, ...layoutRewrites].map(({ name }) => name);
    for (const { operators } of variants) {
      expect(operators.length).toBeGreaterThanOrEqual(1);
      for (const name of operators) expect(names).toContain(name);
    }
  });

  it("that are mutants differ by one operator, many operators before one comes twice", async () => {
    const mutants = await oneOperatorMutants(program, { count: 10, seed: 1 });
    expect(mutants).toHaveLength(10);
    expect(mutants.every(({ operators }) => operators.length === 1)).toBe(true);
    expect(new Set(mutants.map(({ operators }) => operators[0])).size).toBeGreaterThanOrEqual(8);
    for (const { kind } of mutants) expect(MUTANT_KINDS).toContain(kind);
    const names = mutantOperators.map(({ name }) => name);
    for (const { operators } of mutants) expect(names).toContain(operators[0]);
  });

  it("are the same for the same seed, and none of what is no Python", async () => {
    const options = { count: 2, seed: 5 };
    expect(await harmlessVariants(program, options)).toEqual(await harmlessVariants(program, options));
    expect(await oneOperatorMutants(program, options)).toEqual(await oneOperatorMutants(program, options));
    expect(await harmlessVariants("def f(:\n", options)).toEqual([]);
    expect(await oneOperatorMutants("def f(:\n", options)).toEqual([]);
  });

  it("keep the names that tests pass", async () => {
    const variants = await harmlessVariants(program, { count: 6, seed: 2, keep: ["limit"] });
    for (const { code } of variants) expect(code).toMatch(/def f\(\w+,\s?limit\)/);
  });
});
