import { describe, expect, it } from "vitest";
import { copiesExample, findRecital } from "../../../src/rtc/trip/recited.ts";

const code = `    total = 0
    for value in values:
        if value > limit:
            total += value * 2
    return total`;

describe("a description recites its input", () => {
  it.each([
    ["the whole body", code.replace(/\s+/g, " ").trim(), true],
    ["the whole body, cut at 60 characters", code.replace(/\s+/g, " ").trim().slice(0, 60), true],
    ["code behind a few words", "Code: for value in values: if value > limit: total += value * 2", true],
    ["a description", "Sum twice every value of the list that is larger than limit.", false],
    ["a description with a name and an operator", "total of value * 2 over values above limit", false],
    ["nothing", "", false],
  ])("%s: %#", (_, description, recited) => {
    expect(findRecital(code, description).recited).toBe(recited);
  });

  it("measures the longest common run against the shorter text", () => {
    // Tokens of the code: return a + b; of the text: it , return a + b . The longest common run has 4 of 4.
    expect(findRecital("return a + b", "it, return a + b.")).toEqual({ run: 4, share: 1, recited: true });
    expect(findRecital("return a + b", "a + c")).toEqual({ run: 2, share: 2 / 3, recited: false });
  });
});

describe("an example of the prompt", () => {
  const prompt = [
    { role: "user", content: "Describe f." },
    { role: "assistant", content: "Read n, then n names; print each." },
    { role: "user", content: "Describe g." },
  ] as const;

  it.each([
    ["Read n, then n names; print each.", true],
    ["Read n,  then n", true], // a truncated copy
    ["Read n, then n names; print each. And more.", true],
    ["Describe f.", false],
    ["Read n", false], // too short to tell
    ["Reads a name.", false],
    ["", false],
  ])("is copied by %j: %s", (text, copied) => {
    expect(copiesExample(prompt, text)).toBe(copied);
  });
});
