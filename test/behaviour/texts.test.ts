import { expect, it } from "vitest";
import type { Trial, Tried } from "../../src/behaviour/oracle.ts";
import { FORMS, textsByTrial } from "../../src/behaviour/texts.ts";

/** A program as what it prints; null: an exception, `undefined`: it wants more lines. */
type Prints = (lines: readonly string[]) => string | null | undefined;

const trialOf = (printed: string | null | undefined): Trial => ({
  answers:
    typeof printed === "string" ? [{ outcome: "ok", value: { t: "str", v: printed }, text: printed, cpuS: 0 }] : [],
  isAnswered: typeof printed === "string",
  wantsMore: printed === undefined,
});

const program =
  (prints: Prints): Tried =>
  async (texts) =>
    texts.map((text) => trialOf(prints(text.split("\n").slice(0, -1))));

it("keeps the forms that a program reads, at most three, and of them the texts that it answers", async () => {
  const isPair = (line: string | undefined): boolean => /^\d+ \d+$/.test(line ?? "");
  const texts = await textsByTrial(
    program(([line]) => (isPair(line) ? line : null)),
    "",
  );
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.every((text) => isPair(text.trimEnd()))).toBe(true);
});

it("leaves out a form of which only some are answered by chance", async () => {
  expect(
    await textsByTrial(
      program((lines) => (lines.join() === "5" ? "5" : null)),
      "",
    ),
  ).toEqual([]);
});

it("leaves out forms with lines that the program does not read", async () => {
  const texts = await textsByTrial(
    program(([line]) => (/^\d+$/.test(line ?? "") ? `${2 * Number(line)}` : null)),
    "",
  );
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.every((text) => /^\d+\n$/.test(text))).toBe(true);
});

it("leaves out counted lines where a program reads only the first line after the count", async () => {
  const texts = await textsByTrial(
    program(([count, line]) => {
      if (!/^\d+$/.test(count ?? "")) return null;
      return line === undefined ? undefined : /^-?\d+(?: -?\d+)*$/.test(line) ? line : null;
    }),
    "",
  );
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts) {
    const [count, ...lines] = text.trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ").length)).toEqual([Number(count)]);
  }
});

it("gives words to a program that reads any text, quoted ones of the description first", async () => {
  const texts = await textsByTrial(
    program(([line]) => line),
    'Whether a pin such as "1234" or "a2b4" is valid.',
  );
  expect(texts.slice(0, 2)).toEqual(["1234\n", "a2b4\n"]);
  expect(texts).toContain("abcab\n");
});

it("gives numbers of the description to a program that reads a number", async () => {
  const prints: Prints = ([line, second]) => (/^\d+$/.test(line ?? "") && second === undefined ? line : null);
  const texts = await textsByTrial(program(prints), "The next bigger number: 2017 for 1702, version 3.5 or v12.");
  expect(texts.slice(0, 3)).toEqual(["2017\n", "1702\n", "5\n"]);
});

it("builds a text line by line if no form is read", async () => {
  const prints: Prints = ([first, second, third]) => {
    if (!/^(?:\d+ ){4}\d+$/.test(first ?? "")) return null;
    if (second === undefined) return undefined;
    if (!/^\d\d:\d\d$/.test(second)) return null;
    return third === undefined ? `${first} ${second}` : null;
  };
  const texts = await textsByTrial(program(prints), "");
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.every((text) => /^(?:\d+ ){4}\d+\n\d\d:\d\d\n$/.test(text))).toBe(true);
});

it("stops after six lines", async () => {
  let most = 0;
  const texts = await textsByTrial(
    program((lines) => {
      most = Math.max(most, lines.length);
      return undefined;
    }),
    "",
  );
  expect(texts).toEqual([]);
  expect(most).toBe(6);
});

it("every text ends its last line, and none stands twice in its form", async () => {
  const tried: string[] = [];
  await textsByTrial(async (all) => {
    tried.push(...all);
    return all.map(() => trialOf(null));
  }, "");
  expect(tried.every((text) => text.endsWith("\n"))).toBe(true);
  for (const form of FORMS) expect(new Set(form).size).toBe(form.length);
});
