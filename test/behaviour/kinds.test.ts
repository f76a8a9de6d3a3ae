import { describe, expect, it } from "vitest";
import { KINDS, likelihoods } from "../../src/behaviour/kinds.ts";
import { parseLiteral } from "../../src/languages/python/literals/index.ts";
import { cpuS } from "../cpu.ts";

/** A literal of the most likely kind. */
const likeliest = (name: string, code: string, description = ""): string => {
  const likely = likelihoods(name, code, description);
  return KINDS[likely.indexOf(Math.max(...likely))]!.literals[0]!;
};

it("every literal is one, of its kind", () => {
  for (const { type, literals } of KINDS) {
    expect(literals.length).toBeGreaterThan(1);
    for (const literal of literals) expect(parseLiteral(literal).t).toBe(type);
  }
});

describe("what speaks for a kind", () => {
  it.each<[string, string, string, string]>([
    ["a name", "n", "def f(n): return n", "5"],
    ["a name of a text", "text", "def f(text): return text", "'abcab'"],
    ["a name of a list and its use", "nums", "def f(nums): return len(nums)", "[3, 1, 2, 5, 4]"],
    ["a name of a person", "player", "def f(player): return player", "'abcab'"],
    ["a difference", "t", "def f(t, log): return t - log[0]", "5"],
    ["a method of texts", "it", "def f(it): return it.lower()", "'abcab'"],
    ["a method of dicts", "it", "def f(it): return it.items()", "{'a': 3, 'b': 1, 'c': 2}"],
    ["two indices", "grid", "def f(grid): return grid[0][1]", "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]"],
  ])("%s", (_, name, code, expected) => {
    expect(likeliest(name, code)).toBe(expected);
  });

  it("a word of the description", () => {
    const [without, withWord] = ["", "Sort the dictionary."].map((text) => likelihoods("x", "", text));
    const dict = KINDS.findIndex(({ type }) => type === "dict");
    expect(withWord![dict]!).toBeGreaterThan(without![dict]!);
  });

  it("a comparison with a length", () => {
    const codes = ["def f(it, buf): return buf == it", "def f(it, buf): return len(buf) == it"];
    const [without, withLength] = codes.map((code) => likelihoods("it", code, ""));
    const int = KINDS.findIndex(({ type }) => type === "int");
    expect(withLength![int]!).toBeGreaterThan(without![int]!);
  });

  it("takes names with characters of regular expressions as they are", () => {
    expect(() => likelihoods("x$(", "x$(", "")).not.toThrow();
  });
});

it("reads hostile programs in no time", () => {
  const start = cpuS();
  for (const code of [
    "x[".repeat(50_000),
    "range(".repeat(16_000),
    "for a, b in ".repeat(8000),
    "re.a(".repeat(20_000),
  ]) {
    likelihoods("x", code, code);
  }
  expect(cpuS() - start).toBeLessThan(3);
});
