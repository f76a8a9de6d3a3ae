/** Proposed inputs: properties that always hold, and properties that hold for most of them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Proposer } from "../../src/expand/index.ts";
import { compare } from "../../src/expand/shape.ts";
import { parseArguments, printLiteral } from "../../src/languages/python/literals/index.ts";
import type { Problem, PyValue } from "../../src/types.ts";

const problem = (over: Partial<Problem> = {}): Problem => ({
  id: "p",
  description: "",
  prompt: "",
  entryPoint: "f",
  references: [],
  tests: [],
  setup: "",
  contract: "",
  source: "test",
  ...over,
});

const propose = (given: string[], over: Partial<Problem> = {}, count = 100, seed = 1): string[] =>
  new Proposer(
    problem(over),
    given.map((args) => ({ args })),
    seed,
  )
    .next(count)
    .map((input) => ("args" in input ? input.args : ""));

const values = (args: string): readonly PyValue[] => parseArguments(args).positional;
const share = (items: readonly string[], holds: (args: string) => boolean): number =>
  items.filter(holds).length / items.length;
const items = (value: PyValue | undefined): readonly PyValue[] =>
  value && "v" in value && Array.isArray(value.v) ? value.v : [];
const int = (value: PyValue | undefined): number => (value?.t === "int" ? Number(value.v) : Number.NaN);

const literal: fc.Arbitrary<PyValue> = fc.letrec<{ it: PyValue }>((tie) => ({
  it: fc.oneof(
    { maxDepth: 2 },
    fc.bigInt({ min: -1000n, max: 1000n }).map((v) => ({ t: "int", v }) as const),
    fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((v) => ({ t: "float", v }) as const),
    fc.string({ maxLength: 8 }).map((v) => ({ t: "str", v }) as const),
    fc.boolean().map((v) => ({ t: "bool", v }) as const),
    fc.constant({ t: "none" } as const),
    fc.array(tie("it"), { maxLength: 4 }).map((v) => ({ t: "list", v }) as const),
    fc.array(tie("it"), { maxLength: 3 }).map((v) => ({ t: "tuple", v }) as const),
    fc
      .uniqueArray(
        fc.integer().map((n) => ({ t: "int", v: BigInt(n) }) as const),
        { selector: ({ v }) => v },
      )
      .map((v) => ({ t: "set", v }) as const),
    fc
      .dictionary(fc.string(), tie("it"), { maxKeys: 3 })
      .map((d) => ({ t: "dict", v: Object.entries(d).map(([k, v]) => [{ t: "str", v: k }, v] as const) }) as const),
  ),
})).it;

describe("a Proposer of a function", () => {
  it("proposes valid argument lists, distinct, new, and the same for a seed, whatever is given", () => {
    const given = fc
      .integer({ min: 1, max: 3 })
      .chain((arity) =>
        fc.array(fc.array(literal, { minLength: arity, maxLength: arity }), { minLength: 1, maxLength: 4 }),
      );
    fc.assert(
      fc.property(given, fc.integer(), (calls, seed) => {
        const texts = calls.map((call) => call.map(printLiteral).join(", "));
        const out = propose(texts, {}, 30, seed);
        const printed = out.map((args) => values(args).map(printLiteral).join(", "));
        expect(out.length).toBeLessThanOrEqual(30);
        expect(new Set(printed).size).toBe(out.length);
        expect(printed.filter((args) => texts.includes(args))).toEqual([]);
        for (const args of out) expect(values(args).length).toBe(calls[0]?.length);
        expect(propose(texts, {}, 30, seed)).toEqual(out);
      }),
      { numRuns: 60 },
    );
  });

  it("takes no entries of a dict for the items of the lists beside it", () => {
    for (let seed = 0; seed < 3; seed++)
      for (const args of propose(["({}, []), ()"], {}, 60, seed)) expect(values(args)).toHaveLength(2);
  });

  it("proposes as many as asked for where the type has them, and all there are where it has not", () => {
    expect(propose(["[1, 2, 3], 2"], {}, 300)).toHaveLength(300);
    expect(propose(["'abc'"], {}, 300)).toHaveLength(300);
    expect(propose(["True"], {}, 300)).toEqual(["False"]);
  });

  it("keeps the number and the names of arguments, and expressions as they are", () => {
    const out = propose(["[3, 1, 2], key=lambda x: -x, n=2", "[5], key=lambda x: x, n=1"]);
    expect(out).toHaveLength(100);
    for (const args of out) expect(args).toMatch(/^\[.*\], key=lambda x: -?x, n=-?\d+$/);
  });

  it("goes on where one of the given calls has nothing but expressions", () => {
    const proposed = propose(["[30, 3, 70]", "[20] * 10", "list(range(5))"]);
    expect(proposed).toHaveLength(100);
    expect(proposed.filter((args) => args.includes("*") || args.includes("range"))).toEqual([]);
  });

  it("mostly keeps the fields of records, each with its own type", () => {
    const proposed = propose(["[{'name': 'tea', 'price': 2.5, 'tags': ['x']}, {'name': 'ale', 'price': 3.5}]"]);
    const record = /^\{(?=.*'name': ')(?=.*'price': -?[\d.]+)[^{]*\}$/;
    const all = proposed.flatMap((args) => args.match(/\{[^{}]*\}/g) ?? []);
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter((one) => record.test(one)).length).toBeGreaterThan(0.8 * all.length);
    expect(all.some((one) => one.includes("tags"))).toBe(true);
    expect(all.some((one) => !one.includes("tags"))).toBe(true);
  });

  it("keeps the types that were given", () => {
    const types = new Set(
      propose(["(1, 'a'), {2: 0.5}, {3}", "(2, 'b'), {}, {4, 5}"]).map((args) =>
        values(args)
          .map(({ t }) => t)
          .join(),
      ),
    );
    expect([...types]).toEqual(["tuple,dict,set"]);
  });

  it.each<[string, string[], number, (args: string) => boolean]>([
    [
      "lists of equal length",
      ["[1, 2], [3, 4]", "[1], [2]", "[1, 2, 3], [4, 5, 6]"],
      0.8,
      (args) => items(values(args)[0]).length === items(values(args)[1]).length,
    ],
    [
      "a length beside its list",
      ["[5, 6], 2", "[7, 8, 9], 3", "[1], 1"],
      0.8,
      (args) => int(values(args)[1]) === items(values(args)[0]).length,
    ],
    [
      "the sides of a matrix",
      ["[[1, 2], [3, 4], [5, 6]], 3, 2", "[[1, 2, 3]], 1, 3"],
      0.6,
      (args) => {
        const [rows, n, m] = values(args);
        return items(rows).length === int(n) && items(rows).every((row) => items(row).length === int(m));
      },
    ],
    [
      "sorted lists",
      ["[1, 2, 5, 9]", "[0, 3, 4]", "[2, 2, 8]"],
      0.85,
      (args) => items(values(args)[0]).every((v, i, all) => i === 0 || (compare(all[i - 1] as PyValue, v) ?? 1) <= 0),
    ],
    [
      "indices",
      ["[5, 6, 7], 0", "[1, 2], 1", "[3, 3, 3, 3], 2"],
      0.7,
      (args) => int(values(args)[1]) >= 0 && int(values(args)[1]) < items(values(args)[0]).length,
    ],
    ["positive numbers", ["3", "10", "250"], 0.85, (args) => int(values(args)[0]) > 0],
    ["numbers that are not negative", ["0", "12", "7"], 0.85, (args) => int(values(args)[0]) >= 0],
    ["an alphabet", ["'(()())'", "'()'", "'(())'"], 0.75, (args) => /^'[()]*'$/.test(args)],
    ["a layout of text", ["'2020-01-31'", "'1999-12-01'"], 0.75, (args) => /^'\d{4}-\d\d-\d\d'$/.test(args)],
    [
      "the lower bound of a pair",
      ["1, 5", "2, 2", "3, 40"],
      0.7,
      (args) => int(values(args)[0]) <= int(values(args)[1]),
    ],
    [
      "a member of a list",
      ["'a', ['a', 'b']", "'d', ['c', 'd', 'e']"],
      0.5,
      (args) => items(values(args)[1]).some((v) => printLiteral(v) === printLiteral(values(args)[0] as PyValue)),
    ],
  ])("keeps %s in most proposals, but not in all of them a given one", (_, given, least, holds) => {
    const out = propose(given, {}, 200);
    expect(out.length).toBeGreaterThan(100);
    expect(share(out, holds)).toBeGreaterThanOrEqual(least);
  });

  it("tries the edges: empty, single, zero, one, negative, repeated, large", () => {
    const lists = propose(["[1, 2, -3]", "[4, 5]"], {}, 300);
    expect(lists).toContain("[]");
    expect(lists.some((args) => items(values(args)[0]).length === 1)).toBe(true);
    expect(lists.some((args) => items(values(args)[0]).length >= 40)).toBe(true);
    expect(lists.some((args) => /^\[(-?\d+)(, \1){2,}\]$/.test(args))).toBe(true);
    const ints = propose(["5", "7"], {}, 100);
    for (const edge of ["0", "1", "2", "8", "70"]) expect(ints).toContain(edge);
    const texts = propose(["'abc'", "'de'"], {}, 100);
    expect(texts).toContain("''");
    expect(texts.some((args) => args.length > 50)).toBe(true);
  });

  it("uses the constants of the references", () => {
    const references = ["def f(x, s):\n    return x > 4711 or s == 'sesame'\n"];
    const out = propose(["1, 'a'", "2, 'b'"], { references }, 400);
    expect(out.some((args) => /\b(?:4710|4711|4712)\b/.test(args))).toBe(true);
    expect(out.some((args) => args.includes("sesame"))).toBe(true);
  });

  it("goes by the annotations where nothing is given", () => {
    const prompt = "def f(xs: List[int], name: Optional[str], *, flag=False) -> int:\n    ...\n";
    const out = propose([], { prompt }, 50);
    expect(out).toHaveLength(50);
    for (const args of out)
      expect(
        values(args)
          .map(({ t }) => t)
          .join(),
      ).toMatch(/^(?:list,(?:str|none)|none,(?:str|none))$/);
    expect(share(out, (args) => values(args)[0]?.t === "list")).toBe(1);
  });

  it("goes by the annotations where the given values do not show the type", () => {
    const prompt = "def f(xs: List[str], k: Optional[int]):\n    ...\n";
    const out = propose(["[], 1", "[], 2"], { prompt }, 100);
    const inner = new Set(out.flatMap((args) => items(values(args)[0]).map(({ t }) => t)));
    expect([...inner]).toEqual(["str"]);
    expect(out.some((args) => values(args)[1]?.t === "none")).toBe(true);
  });

  it("proposes nothing where nothing is known", () => {
    expect(propose([])).toEqual([]);
    expect(propose(["lambda: 0"])).toEqual([]);
  });
});
