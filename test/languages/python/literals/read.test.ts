import { describe, expect, it } from "vitest";
import { CodescoreError } from "../../../../src/errors.ts";
import { parseArguments, parseLiteral, printLiteral } from "../../../../src/languages/python/literals/index.ts";
import { askPython, canonical, canonicalInPython, literals, python } from "../../../util/python.ts";

const broken = [
  "",
  "x",
  "1 +",
  "1 + 2",
  "[1",
  "[1,,2]",
  "{1: 2, 3}",
  "{1, 2: 3}",
  "{[1]}",
  "{{}: 1}",
  "{([],): 1}",
  "'abc",
  "'''abc'",
  "'a\nb'",
  "01",
  "1__0",
  "1_",
  "0x",
  "1a",
  "1.2.3",
  "f'a'",
  "b'é'",
  "'a' b'b'",
  "'\\x4'",
  "'\\u12'",
  "'\\U00110000'",
  "-'a'",
  "-True",
  "-None",
  "[1] [2]",
  "1 2",
  "{,}",
  "[,]",
  "{**{}}",
  "*a",
  "[x for x in y]",
  "print(1)",
  "lambda: 0",
  "'\\u00411' 'x",
  "[1)",
  "None None",
  "set((1, 2), 3)",
  "float('x')",
  "float()",
  "1\n2",
  `${"[".repeat(201)}${"]".repeat(201)}`,
];

describe("parseLiteral", () => {
  it.skipIf(!python)("reads what ast.literal_eval reads, as the same value", () => {
    const texts = literals.filter((text) => !/^1, ?2/.test(text) && text !== "--7");
    const theirs = askPython(
      `${canonicalInPython}\nout = [canon(ast.literal_eval(t)) for t in data]`,
      texts,
    ) as unknown[];
    expect(texts.map((text) => [text, canonical(parseLiteral(text))])).toEqual(
      texts.map((text, i) => [text, theirs[i]]),
    );
  });

  it.skipIf(!python)("refuses what ast.literal_eval refuses", () => {
    const script = "out = []\nfor t in data:\n    try: ast.literal_eval(t); out.append(t)\n    except Exception: pass";
    expect(askPython(`import warnings\nwarnings.simplefilter('ignore')\n${script}`, broken)).toEqual([]);
    for (const text of broken) expect(() => parseLiteral(text), text).toThrow(CodescoreError);
  });

  it.each([
    ["float('inf')", { t: "float", v: Number.POSITIVE_INFINITY }],
    ["-float('Infinity')", { t: "float", v: Number.NEGATIVE_INFINITY }],
    ["float(' -inf ')", { t: "float", v: Number.NEGATIVE_INFINITY }],
    ['float("nan")', { t: "float", v: Number.NaN }],
    ["float('1_0.5e1')", { t: "float", v: 105 }],
    ["float(3)", { t: "float", v: 3 }],
    ["frozenset()", { t: "frozenset", v: [] }],
    ["frozenset({1, 1})", { t: "frozenset", v: [{ t: "int", v: 1n }] }],
    ["set([True, 1])", { t: "set", v: [{ t: "bool", v: true }] }],
    ["complex(-0.0, float('inf'))", { t: "complex", re: -0, im: Number.POSITIVE_INFINITY }],
  ])("reads %s, which has no literal", (text, value) => {
    expect(parseLiteral(text)).toEqual(value);
  });

  it.each([
    ["toString(1)", "expected a literal at line 1, column 1, got `toString(1)`"], // every JavaScript object has this name
    ["[1, x]", "expected a literal at line 1, column 5, got `x]`"],
    ["[1,\n  2 3]", "expected `,` or `]` at line 2, column 5, got `3]`"],
    ["'abc", "expected a string with its closing quote at line 1, column 1"],
    ["{1: 2}; 3", "expected the end at line 1, column 7, got `; 3`"],
    ["[1", "got the end of the text"],
  ])("says where %j is broken", (text, message) => {
    expect(() => parseLiteral(text)).toThrow(message);
  });
});

describe("parseArguments", () => {
  it.each([
    ["", [], []],
    ["1", ["1"], []],
    ["[1, 2], k=3", ["[1, 2]"], [["k", "3"]]],
    ["1,\n 'a' # c\n,", ["1", "'a'"], []],
    [
      "a=r'x', b = {}",
      [],
      [
        ["a", "'x'"],
        ["b", "{}"],
      ],
    ],
    ["r'a', (1,)", ["'a'", "(1,)"], []],
  ])("reads %j", (text, positional, keyword) => {
    const read = parseArguments(text);
    expect(read.positional.map(printLiteral)).toEqual(positional);
    expect(read.keyword.map(([name, value]) => [name, printLiteral(value)])).toEqual(keyword);
  });

  it.each(["1 2", "a=1, 2", "*[1]", ",", "a=", "a==1", "1,,2"])("refuses %j", (text) => {
    expect(() => parseArguments(text)).toThrow(CodescoreError);
  });
});
