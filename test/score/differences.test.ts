/** Where programs differ, apart from the names of variables. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Parse } from "../../src/languages/python/syntax/parse.ts";
import { loadParser } from "../../src/languages/python/syntax/parse.ts";
import { differencesOf } from "../../src/score/differences.ts";

const REFERENCE = `def count(items, least):
    """How many are larger."""
    found = 0
    for item in items:
        if item > least:
            found += 1
    return found
`;

const FOLLOW = `def follow(signs: list[int]) -> int:
    place = 0
    visited = set()
    while 0 <= place < len(signs):
        if place in visited:
            return -1
        visited.add(place)
        place += signs[place]
    return len(visited)
`;

let parse: Parse;
beforeAll(async () => {
  parse = await loadParser();
});
const lines = (candidate: string, reference = REFERENCE) =>
  differencesOf(parse(candidate), parse(reference)).map(({ candidate: ours, reference: theirs }) => [
    ours && `${ours.line} ${ours.text.trim()}`,
    theirs && `${theirs.line} ${theirs.text.trim()}`,
  ]);

describe("lines that differ", () => {
  it("names a line with two statements once", () => {
    expect(lines("", "def f(x): return x\n")).toEqual([[null, "1 def f(x): return x"]]);
  });

  it.each<[string, string, (string | null)[][], string?]>([
    ["none of the program itself", REFERENCE, []],
    [
      "none where variables are called otherwise",
      "def count(xs: list, n: int) -> int:\n    total = 0  # so far\n    for x in xs:\n        if x > n:\n            total += 1\n    return total\n",
      [],
    ],
    [
      "a wrong operator, and no other line",
      "def count(xs, n):\n    total = 0\n    for x in xs:\n        if x < n:\n            total += 1\n    return total\n",
      [["4 if x < n:", "5 if item > least:"]],
    ],
    [
      "variables that are swapped",
      "def count(xs, n):\n    total = 0\n    for x in xs:\n        if n > x:\n            total += 1\n    return total\n",
      [["4 if n > x:", "5 if item > least:"]],
    ],
    [
      "one more line, which shifts no name",
      "def count(xs, n):\n    extra = 1\n    total = 0\n    for x in xs:\n        if x > n:\n            total += 1\n    return total\n",
      [["2 extra = 1", null]],
    ],
    [
      "a line that is missing",
      "def count(xs, n):\n    total = 0\n    for x in xs:\n        total += 1\n    return total\n",
      [
        ["4 total += 1", "5 if item > least:"],
        [null, "6 found += 1"],
      ],
    ],
    [
      "no parameters, whatever variables stand side by side in lines of other kinds",
      `def follow(signs: list[int]) -> int:
    place = 0
    for val in range(len(signs) + 1):
        if place < 0 or place >= len(signs):
            return val
        place = place + signs[place]
    return -1
`,
      [
        ["3 for val in range(len(signs) + 1):", "3 visited = set()"],
        ["4 if place < 0 or place >= len(signs):", "4 while 0 <= place < len(signs):"],
        ["5 return val", "5 if place in visited:"],
        ["6 place = place + signs[place]", "6 return -1"],
        ["7 return -1", "7 visited.add(place)"],
        [null, "8 place += signs[place]"],
        [null, "9 return len(visited)"],
      ],
      FOLLOW,
    ],
    [
      "the lines that exchange two parameters, not the parameters",
      "def less(a, b):\n    c = b - a\n    d = b // a\n    return c + d\n",
      [
        ["2 c = b - a", "2 c = a - b"],
        ["3 d = b // a", "3 d = a // b"],
      ],
      "def less(a, b):\n    c = a - b\n    d = a // b\n    return c + d\n",
    ],
    ["what does not parse", "def count(xs, n:\n    return 1\n", expect.anything() as unknown as string[][]],
  ])("are %s", (_, candidate, wanted, reference) => {
    expect(lines(candidate, reference)).toEqual(wanted);
  });

  it("hold a statement of several lines together", () => {
    const [reference, candidate] = ["+", "-"].map((sign) => `def f(a, b):\n    return (\n        a ${sign} b\n    )\n`);
    expect(differencesOf(parse(candidate!), parse(reference!))).toMatchObject([
      { candidate: { line: 2, text: "    return (\n        a - b\n    )" }, reference: { line: 2 } },
    ]);
  });

  it("are not looked for where programs have next to nothing in common, however long they are", () => {
    const long = (name: string): string => Array.from({ length: 900 }, (_, i) => `${name}(${i})\n`).join("");
    const began = performance.now();
    expect(lines(long("f"), long("g"))).toEqual([]);
    expect(lines("x = 1\n".repeat(20_000), "y = 2\n")).toEqual([]);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
