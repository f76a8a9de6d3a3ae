/** Asks Python how it reads literals. */
import { spawnSync } from "node:child_process";
import type { PyValue } from "../../src/types.ts";
import { sayOnce } from "../once.ts";

/** Whether there is a Python. */
export const python = spawnSync("python3", ["--version"]).status === 0;
if (!python) sayOnce("skipped-python", "tests that ask Python are skipped: there is no python3 on the PATH");

/** Runs Python with a JSON value from stdin as `data`. Returns the JSON value of `out`. */
export function askPython(script: string, data: unknown): unknown {
  const code = `import ast, json, sys\ndata = json.load(sys.stdin)\n${script}\njson.dump(out, sys.stdout)`;
  const { stdout, stderr, status } = spawnSync("python3", ["-c", code], {
    input: JSON.stringify(data),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** A form that both languages can produce: the type and its content, with floats as their bits. */
export function canonical(value: PyValue): unknown {
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

/** `canon`: the same as `canonical`, in Python. */
export const canonicalInPython = `
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

/** Literals that both languages read. */
export const literals = [
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
