import { beforeAll, describe, expect, it } from "vitest";
import { type Difference, differenceOf, EDITS } from "../../../../src/languages/python/difference/edits.ts";
import { loadForms, type ReadForms } from "../../../../src/languages/python/index.ts";
import { oneOperatorMutants } from "../../../../src/mutate/index.ts";
import { readProblems } from "../../../../src/problems/index.ts";

let forms: ReadForms;
beforeAll(async () => {
  forms = await loadForms();
});

const between = (candidate: string, reference: string): Difference | null =>
  differenceOf(forms(candidate).plain.terms!, forms(reference).plain.terms!);

/** The edits needed, each repeated as often as it occurs. */
const edits = (candidate: string, reference: string): string[] =>
  EDITS.flatMap((edit) => new Array<string>(between(candidate, reference)!.edits[edit]).fill(edit));

const f = (body: string): string => `def f(a, b):\n    ${body.replaceAll("\n", "\n    ")}\n`;

describe("the difference of two programs", () => {
  it("is nothing where they differ in names, layout and comments", () => {
    const ours = "def f(x, y):\n    # adds\n    total = (x + y)\n    return total\n";
    expect(edits(ours, f("c = a + b\nreturn c"))).toEqual([]);
  });

  it.each([
    ["return a < b", "return a <= b", "comparison"],
    ["return a + b", "return a - b", "operator"],
    ["a += b\nreturn a", "a -= b\nreturn a", "operator"],
    ["return a and b", "return a or b", "logic"],
    ["return a[1]", "return a[2]", "off by one"],
    ["return a + 'x'", "return a + 'y'", "literal"],
    ["return a - a", "return a - b", "variable"],
    ["return min(a, b)", "return max(a, b)", "name"],
    ["return a.upper()", "return a.lower()", "name"],
    ["return max(a)", "return max(a, b)", "arguments"],
    ["if not a:\n    return b", "if a:\n    return b", "negation"],
    ["return -a", "return a", "sign"],
    ["return a", "return a + 1", "wrapped"],
    ["return b - 1", "return abs(b - 1)", "wrapped"],
    ["return a[0] - b", "return b - a[0]", "swapped"],
    ["return [a]", "return (a, b)", "expression"],
    ["a = 1\nprint(a)\nreturn a", "a = 1\nreturn a", "inserted"],
    ["return a", "b.sort()\nreturn a", "deleted"],
  ])("%j for %j is one edit: %s", (ours, theirs, edit) => {
    expect(edits(f(ours), f(theirs))).toEqual([edit]);
  });

  it("counts what only one of them has", () => {
    const { added, missing, sizes } = between(f("return a + 1"), f("return a"))!;
    expect([added, missing, sizes[0] - sizes[1]]).toEqual([2, 0, 2]);
    const other = between(f("return a"), f("return a + 1"))!;
    expect([other.added, other.missing]).toEqual([0, 2]);
  });

  it("says where each edit is", () => {
    const { changes } = between(f("c = a\nreturn a < b"), f("c = a\nreturn a <= b"))!;
    expect(changes).toMatchObject([{ edit: "comparison", ours: { text: "<" }, theirs: { text: "<=" } }]);
    expect(changes[0]!.statement).toMatchObject({ kind: "return" });
  });

  it("of a mutant of one operator is small, and of a program and itself none", { timeout: 60_000 }, async () => {
    let [mutants, single] = [0, 0];
    const problems = [...(await readProblems(["datasets/starter"])).values()];
    for (const [seed, { references }] of problems.entries()) {
      const program = references[0]!;
      const { terms } = forms(program).plain;
      if (terms === null) continue;
      expect(differenceOf(terms, terms)!.changes).toEqual([]);
      for (const { code } of await oneOperatorMutants(program, { count: 4, seed })) {
        const mutant = forms(code).plain.terms;
        if (mutant === null) continue;
        const found = differenceOf(mutant, terms)!.changes.length;
        mutants += 1;
        if (found === 1) single += 1;
        expect(found, code).toBeLessThanOrEqual(12);
      }
    }
    expect(mutants).toBeGreaterThan(200);
    expect(single / mutants).toBeGreaterThan(0.6);
  });

  it("takes no time for long programs that have nothing in common", () => {
    const long = (name: string): string =>
      f(Array.from({ length: 1500 }, (_, i) => `${name}${i} = g${i}(a)`).join("\n"));
    const began = performance.now();
    expect(between(long("x"), long("y").replaceAll("g", "h"))!.changes.length).toBe(1500);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
