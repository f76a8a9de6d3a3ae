/** Argument lists split and joined; annotations; ingredients. */
import { describe, expect, it } from "vitest";
import { readAnnotation, readSignature } from "../../src/expand/annotations.ts";
import { printCall, readCall } from "../../src/expand/call.ts";
import { collectIngredients } from "../../src/expand/ingredients.ts";
import { printLiteral } from "../../src/languages/python/literals/index.ts";

describe("readCall", () => {
  it.each([
    [
      "[1, 2], k=3",
      [
        [null, "[1, 2]", true],
        ["k", "3", true],
      ],
    ],
    [
      "lambda x, y: x + y, 2",
      [
        [null, "lambda x, y: x + y", false],
        [null, "2", true],
      ],
    ],
    [
      "'a, b', \"c=d\", (1, 2)",
      [
        [null, "'a, b'", true],
        [null, '"c=d"', true],
        [null, "(1, 2)", true],
      ],
    ],
    [
      "f(1, 2), {1: lambda: 0}, *rest",
      [
        [null, "f(1, 2)", false],
        [null, "{1: lambda: 0}", false],
        [null, "*rest", false],
      ],
    ],
    [
      "key=lambda s: s == 'a', n = 1",
      [
        ["key", "lambda s: s == 'a'", false],
        ["n", "1", true],
      ],
    ],
    [
      "a == b, 1,",
      [
        [null, "a == b", false],
        [null, "1", true],
      ],
    ],
    [
      "1, # one, really\n 2",
      [
        [null, "1", true],
        [null, "2", true],
      ],
    ],
    ["", []],
  ])("takes %j apart", (args, slots) => {
    expect(readCall(args).map(({ name, source, value }) => [name, source, value !== null])).toEqual(slots);
  });

  it("prints what it read", () => {
    expect(printCall(readCall("[1,2] ,  k = 'x', *a"))).toBe("[1,2], k='x', *a");
  });
});

/** The types of a shape, nested: `list[int]`. */
function kinds(shape: ReturnType<typeof readAnnotation>): string {
  return shape
    .map(({ of }) => {
      if (of.t === "dict") return `dict[${kinds(of.key)},${kinds(of.value)}]`;
      if (!("item" in of)) return of.t;
      return `${of.t}[${of.positions ? of.positions.map(kinds).join() : kinds(of.item)}]`;
    })
    .join("|");
}

describe("readAnnotation", () => {
  it.each([
    ["int", "int"],
    ["List[int]", "list[int]"],
    ["typing.List[List[float]]", "list[list[float]]"],
    ["list[str]", "list[str]"],
    ["Optional[str]", "str|none"],
    ["int | None", "int|none"],
    ["Union[int, List[str]]", "int|list[str]"],
    ["Tuple[int, str]", "tuple[int,str]"],
    ["tuple[int, ...]", "tuple[int]"],
    ["Dict[str, Set[int]]", "dict[str,set[int]]"],
    ["FrozenSet[bool]", "frozenset[bool]"],
    ["'List[int]'", "list[int]"],
    ["Sequence[bytes]", "list[bytes]"],
    ["list", "list[]"],
    ["Any", ""],
    ["TreeNode", ""],
    ["", ""],
  ])("reads %s as %s", (text, expected) => {
    expect(kinds(readAnnotation(text))).toBe(expected);
  });

  it("finds the parameters of a function over several lines, up to a bare star", () => {
    const code =
      "def g(q): pass\n\ndef f(\n    self, xs: List[Tuple[int, str]],\n    k: int = 3, rest=(), *, name\n) -> Dict[str, int]:\n    pass\n";
    const read = readSignature(code, "f")?.map(({ name, shape, optional }) => [name, kinds(shape), optional]);
    expect(read).toEqual([
      ["xs", "list[tuple[int,str]]", false],
      ["k", "int", true],
      ["rest", "", true],
    ]);
    expect(readSignature(code, "h")).toBeNull();
  });
});

describe("collectIngredients", () => {
  it("takes the parts of inputs, and the constants of programs with their neighbours", () => {
    const source =
      'def f(x):\n    """Not 77, nor \'this\'."""\n    # nor 88\n    return x > 10 or x == "yes" or x < 2.5\n';
    const given = readCall("[[1, 'a'], {'k': (3,)}]").flatMap(({ value }) => (value ? [value] : []));
    const found = collectIngredients(given, [source]);
    const printed = (t: "int" | "str" | "float" | "tuple"): string[] => (found.get(t) ?? []).map(printLiteral);
    expect(printed("int")).toEqual(["1", "3", "10", "9", "11"]);
    expect(printed("str")).toEqual(["'a'", "'k'", "'yes'"]);
    expect(printed("float")).toEqual(["2.5"]);
    expect(printed("tuple")).toEqual(["(3,)"]);
  });
});
