/** The rule without learned weights, and its structural similarities, compared with values computed by hand. */
import { beforeAll, describe, expect, it } from "vitest";
import { loadForms, type ReadForms, type Term } from "../../../src/languages/python/index.ts";
import { loadRule, rule, ruled } from "../../../src/metrics/static/rule.ts";
import {
  agreement,
  bagOf,
  operations,
  recall,
  Subtrees,
  tellingLiterals,
} from "../../../src/metrics/static/structure.ts";

let forms: ReadForms;
beforeAll(async () => {
  await loadRule();
  forms = await loadForms();
});

const termsOf = (code: string): Term => forms(code).plain.terms!;

describe("recall", () => {
  it("counts each element as often as both have it", () => {
    expect(recall(bagOf(["a", "b", "b"]), bagOf(["a", "a", "b", "c"]))).toBe(0.5);
    expect(recall(bagOf([]), bagOf(["a"]))).toBe(0);
    expect(recall(bagOf(["a"]), bagOf([]))).toBeNull();
  });
});

describe("subtrees", () => {
  it("are all that have parts, each as often as both have it", () => {
    // return va + 1: the operation, the return, the block, the module's block; the function and its parameters
    const trees = new Subtrees(termsOf("def f(x):\n    return x + 1\n"));
    expect(trees.recall(termsOf("def f(x):\n    return x + 1\n"))).toBe(1);
    expect(trees.recall(termsOf("def f(y):\n    return y + 2\n"))).toBe(1 / 6); // the parameters
    const twice = new Subtrees(termsOf("f(x + 1)\nf(x + 1)\n"));
    // the operation, the arguments, the call and the statement, twice each; and the module's block
    expect(twice.recall(termsOf("f(x + 1)\n"))).toBe(4 / 9);
    expect(twice.recall(termsOf("f(x + 1)\nf(x + 1)\nf(x + 1)\n"))).toBe(8 / 9);
    expect(new Subtrees(termsOf("\n")).recall(termsOf("x = 1\n"))).toBeNull();
  });

  it("differ where their texts look alike", () => {
    const trees = new Subtrees(termsOf("f('a,b')\n"));
    expect(trees.recall(termsOf("f('a', 'b')\n"))).toBe(0);
  });
});

describe("agreement", () => {
  it("is the mean of both recalls, and whole where neither has anything", () => {
    expect(agreement(bagOf(["a", "b", "b"]), bagOf(["a", "a", "b", "c"]))).toBe((2 / 4 + 2 / 3) / 2);
    expect(agreement(bagOf([]), bagOf(["a"]))).toBe(0.5);
    expect(agreement(bagOf([]), bagOf([]))).toBe(1);
  });
});

describe("operations", () => {
  it("are the operators, alone and with what they are applied to", () => {
    const bag = operations(termsOf("def f(a, b):\n    a += 2\n    return len(a) % 2 + b.g(1) * -a - b\n"));
    expect([...bag.keys()].sort()).toEqual(
      [
        "%",
        "%(name:len(),literal:2)",
        "*",
        "*(attribute:g(),unary:-)",
        "+",
        "+(,literal:2)",
        "+(operation:%,operation:*)",
      ]
        .concat(["-", "-(operation:+,)"])
        .sort(),
    );
    expect(bag.get("+")).toBe(2);
  });
});

describe("telling literals", () => {
  it("are those that other programs may not have", () => {
    const bag = tellingLiterals(
      termsOf("def f(a):\n    return a[0] + 1 if a in ['', 'ab', None] else 1.5 + 1.5 + True\n"),
    );
    expect([...bag]).toEqual([
      ["'ab'", 1],
      ["1.5", 2],
    ]);
  });
});

describe("the rule", () => {
  const reference =
    "def f(xs):\n    found = []\n    for x in xs:\n        if x > 0:\n            found.append(x)\n    return found\n";

  it("is 1 for the same in other words", () => {
    expect(rule(reference, reference)).toBe(1);
    expect(rule("def f(items):\n    '''Doc.'''\n    return [i for i in items if 0 < i]  # why\n", reference)).toBe(1);
  });

  it("is 0 where the gate is", () => {
    expect(rule("def f(xs):\n    return [x for x in ys if x > 0]\n", reference)).toBe(0);
    expect(rule("def f(xs:\n    return xs\n", reference)).toBe(0);
  });

  it.each(["x + ".repeat(20_000), "-".repeat(20_000), "(".repeat(20_000)])(
    "is 0 for what nests deeper than Python takes",
    (deep) => {
      expect(rule(`def f(x):\n    return ${deep}x`, reference)).toBe(0);
    },
  );

  it("is between for what is alike in part, and greater for what is more alike", () => {
    const near = rule("def f(xs):\n    return [x for x in xs if abs(x) > 0]\n", reference);
    const far = rule("def f(xs):\n    return xs\n", reference);
    expect(near).toBeLessThan(1);
    expect(far).toBeGreaterThan(0);
    expect(near).toBeGreaterThan(far);
  });

  it("remembers a candidate's value for its reference alone", () => {
    const candidate = "def f(xs):\n    return [x for x in xs if x >= 0]\n";
    const others = [reference, "def f(xs):\n    return xs\n", "def g(): pass\n", reference, reference];
    const values = others.map((other) => rule(candidate, other));
    expect(new Set(values.slice(0, 3)).size).toBe(3);
    expect(values.slice(3)).toEqual([values[0], values[0]]);
  });

  it("takes references that do not parse", () => {
    expect(rule("print(1)\n", "print(1\n")).toBeGreaterThan(0.5);
  });
});

describe("what is seen of the answers", () => {
  const reference =
    "def f(xs, least):\n    found = []\n    for x in xs:\n        if x > least:\n            found.append(x)\n    return found\n";
  const seen = (candidate: string): number => ruled(candidate, reference).answers;

  it.each([
    ["nothing", reference, 1],
    ["another way", "def f(a, b):\n    return [x for x in a if x > b]\n", 1],
    ["answers of unknown kind", "def f(a, b):\n    return g(a, b)\ndef g(a, b):\n    return a\n", 1],
    ["answers of any kind", "def f(a, b):\n    return sum(x > b for x in a)\n", 1],
    ["numbers for lists", "def f(a, b):\n    return len([x for x in a if x > b])\n", 0],
    ["what sort returns", "def f(a, b):\n    return [x for x in a if x > b].sort()\n", 0],
    ["printing", "def f(a, b):\n    print([x for x in a if x > b])\n", 0],
    ["an argument too many", "def f(a, b, c):\n    return [x for x in a if x > b]\n", 0],
    ["a generator", "def f(a, b):\n    for x in a:\n        if x > b:\n            yield x\n", 0],
    ["no argument read", "def f(a, b):\n    return [1, 2]\n", 0.3],
    ["an argument not read", "def f(a, b):\n    return [x for x in a]\n", 0.55],
    ["an end without an answer", "def f(a, b):\n    for x in a:\n        if x > b:\n            return [x]\n", 0.85],
    ["what the gate sees", "def f(a, b):\n    return c\n", 1],
  ])("%s", (_, candidate, factor) => {
    expect(seen(candidate)).toBe(factor);
  });

  it("leaves alone who answers where the reference changes its argument in place", () => {
    const inPlace = "def f(xs):\n    xs.sort()\n";
    expect(ruled("def f(xs):\n    xs.sort()\n    return sorted(xs)\n", inPlace).answers).toBe(1);
  });

  it("tells what lists hold", () => {
    const squares = "def f(xs):\n    return [len(x) ** 2 for x in xs]\n";
    expect(ruled("def f(xs):\n    return [str(len(x) ** 2) for x in xs]\n", squares).answers).toBe(0);
    expect(ruled("def f(xs):\n    return [len(x) for x in xs]\n", squares).answers).toBe(1);
  });

  it("and of attributes that nothing gives", () => {
    const helped =
      "class A:\n    def f(self, x):\n        return self.g(x)\n    def g(self, x):\n        return x + 1\n";
    const alone = "class A:\n    def f(self, x):\n        return self.g(x)\n";
    expect(ruled(alone, helped)).toMatchObject({ answers: 0.13, raises: true });
    expect(rule(alone, helped)).toBeLessThanOrEqual(0.13);
    expect(ruled(alone, alone)).toEqual({ rule: 1, answers: 1, raises: false, fails: false, refused: false });
  });

  it("is a factor of the rule", () => {
    const unread = "def f(xs, least):\n    found = []\n    for x in xs:\n        found.append(x)\n    return found\n";
    expect(ruled(unread, reference)).toMatchObject({ answers: 0.55 });
    expect(rule(unread, reference)).toBeLessThanOrEqual(0.55);
    expect(rule(unread, reference)).toBeGreaterThan(0.3); // the texts are similar
    expect(rule("def f(a, b):\n    print(a)\n", reference)).toBe(0);
  });
});
