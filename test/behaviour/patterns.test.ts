import { expect, it } from "vitest";
import { patternTexts } from "../../src/behaviour/patterns.ts";
import { cpuS } from "../cpu.ts";

it.each<[string, RegExp, (texts: readonly string[]) => void]>([
  [
    String.raw`re.sub(r"(?<!\d)\d{3,5}(?!\d)", "", s)`,
    /^\D*\d{3,5}\D*$/,
    (texts) => {
      for (const size of [2, 3, 5, 6])
        expect(texts.some((text) => text.length === size && /^\d+$/.test(text))).toBe(true);
      expect(texts).toContainEqual(expect.stringMatching(/^[a-z]\d/));
    },
  ],
  [String.raw`re.findall(r'[\w.+-]+@[\w-]+\.[\w.]+', s)`, /[\w.+-]+@[\w-]+\.[\w.]+/, () => {}],
  [String.raw`re.compile(r"^(?P<h>\d+)h(?:(\d{1,2})m)?$")`, /^\d+h(?:\d{1,2}m)?$/, () => {}],
  [String.raw`re.match("[A-Z]{2}\\d{4}|x+", s)`, /^(?:[A-Z]{2}\d{4}|x+)/, (texts) => expect(texts).toContain("xxx")],
  ["re.split(r'[^0-9]+', s)", /[^0-9]+/, () => {}],
])("%s gives texts that match, and some that do not", (source, pattern, more) => {
  const texts = patternTexts(source);
  const matching = texts.filter((text) => pattern.test(text));
  expect(matching.length).toBeGreaterThan(1);
  expect(texts.length).toBeLessThanOrEqual(12);
  more(texts);
});

it.each([
  "re.match('(?i)a', s)",
  "re.match('a(?(1)b)', s)",
  "re.match('(a', s)",
  "re.match('*', s)",
  "re.match(x, s)",
  "",
])("%j gives none", (source) => expect(patternTexts(source)).toEqual([]));

it("reads hostile patterns in no time", () => {
  const began = cpuS();
  for (const pattern of [
    "(((((a{0}){999}){999}){999}){999}){999}",
    "(((((a{1}){999}){999}){999}){999}){999}",
    `${"(".repeat(90)}${")".repeat(90)}`,
    "[a".repeat(60),
    "a|".repeat(90),
    "(a?b?c?){999}".repeat(15),
  ]) {
    for (const text of patternTexts(`re.match(r"${pattern}", s)`)) expect(text.length).toBeLessThan(200);
  }
  patternTexts('re.match("'.repeat(20_000));
  patternTexts(`re.match("${"\\\\".repeat(50_000)}`);
  expect(cpuS() - began).toBeLessThan(3);
});

it("makes dates and times that exist, unless the program checks them", () => {
  const pattern = String.raw`re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d", s)`;
  const stamps = (source: string): string[] =>
    patternTexts(source).flatMap((text) => text.match(/(?<!\d)\d{4}-\d\d-\d\d \d\d:\d\d/g) ?? []);
  const isReal = (stamp: string): boolean => !Number.isNaN(Date.parse(`${stamp.replace(" ", "T")}Z`));
  expect(stamps(pattern).length).toBeGreaterThan(3);
  expect(stamps(pattern).every(isReal)).toBe(true);
  expect(stamps(`${pattern}\nif month > 12: pass`).every(isReal)).toBe(false);
});
