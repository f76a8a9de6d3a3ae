/** Decoding and equality of answers, compared with Python itself. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeValue, type Executor, equalValues } from "../../src/execute/index.ts";
import { open, sandboxes } from "./open.ts";

/** Python source of plain values. They are small, so that equal pairs of different types occur. */
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
const number = fc.constantFrom("1", "True", "1.0", "0", "False", "0.0");
/** The same value with some numbers replaced by equal ones of another type. */
const twin = (source: string, turn: number): string =>
  source.replaceAll(/True|False|[01]\.0|\b[01]\b/g, (old, at: number) => {
    const same = /True|1/.test(old) ? ["1", "True", "1.0"] : ["0", "False", "0.0"];
    return (at * 7 + turn) % 3 === 0 ? (same[turn % 3] as string) : old;
  });

const values = (scalar: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.letrec<{ value: string; key: string }>((tie) => ({
    key: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar.filter((x) => !x.startsWith("bytearray")),
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
def strict(a, b):
    kinds = (int, float, complex, Fraction, Decimal)
    if isinstance(a, kinds) or isinstance(b, kinds): return type(a) is type(b) and a == b
    if isinstance(a, (list, tuple)): return type(a) is type(b) and len(a) == len(b) and all(map(strict, a, b))
    if isinstance(a, (set, frozenset)):
        return isinstance(b, (set, frozenset)) and len(a) == len(b) and all(any(strict(x, y) for y in b) for x in a)
    if isinstance(a, dict):
        if not isinstance(b, dict) or len(a) != len(b): return False
        return all(any(strict(k, l) and strict(a[k], b[l]) for l in b) for k in a)
    return a == b
def both(a, b): return [a, b, a == b, strict(a, b)]`;

describe.each(sandboxes.slice(0, 1))("equality of values from %s", (sandbox) => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await open(sandbox);
  });
  afterAll(() => executor?.close());

  it("is Python's, on any two plain values", async () => {
    const [value, near] = [values(scalar), values(number)];
    const pairs = fc.sample(fc.tuple(value, value, fc.boolean()), { numRuns: 1500, seed: 7 });
    for (const [a, turn] of fc.sample(fc.tuple(near, fc.nat(8)), { numRuns: 500, seed: 8 })) {
      pairs.push([a, twin(a, turn), false]);
    }
    const inputs = pairs.map(([a, b, same]) => ({ args: `${a}, ${same ? a : b}` }));
    const answers = await executor.answers({ code, entryPoint: "both", setup: "" }, inputs);
    let [equal, differ] = [0, 0];
    answers.forEach((answer, i) => {
      if (answer.outcome !== "ok" || answer.value.t !== "list")
        throw new Error(`${inputs[i]?.args}: ${answer.outcome}`);
      const [a, b, same, alike] = answer.value.v;
      const expected = same?.t === "bool" && same.v;
      if (expected) equal += 1;
      expect(equalValues(a!, b!), inputs[i]?.args).toBe(expected);
      expect(equalValues(b!, a!), inputs[i]?.args).toBe(expected);
      const strictly = alike?.t === "bool" && alike.v;
      if (strictly !== expected) differ += 1;
      expect(equalValues(a!, b!, 0, true), inputs[i]?.args).toBe(strictly);
    });
    expect(differ).toBeGreaterThan(50);
    expect(equal).toBeGreaterThan(300);
    expect(answers.length - equal).toBeGreaterThan(300);
  });
});

describe("equalValues", () => {
  /** Sets of one member, which must be searched to compare them, from texts that a program may have forged. */
  it.each([
    ["the smallest floats", `["s",[["t",[${Array(60_000).fill('["f","5e-324"]').join(",")}]]]]`, true],
    ["a long text deep inside", `["s",[${'["z",[0,'.repeat(195)}"${"a".repeat(900_000)}"${"]]".repeat(195)}]]`, true],
    [
      "a long text deeper than an answer is nested",
      `["s",[${'["z",[0,'.repeat(2000)}"${"a".repeat(900_000)}"${"]]".repeat(2000)}]]`,
      false,
    ],
  ])("takes no time to speak of for %s", (_name, text, isValue) => {
    const began = process.cpuUsage();
    const same = (): boolean => equalValues(decodeValue(text), decodeValue(text));
    if (isValue) expect(same()).toBe(true);
    else expect(same).toThrow("not a canonical value");
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(4);
  });

  it("tells floats apart by all of their bits", () => {
    const tiny = (text: string) => decodeValue(`["s",[["f","${text}"]]]`);
    const floats = ["5e-324", "1e-323", "2.2250738585072014e-308", "2.225073858507201e-308", "0.1", "0.10000000000000002", "-0.1", "1.5", "-1.5", "4503599627370495.5"];
    for (const a of floats) for (const b of floats) expect(equalValues(tiny(a), tiny(b))).toBe(a === b);
    const ratio = (type: string, form: string) => decodeValue(`["s",[["o","${type}","${form}"]]]`);
    expect(equalValues(tiny("-1.5"), ratio("fractions.Fraction", "Fraction(-3, 2)"))).toBe(true);
    expect(equalValues(tiny("0.1"), ratio("decimal.Decimal", "Decimal('0.1')"))).toBe(false);
    expect(equalValues(tiny("0.1"), ratio("decimal.Decimal", "Decimal('0.1000000000000000055511151231257827021181583404541015625')"))).toBe(true);
  }); // biome-ignore format: short lines

  const of = decodeValue;
  it.each([
    ['["f","nan"]', '["f","nan"]', 0, true],
    ['["f","1.05"]', "1", 0.1, true],
    ['["f","1.05"]', "1", 0, false],
    ["1", "2", 1, false],
    ['["f","1000000000000.1"]', '["f","1000000000000.0"]', 1e-6, true],
    ['["f","1000000000000.1"]', '["f","1000000000000.0"]', 0, false],
    ['["f","1000200000000.0"]', '["f","1000000000000.0"]', 1e-6, false],
    ['["f","1e300"]', '["f","inf"]', 1e-6, false],
    ['["f","inf"]', '["f","1e300"]', 1e-6, false],
    ['["l",[["t",[["f","0.1"]]]]]', '["l",[["t",[["f","0.1000001"]]]]]', 1e-6, true],
    ['["d",[["a",["f","2.0"]]]]', '["d",[["a",["f","2.5"]]]]', 0.5, true],
    ['["o","Node","{}"]', '["o","Node","{}"]', 0, true],
    ['["o","Node","{}"]', '["o","Edge","{}"]', 0, false],
    ['["o","generator",""]', '["o","generator",""]', 0, false],
  ] as const)("of %s and %s within %d is %s", (a, b, tolerance, expected) => {
    expect(equalValues(of(a), of(b), tolerance)).toBe(expected);
  });

  it.each([
    ["1", "true", false],
    ["1", '["f","1.0"]', false],
    ["0", "false", false],
    ['["c","1.0","0.0"]', '["f","1.0"]', false],
    ['["i","0x20000000000000"]', '["f","9007199254740992.0"]', false],
    ['["f","0.0"]', '["f","-0.0"]', true],
    ['["f","nan"]', '["f","nan"]', true],
    ['["o","decimal.Decimal","Decimal(\'1\')"]', '["o","fractions.Fraction","Fraction(1, 1)"]', false],
    ['["l",[1]]', '["l",[true]]', false],
    ['["s",[1]]', '["s",[["f","1.0"]]]', false],
    ['["s",[1]]', '["z",[1]]', true],
    ['["d",[[1,"a"]]]', '["d",[[true,"a"]]]', false],
    ['["d",[["a",1]]]', '["d",[["a",["f","1.0"]]]]', false],
  ] as const)("of %s and %s, strictly, is %s", (a, b, expected) => {
    expect(equalValues(of(a), of(b), 0, true)).toBe(expected);
  });

  it("keeps to the tolerance among floats, strictly", () => {
    expect(equalValues(of('["f","1.05"]'), of('["f","1.0"]'), 0.1, true)).toBe(true);
    expect(equalValues(of('["f","1.05"]'), of("1"), 0.1, true)).toBe(false);
  });

  it.each(['{"a":1}', "1.5", '["x",1]', '["l",1]', '["f","one"]', "[", '["d",[[1]]]'])("%s is no value", (text) => {
    expect(() => decodeValue(text)).toThrow();
  });
});
