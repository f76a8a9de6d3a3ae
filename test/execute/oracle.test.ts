import { describe, expect, it } from "vitest";
import { isRight, sameNumbers } from "../../src/execute/oracle.ts";
import { parseLiteral } from "../../src/languages/python/literals/index.ts";
import type { Oracle } from "../../src/types.ts";
import { cpuS } from "../cpu.ts";

describe("isRight", () => {
  it.each<readonly [Oracle, string, string, boolean]>([
    ["any", "None", "1", true],
    ["not-none", "'x'", "1", true],
    ["not-none", "0", "True", true],
    ["not-none", "None", "False", true],
    ["not-none", "False", "1", false],
    ["not-none", "None", "1", false],
    ["set", "[2, 1, 1.0]", "(1, 2)", true],
    ["set", "{1: 'a'}", "[1]", true],
    ["set", "'aab'", "['b', 'a']", true],
    ["set", "[(1, 2)]", "{(1, 2)}", true],
    ["set", "[1]", "(1, 2)", false],
    ["set", "[[1]]", "[(1,)]", false],
    ["set", "[([1],)]", "[([1],)]", false],
    ["set", "None", "[]", false],
    ["sequence", "(1, 2)", "[1, 2]", true],
    ["sequence", "[(1, 2)]", "[[1, 2]]", false],
    ["sequence", "[1, 2]", "[1, 2.0]", true],
    ["types", "1", "1.0", false],
    ["types", "True", "1", false],
    ["types", "[0.30000001]", "[0.3]", true],
    ["types", "(1,)", "[1]", false],
  ])("%s: %s for %s is %s", (oracle, answer, expected, right) => {
    const compared = { answer: parseLiteral(answer), expected: parseLiteral(expected), tolerance: 1e-6, strict: false };
    expect(isRight(oracle, compared)).toBe(right);
  });
});

describe("sameNumbers", () => {
  it.each([
    ["1.50 2\n", " 1.5  2.0 ", true],
    ["1e3", "1000", true],
    ["-0", "0.000", true],
    [".5", "0.5e0", true],
    ["a b", "a b", true],
    ["YES", "YES\n\n", true],
    ["\n\n1", "1", true],
    ["50000000000000000", "50000000000000001", false],
    ["0.1", "-0.1", false],
    ["1 2", "1", false],
    ["1\n2", "1 2", false],
    ["a  b", "a b", false],
    ["yes", "YES", false],
    ["nan", "NaN", false],
    ["1e", "1", false],
    [".", "0", false],
  ])("of %j and %j is %s", (a, b, same) => {
    expect(sameNumbers(a, b)).toBe(same);
  });

  it("takes no longer for what is made to be slow", () => {
    const digits = "0".repeat(2_000_000);
    const before = cpuS();
    expect(sameNumbers(`${digits}1`, "1")).toBe(true);
    expect(sameNumbers(`1${digits}`, `1${digits}.x`)).toBe(false);
    expect(sameNumbers(`${" ".repeat(2_000_000)}x`, "y")).toBe(false);
    expect(sameNumbers("1e999999999", "1e999999998")).toBe(false);
    expect(cpuS() - before).toBeLessThan(2);
  });
});
