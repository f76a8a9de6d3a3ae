/** Decoding and equality of answers, held against Python itself. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeValue, type Executor, equalValues } from "../../src/execute/index.ts";
import { open, sandboxes } from "./open.ts";

/** Python source of plain values, small ones so that equal pairs of different types turn up. */
const scalar = fc.oneof(
  fc.constantFrom(
    "None",
    "True",
    "False",
    "0",
    "1",
    "-1",
    "2**53",
    "2**53+1",
    "2.0**53",
    "10**30",
    "1e30",
    "0.0",
    "-0.0",
  ),
  fc.constantFrom("1.0", "0.5", "1e400", "-1e400", "1j", "complex(1, 0)", "''", "'a'", "'\\u00e9'", "b''", "b'a'"),
  fc.constantFrom(
    "bytearray(b'a')",
    "Fraction(1, 2)",
    "Decimal('0.5')",
    "Decimal('1E+2')",
    "100",
    "Fraction(3, 1)",
    "3",
  ),
);
const hashable = scalar.filter((x) => !x.startsWith("bytearray"));
const value: fc.Arbitrary<string> = fc.letrec<{ value: string; key: string }>((tie) => ({
  key: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    hashable,
    fc.array(tie("key"), { maxLength: 2 }).map((xs) => `(${xs.map((x) => `${x}, `).join("")})`),
    fc.array(tie("key"), { maxLength: 2 }).map((xs) => `frozenset([${xs.join(", ")}])`),
  ),
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }).map((xs) => `[${xs.join(", ")}]`),
    fc.array(tie("value"), { maxLength: 3 }).map((xs) => `(${xs.map((x) => `${x}, `).join("")})`),
    fc.array(tie("key"), { maxLength: 3 }).map((xs) => `set([${xs.join(", ")}])`),
    fc.array(tie("key"), { maxLength: 3 }).map((xs) => `frozenset([${xs.join(", ")}])`),
    fc
      .array(fc.tuple(tie("key"), tie("value")), { maxLength: 3 })
      .map((xs) => `{${xs.map(([k, v]) => `${k}: ${v}`).join(", ")}}`),
    fc.array(tie("key"), { maxLength: 2 }).map((xs) => `Counter([${xs.join(", ")}])`),
  ),
})).value;

const code = `from fractions import Fraction
from decimal import Decimal
from collections import Counter
def both(a, b): return [a, b, a == b]`;

describe.each(sandboxes.slice(0, 1))("equality of values from %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await open(sandbox);
  });
  afterAll(() => executor?.close());

  it("is Python's, on any two plain values", async () => {
    const pairs = fc.sample(fc.tuple(value, value, fc.boolean()), { numRuns: 1500, seed: 7 });
    const inputs = pairs.map(([a, b, same]) => ({ args: `${a}, ${same ? a : b}` }));
    const answers = await executor.answers({ code, entryPoint: "both", setup: "" }, inputs);
    let equal = 0;
    answers.forEach((answer, i) => {
      if (answer.outcome !== "ok" || answer.value.t !== "list")
        throw new Error(`${inputs[i]?.args}: ${answer.outcome}`);
      const [a, b, same] = answer.value.v;
      const expected = same?.t === "bool" && same.v;
      if (expected) equal += 1;
      expect(equalValues(a!, b!), inputs[i]?.args).toBe(expected);
      expect(equalValues(b!, a!), inputs[i]?.args).toBe(expected);
    });
    expect(equal).toBeGreaterThan(300);
    expect(answers.length - equal).toBeGreaterThan(300);
  });
});

describe("equalValues", () => {
  const of = decodeValue;
  it.each([
    ['["f","nan"]', '["f","nan"]', 0, true],
    ['["f","1.05"]', "1", 0.1, true],
    ['["f","1.05"]', "1", 0, false],
    ["1", "2", 1, false],
    ['["l",[["t",[["f","0.1"]]]]]', '["l",[["t",[["f","0.1000001"]]]]]', 1e-6, true],
    ['["d",[["a",["f","2.0"]]]]', '["d",[["a",["f","2.5"]]]]', 0.5, true],
    ['["o","Node","{}"]', '["o","Node","{}"]', 0, true],
    ['["o","Node","{}"]', '["o","Edge","{}"]', 0, false],
    ['["o","generator",""]', '["o","generator",""]', 0, false],
  ] as const)("of %s and %s within %d is %s", (a, b, tolerance, expected) => {
    expect(equalValues(of(a), of(b), tolerance)).toBe(expected);
  });

  it.each(['{"a":1}', "1.5", '["x",1]', '["l",1]', '["f","one"]', "[", '["d",[[1]]]'])("%s is no value", (text) => {
    expect(() => decodeValue(text)).toThrow();
  });
});
