import fc from "fast-check";
import { expect, it } from "vitest";
import { lex, MARKS, type Mark, staticMarks } from "../../src/languages/python/index.ts";
import type { Lexeme } from "../../src/languages/python/normalize/lexemes.ts";
import { loadParser } from "../../src/languages/python/syntax/parse.ts";
import { marksInText, marksInTokens } from "../../src/tokenize/placed-marks.ts";

const parse = await loadParser();

/** The definition, computed in quadratic time. */
const plainly = (marks: readonly Mark[], lexemes: readonly Lexeme[]): Mark[] =>
  marks.flatMap((mark) => {
    const inside = lexemes.filter(({ source }) => source >= mark.start && source < mark.end);
    return inside.length === 0 ? [] : [{ ...mark, start: inside[0]!.start, end: inside.at(-1)!.end }];
  });

const marksOf = fc
  .array(fc.tuple(fc.nat(40), fc.nat(9)), { maxLength: 12 })
  .map((places) =>
    places
      .map(([start, length]): Mark => ({ start, end: start + length, mark: MARKS.unused }))
      .sort((a, b) => a.start - b.start),
  );
const lexemesOf = fc
  .array(fc.nat(50), { maxLength: 40 })
  .map((sources) => sources.map((source, i): Lexeme => ({ source, start: 2 * i, end: 2 * i + 1 })));

it("gives marks the lexemes that begin within, in whatever order the text has them", () => {
  fc.assert(
    fc.property(marksOf, lexemesOf, (marks, lexemes) => {
      expect(marksInText(marks, lexemes)).toEqual(plainly(marks, lexemes));
    }),
  );
});

it.each([
  ["the pass of a block that the parser found empty", "try:\n  x = (\nexcept:\nelse:\n  y\n"],
  ["a name within its module's mark", "import numpy\ndef f():\n    del numpy\n    return [numpy, n]\n"],
])("agrees where lexemes or marks are out of order: %s", (_, code) => {
  const program = parse(code);
  const { lexemes } = lex(program);
  const marks = staticMarks(program);
  expect(marks.length).toBeGreaterThan(0);
  expect(marksInText(marks, lexemes)).toEqual(plainly(marks, lexemes));
});

it("looks at each lexeme a few times, however many marks there are", () => {
  const looksAt = (count: number): number => {
    let looks = 0;
    const lexemes = Array.from({ length: count }, (_, i) => ({
      get source() {
        looks += 1;
        return 2 * i;
      },
      start: 2 * i,
      end: 2 * i + 1,
    }));
    const marks = lexemes.map((_, i): Mark => ({ start: 2 * i, end: 2 * i + 1, mark: MARKS.unused }));
    expect(marksInText(marks, lexemes)).toHaveLength(count);
    return looks;
  };
  expect(looksAt(4000)).toBeLessThan(2.2 * looksAt(2000));
});

it("counts the bytes of other alphabets", () => {
  const text = "é 变 🎉 x";
  const marks: Mark[] = [{ start: text.indexOf("x"), end: text.length, mark: MARKS.undefinedName, name: "x" }];
  const ends = [...Buffer.from(text)].map((_, i) => i + 1); // one token per byte
  expect(marksInTokens(marks, text, ends)).toEqual([{ from: 12, to: 13, mark: MARKS.undefinedName, name: "x" }]);
});
