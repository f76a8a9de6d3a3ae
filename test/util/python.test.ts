/** Python literals against Python itself, and the round trip. */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CodescoreError } from "../../src/errors.ts";
import type { PyValue } from "../../src/types.ts";
import { equalityKey, parseArguments, parseLiteral, printLiteral } from "../../src/util/python.ts";

const python = spawnSync("python3", ["--version"]).status === 0;

/** Runs Python with a JSON value on stdin as `data`; returns the JSON it leaves in `out`. */
function askPython(script: string, data: unknown): unknown {
  const code = `import ast, json, sys\ndata = json.load(sys.stdin)\n${script}\njson.dump(out, sys.stdout)`;
  const { stdout, stderr, status } = spawnSync("python3", ["-c", code], {
    input: JSON.stringify(data),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** A form both languages can write: the type and its content, floats by their bits. */
function canonical(value: PyValue): unknown {
  const bits = (v: number): string => {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, v);
    return Number.isNaN(v) ? "nan" : view.getBigUint64(0).toString(16).padStart(16, "0");
  };
  switch (value.t) {
    case "none":
      return ["none"];
    case "bool":
      return ["bool", value.v];
    case "int":
      return ["int", value.v.toString()];
    case "float":
      return ["float", bits(value.v)];
    case "complex":
      return ["complex", bits(value.re), bits(value.im)];
    case "str":
      return ["str", [...value.v].map((c) => c.codePointAt(0))];
    case "bytes":
      return ["bytes", value.v];
    case "set":
    case "frozenset":
      return [value.t, value.v.map((item) => JSON.stringify(canonical(item))).sort()];
    case "dict":
      return ["dict", value.v.map(([k, v]) => [canonical(k), canonical(v)])];
    case "object":
      throw new Error("no literal");
    default:
      return [value.t, value.v.map(canonical)];
  }
}

const canonicalInPython = `
import struct
def bits(v): return 'nan' if v != v else struct.pack('>d', v).hex()
def canon(v):
    if v is None: return ['none']
    t = type(v).__name__
    if t == 'int': return ['int', str(v)]
    if t == 'float': return ['float', bits(v)]
    if t == 'complex': return ['complex', bits(v.real), bits(v.imag)]
    if t == 'str': return ['str', [ord(c) for c in v]]
    if t == 'bytes': return ['bytes', v.hex()]
    if t in ('set', 'frozenset'): return [t, sorted(json.dumps(canon(i), separators=(',', ':')) for i in v)]
    if t == 'dict': return ['dict', [[canon(k), canon(w)] for k, w in v.items()]]
    if t == 'bool': return ['bool', v]
    return [t, [canon(i) for i in v]]
`;

const literals = [
  "None",
  "True",
  "0",
  "00",
  "-7",
  "+7",
  "- 7",
  "--7",
  "0x_ff",
  "0O17",
  "0b1_0",
  "1_000_000",
  "123456789012345678901234567890",
  "1.",
  ".5",
  "1e5",
  "1E-5",
  "1_0.2_5e1_0",
  "1e400",
  "-1e400",
  "-0.0",
  "01.5",
  "0.1",
  "5e-324",
  "1j",
  "-1j",
  "01j",
  "1+2j",
  "(1.5-2e3j)",
  "-1-2j",
  "-0.0+0j",
  "1 - 0j",
  "''",
  '""',
  "'a' \"b\" '''c'''",
  "'''a\n'b'\n'''",
  '"""q\\""""',
  "r'\\d\\''",
  "R'\\\\'",
  "u'x'",
  "b'\\x00\\377\\777q'",
  "rb'\\n'",
  "Br'\\x'",
  "b'a' b'b'",
  "'\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"'",
  "'\\0\\07\\1234\\777'",
  "'\\x41\\u00e9\\U0001F600\\ud800'",
  "'\\d\\w\\8'",
  "'line\\\njoined'",
  "'é\u2028\u00ad漢😀'",
  "'a\r\nb'".replaceAll("'", "'''"),
  "[]",
  "[1,]",
  "[1, [2, [3]]]",
  "()",
  "(1)",
  "(1,)",
  "(1, 2)",
  "((1, 2), (3,),)",
  "{}",
  "{1}",
  "{1, 2, 1, True, 1.0}",
  "{1: 2}",
  "{'a': [1], (1, 2): {3},}",
  "{1: 'a', True: 'b', 2: 'c', 1.0: 'd'}",
  "set()",
  "[ # comment\n 1, # ]\n\n 2\n]",
  "(\n'a'\n'b'\n)",
  "  [1]  ",
  "1 \\\n + 2j",
  "1,2",
  "1, 2,",
];

const broken = [
  "",
  "x",
  "1 +",
  "1 + 2",
  "[1",
  "[1,,2]",
  "{1: 2, 3}",
  "{1, 2: 3}",
  "{[1]}",
  "{{}: 1}",
  "{([],): 1}",
  "'abc",
  "'''abc'",
  "'a\nb'",
  "01",
  "1__0",
  "1_",
  "0x",
  "1a",
  "1.2.3",
  "f'a'",
  "b'é'",
  "'a' b'b'",
  "'\\x4'",
  "'\\u12'",
  "'\\U00110000'",
  "-'a'",
  "-True",
  "-None",
  "[1] [2]",
  "1 2",
  "{,}",
  "[,]",
  "{**{}}",
  "*a",
  "[x for x in y]",
  "print(1)",
  "lambda: 0",
  "'\\u00411' 'x",
  "[1)",
  "None None",
  "set((1, 2), 3)",
  "float('x')",
  "float()",
  "1\n2",
  `${"[".repeat(201)}${"]".repeat(201)}`,
];

describe("parseLiteral", () => {
  it.skipIf(!python)("reads what ast.literal_eval reads, as the same value", () => {
    const texts = literals.filter((text) => !/^1, ?2/.test(text) && text !== "--7");
    const theirs = askPython(
      `${canonicalInPython}\nout = [canon(ast.literal_eval(t)) for t in data]`,
      texts,
    ) as unknown[];
    expect(texts.map((text) => [text, canonical(parseLiteral(text))])).toEqual(
      texts.map((text, i) => [text, theirs[i]]),
    );
  });

  it.skipIf(!python)("refuses what ast.literal_eval refuses", () => {
    const script = "out = []\nfor t in data:\n    try: ast.literal_eval(t); out.append(t)\n    except Exception: pass";
    expect(askPython(`import warnings\nwarnings.simplefilter('ignore')\n${script}`, broken)).toEqual([]);
    for (const text of broken) expect(() => parseLiteral(text), text).toThrow(CodescoreError);
  });

  it.each([
    ["float('inf')", { t: "float", v: Number.POSITIVE_INFINITY }],
    ["-float('Infinity')", { t: "float", v: Number.NEGATIVE_INFINITY }],
    ["float(' -inf ')", { t: "float", v: Number.NEGATIVE_INFINITY }],
    ['float("nan")', { t: "float", v: Number.NaN }],
    ["float('1_0.5e1')", { t: "float", v: 105 }],
    ["float(3)", { t: "float", v: 3 }],
    ["frozenset()", { t: "frozenset", v: [] }],
    ["frozenset({1, 1})", { t: "frozenset", v: [{ t: "int", v: 1n }] }],
    ["set([True, 1])", { t: "set", v: [{ t: "bool", v: true }] }],
    ["complex(-0.0, float('inf'))", { t: "complex", re: -0, im: Number.POSITIVE_INFINITY }],
  ])("reads %s, which has no literal", (text, value) => {
    expect(parseLiteral(text)).toEqual(value);
  });

  it.each([
    ["[1, x]", "expected a literal at line 1, column 5, got `x]`"],
    ["[1,\n  2 3]", "expected `,` or `]` at line 2, column 5, got `3]`"],
    ["'abc", "expected a string with its closing quote at line 1, column 1"],
    ["{1: 2}; 3", "expected the end at line 1, column 7, got `; 3`"],
    ["[1", "got the end of the text"],
  ])("says where %j is broken", (text, message) => {
    expect(() => parseLiteral(text)).toThrow(message);
  });
});

describe("parseArguments", () => {
  it.each([
    ["", [], []],
    ["1", ["1"], []],
    ["[1, 2], k=3", ["[1, 2]"], [["k", "3"]]],
    ["1,\n 'a' # c\n,", ["1", "'a'"], []],
    [
      "a=r'x', b = {}",
      [],
      [
        ["a", "'x'"],
        ["b", "{}"],
      ],
    ],
    ["r'a', (1,)", ["'a'", "(1,)"], []],
  ])("reads %j", (text, positional, keyword) => {
    const read = parseArguments(text);
    expect(read.positional.map(printLiteral)).toEqual(positional);
    expect(read.keyword.map(([name, value]) => [name, printLiteral(value)])).toEqual(keyword);
  });

  it.each(["1 2", "a=1, 2", "*[1]", ",", "a=", "a==1", "1,,2"])("refuses %j", (text) => {
    expect(() => parseArguments(text)).toThrow(CodescoreError);
  });
});

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

describe("equalityKey", () => {
  it.skipIf(!python)("agrees with == on every pair of a table", () => {
    const texts = [
      "1",
      "1.0",
      "True",
      "(1+0j)",
      "0",
      "-0.0",
      "False",
      "None",
      "'1'",
      "b'1'",
      "[1]",
      "(1,)",
      "{1}",
      "frozenset({1})",
      "{1: 2}",
      "{True: 2.0}",
      "10**3".replace("10**3", "1000"),
      "1e3",
      "1j",
      "complex(-0.0, 1)",
      "[]",
      "()",
      "set()",
      "{}",
      "frozenset()",
      "0.1",
      "9007199254740993",
      "9007199254740992.0",
      "[1, 2]",
      "[12]",
    ];
    const keys = texts.map((t) => equalityKey(parseLiteral(t)));
    const theirs = askPython(
      "values = [eval(t) for t in data]\nout = [[a == b for b in values] for a in values]",
      texts,
    );
    expect(keys.map((a) => keys.map((b) => a === b))).toEqual(theirs);
  });
});
