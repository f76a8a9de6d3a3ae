import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalityKey, parseLiteral, printLiteral } from "../../../../src/languages/python/literals/index.ts";
import type { PyValue } from "../../../../src/types.ts";
import { askPython, canonical, canonicalInPython, literals, python } from "../../../util/python.ts";

const float = fc.double({ noNaN: true });
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(..."'\"\\\n\r\t\0ab") }),
  fc.string({ unit: fc.nat(0xffff).map((c) => String.fromCharCode(c)) }),
);
const scalar: fc.Arbitrary<PyValue> = fc.oneof(
  fc.constant({ t: "none" } as const),
  fc.boolean().map((v) => ({ t: "bool", v }) as const),
  fc.bigInt().map((v) => ({ t: "int", v }) as const),
  float.map((v) => ({ t: "float", v }) as const),
  fc.tuple(float, float).map(([re, im]) => ({ t: "complex", re, im }) as const),
  text.map((v) => ({ t: "str", v }) as const),
  fc.uint8Array().map((v) => ({ t: "bytes", v: Buffer.from(v).toString("hex") }) as const),
);
const unique = (item: fc.Arbitrary<PyValue>) => fc.uniqueArray(item, { selector: equalityKey, maxLength: 4 });
const hashableValue: fc.Arbitrary<PyValue> = fc.letrec<{ it: PyValue }>((tie) => ({
  it: fc.oneof(
    { maxDepth: 2 },
    scalar,
    fc.array(tie("it"), { maxLength: 3 }).map((v) => ({ t: "tuple", v }) as const),
    unique(tie("it")).map((v) => ({ t: "frozenset", v }) as const),
  ),
})).it;
const anyValue: fc.Arbitrary<PyValue> = fc.letrec<{ it: PyValue }>((tie) => ({
  it: fc.oneof(
    { maxDepth: 3 },
    hashableValue,
    fc.array(tie("it"), { maxLength: 4 }).map((v) => ({ t: "list", v }) as const),
    fc.array(tie("it"), { maxLength: 4 }).map((v) => ({ t: "tuple", v }) as const),
    unique(hashableValue).map((v) => ({ t: "set", v }) as const),
    unique(hashableValue).chain((keys) =>
      fc
        .array(tie("it"), { minLength: keys.length, maxLength: keys.length })
        .map((values) => ({ t: "dict", v: keys.map((k, i) => [k, values[i]!] as const) }) as const),
    ),
  ),
})).it;

describe("printLiteral", () => {
  it("writes what parseLiteral reads back as the same value", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(parseLiteral(printLiteral(value))).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it("writes nan so that it reads back", () => {
    const value: PyValue = {
      t: "list",
      v: [
        { t: "float", v: Number.NaN },
        { t: "complex", re: Number.NaN, im: -0 },
      ],
    };
    expect(printLiteral(value)).toBe("[float('nan'), complex(float('nan'), -0.0)]");
    expect(parseLiteral(printLiteral(value))).toEqual(value);
  });

  it.skipIf(!python)("writes what Python reads as the same value", () => {
    const values = fc.sample(anyValue, { numRuns: 300, seed: 1 });
    const theirs = askPython(`${canonicalInPython}\nout = [canon(eval(t)) for t in data]`, values.map(printLiteral));
    expect(theirs).toEqual(values.map(canonical));
  });

  it.skipIf(!python)("writes scalars and containers as repr does", () => {
    const texts = literals.filter((t) => !/1e400|^1, ?2|--7|-1j|True, 1\.0/.test(t));
    const theirs = askPython("out = [repr(ast.literal_eval(t)) for t in data]", texts) as string[];
    expect(texts.map((t) => printLiteral(parseLiteral(t)))).toEqual(theirs);
    const floats = fc.sample(float, { numRuns: 500, seed: 2 }).filter(Number.isFinite);
    const written = floats.map((v) => printLiteral({ t: "float", v }));
    expect(askPython("out = [repr(float(t)) for t in data]", written)).toEqual(written);
  });

  it("refuses an object", () => {
    expect(() => printLiteral({ t: "object", type: "Node", form: "x" })).toThrow("class `Node`");
  });
});
