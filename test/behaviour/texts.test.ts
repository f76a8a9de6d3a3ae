import { expect, it } from "vitest";
import { FORMS, textsByTrial } from "../../src/behaviour/texts.ts";

it("keeps the forms that a program reads, at most three, and of them the texts that it answers", async () => {
  const isPair = (text: string): boolean => /^\d+ \d+\n$/.test(text);
  const texts = await textsByTrial(async (all) => all.map(isPair));
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.every(isPair)).toBe(true);
  const all = await textsByTrial(async (tried) => tried.map(() => true));
  expect(all).toHaveLength(FORMS.slice(0, 3).flat().length);
});

it("leaves out a form of which only some are answered by chance", async () => {
  const texts = await textsByTrial(async (all) => all.map((text) => text === "5\n"));
  expect(texts).toEqual([]);
});

it("every text ends its last line, and none stands twice in its form", async () => {
  const tried: string[] = [];
  await textsByTrial(async (all) => {
    tried.push(...all);
    return all.map(() => false);
  });
  expect(tried.every((text) => text.endsWith("\n"))).toBe(true);
  for (const form of FORMS) expect(new Set(form).size).toBe(form.length);
});
