import { expect, it } from "vitest";
import { callsAsTexts } from "../../src/behaviour/called.ts";
import type { Tried } from "../../src/behaviour/oracle.ts";

/** A program as what it prints; null: an exception. */
const program =
  (prints: (text: string) => string | null): Tried =>
  async (texts) =>
    texts.map((text) => {
      const printed = prints(text);
      return {
        answers: printed === null ? [] : [{ outcome: "ok", value: { t: "str", v: printed }, text: printed, cpuS: 0 }],
        isAnswered: printed !== null,
        wantsMore: false,
      };
    });

it("writes texts as lines and takes the answers as examples", async () => {
  const found = await callsAsTexts(
    'find("ab") === "a"\nfind("xyz") === "x"\n',
    program((text) => `${text[0]}\n`),
  );
  expect(found.inputs).toEqual([{ stdin: "ab\n" }, { stdin: "xyz\n" }]);
  expect(found.examples).toEqual([
    { input: { stdin: "ab\n" }, expected: "a\n" },
    { input: { stdin: "xyz\n" }, expected: "x\n" },
  ]);
});

it("finds the layout of lists by what the program prints", async () => {
  const total = (line: string): string => `${line.split(" ").reduce((sum, one) => sum + Number(one), 0)}\n`;
  const description = "add_up([1, 2, 3], 4) -> 10\nadd_up([5], 1) -> 6\n";
  const spaced = await callsAsTexts(
    description,
    program((text) => (/^[\d\n ]+$/.test(text) ? total(text.trim().replace("\n", " ")) : null)),
  );
  expect(spaced.examples.map(({ input }) => input)).toEqual([{ stdin: "1 2 3\n4\n" }, { stdin: "5\n1\n" }]);
  const literal = await callsAsTexts(
    description,
    program((text) => (text.startsWith("[") ? total(text.replace(/[^\d\n ]/g, "").replace("\n", " ")) : null)),
  );
  expect(literal.inputs[0]).toEqual({ stdin: "[1, 2, 3]\n4\n" });
});

it("gives nothing if the program prints fewer than half of the answers", async () => {
  const found = await callsAsTexts(
    'f("ab") == "a"\nf("cd") == "c"\nf("ef") == "x"\n',
    program((text) => (text === "ab\n" ? "a\n" : "other\n")),
  );
  expect(found).toEqual({ inputs: [], examples: [] });
});

it("gives nothing if the program answers nothing, or the description shows no answer", async () => {
  const refused = program(() => null);
  expect(await callsAsTexts('f("ab") == "a"', refused)).toEqual({ inputs: [], examples: [] });
  expect(
    await callsAsTexts(
      "Print f(1, 2), the sum (of two numbers).",
      program(() => "3\n"),
    ),
  ).toEqual({ inputs: [], examples: [] });
});
