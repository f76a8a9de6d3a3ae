import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Difference, shrink, smaller } from "../../src/behaviour/shrink.ts";
import { parseArguments } from "../../src/languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../../src/types.ts";
import { cpuS } from "../cpu.ts";

const value = (v: PyValue): Difference["expected"] => ({ outcome: "ok", value: v, text: "", cpuS: 0 });
const none = value({ t: "none" });
const found = (input: ProgramInput): Difference => ({ input, expected: none, got: none });

/** The smallest input for which a condition on the first argument, or on the text, holds. */
async function smallest(input: ProgramInput, differs: (first: PyValue | string) => boolean): Promise<string> {
  const firstOf = (one: ProgramInput): PyValue | string =>
    "args" in one ? parseArguments(one.args).positional[0]! : one.stdin;
  const shrunk = await shrink(found(input), async (tried) => tried.filter((one) => differs(firstOf(one))).map(found));
  return "args" in shrunk.input ? shrunk.input.args : shrunk.input.stdin;
}
const items = (v: PyValue | string): readonly PyValue[] => (typeof v === "object" && v.t === "list" ? v.v : []);
const int = (v: PyValue | string): bigint => (typeof v === "object" && v.t === "int" ? v.v : 0n);

describe("shrink", () => {
  it("takes out what is not needed", async () => {
    const args = "[5, 3, -1, 8, 2, 9]";
    expect(await smallest({ args }, (v) => items(v).some((item) => int(item) < 0n))).toBe("[-1]");
    expect(
      await smallest({ args: "'hello world'" }, (v) => typeof v === "object" && v.t === "str" && v.v.includes("w")),
    ).toBe("'w'");
  });

  it("brings numbers nearer to nothing", async () => {
    expect(await smallest({ args: "-1000000" }, (v) => int(v) < 0n)).toBe("-1");
    expect(await smallest({ args: "123456" }, (v) => int(v) > 0n)).toBe("1");
  });

  it("does not take what does not differ", async () => {
    expect(await smallest({ args: "[1, 2, 3, 4]" }, (v) => items(v).length === 4 && int(items(v)[0]!) === 1n)).toMatch(
      /^\[1, /,
    );
    const kept = found({ args: "[1, 2, 3, 4]" });
    expect(await shrink(kept, async () => [])).toBe(kept);
  });

  it("keeps from empty values where there was none, since a task may say nothing of them", async () => {
    expect(await smallest({ args: "[7, 8, 9]" }, () => true)).not.toContain("[]");
    expect(await smallest({ args: "[7, 8, 9], []" }, () => true)).toBe("[], []");
  });

  it("makes fewer and smaller numbers of texts", async () => {
    const stdin = "3\n100 200 300\n17 18\n";
    expect((await smallest({ stdin }, (v) => String(v).includes("17"))).length).toBeLessThan(stdin.length);
  });

  it("asks for a bounded number of inputs, each once", async () => {
    const asked: string[] = [];
    const args = JSON.stringify(Array.from({ length: 300 }, (_, i) => i));
    await shrink(found({ args }), async (tried) => {
      expect(tried.length).toBeLessThanOrEqual(16);
      asked.push(...tried.map((one) => JSON.stringify(one)));
      return tried.map(found);
    });
    expect(asked.length).toBeLessThanOrEqual(80);
    expect(new Set(asked).size).toBe(asked.length);
  });
});

describe("smaller", () => {
  it.each<[string, readonly string[]]>([
    ["", []],
    ["None, True", []],
    ["0", []],
    ["-3", ["0", "1", "2", "-1", "-2", "3"]],
    ["-3000", ["0", "1", "2", "-1", "-2", "-3", "-300", "-1500", "3000", "-2999"]],
    ["2.5", ["0.0", "1.0", "2.0"]],
    ["''", []],
    ["'ab'", ["''", "'b'", "'a'"]],
    ["[1]", ["[]", "[0]"]],
    ["(1,)", ["(0,)", "()"]],
    ["{'a': 1}", ["{}", "{'a': 0}"]],
    ["1, k=1", ["0, k=1", "1, k=0"]],
  ])("of %s", (args, expected) => {
    const got = smaller({ args }).map((one) => ("args" in one ? one.args : ""));
    if (args === "2.5") expect(got.slice(0, 3)).toEqual(expected);
    else expect(got).toEqual(expected);
  });

  it("of a long list in no time", () => {
    const start = cpuS();
    expect(smaller({ args: `[${"7, ".repeat(20_000)}]` }).length).toBeGreaterThan(2);
    expect(smaller({ stdin: "7 ".repeat(50_000) }).length).toBeGreaterThan(2);
    expect(cpuS() - start).toBeLessThan(3);
  });

  it("is always arguments, other than before, and as many", () => {
    const literal = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.integer().map(String),
        fc.constantFrom(
          "1.5",
          "-0.0",
          "float('inf')",
          "float('nan')",
          "1e+300",
          "None",
          "True",
          "b'a'",
          "'a\\n\u{1f600}'",
          "{1, 2}",
        ),
        fc.array(tie("value"), { maxLength: 4 }).map((all) => `[${all.join(", ")}]`),
        fc.array(tie("value"), { minLength: 2, maxLength: 3 }).map((all) => `(${all.join(", ")})`),
        tie("value").map((one) => `{'k': ${one}}`),
      ),
    })).value;
    fc.assert(
      fc.property(fc.array(literal, { minLength: 1, maxLength: 3 }), (all) => {
        const args = all.join(", ");
        for (const one of smaller({ args })) {
          const own = "args" in one ? one.args : "";
          if (parseArguments(own).positional.length !== all.length || own === args) throw new Error(own);
        }
      }),
      { seed: 7, numRuns: 100 },
    );
  });
});

it("a text for standard input keeps its dates, times and decimals", () => {
  const texts = smaller({ stdin: "2024-03-01T10:05 ann 1.50\n12 bob\n" }).map((one) =>
    "stdin" in one ? one.stdin : "",
  );
  expect(texts).toContain("12 bob\n");
  expect(texts).toContain("2024-03-01T10:05 ann 1.50\n0 bob\n");
  for (const text of texts) expect(text.includes("2024-03-01T10:05 ann 1.50\n") || text === "12 bob\n").toBe(true);
});
