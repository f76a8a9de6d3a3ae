/** Writes Python literals as `repr` does, except for values whose `repr` Python cannot read back. */
import { CodescoreError } from "../../../errors.ts";
import type { PyValue } from "../../../types.ts";

/**
 * A Python expression that evaluates to the same value: like `repr`, but `float('inf')` for `inf`, and `complex(0.0, -1.0)`
 * where a sum would lose a sign.
 * @throws `CodescoreError("input")` for an object.
 */
export const printLiteral = (value: PyValue): string => showLiteral(value, refuse);

/** The same for display: `ofObject` prints objects, at any depth. */
export function showLiteral(value: PyValue, ofObject: (value: PyObject) => string): string {
  const all = (values: readonly PyValue[]): string => values.map((one) => showLiteral(one, ofObject)).join(", ");
  switch (value.t) {
    case "none":
      return "None";
    case "bool":
      return value.v ? "True" : "False";
    case "int":
      return value.v.toString();
    case "float":
      return printFloat(value.v);
    case "complex":
      return printComplex(value.re, value.im);
    case "str":
      return printStr(value.v);
    case "bytes":
      return printBytes(Buffer.from(value.v, "hex"));
    case "list":
      return `[${all(value.v)}]`;
    case "tuple":
      return value.v.length === 1 ? `(${all(value.v)},)` : `(${all(value.v)})`;
    case "set":
      return value.v.length === 0 ? "set()" : `{${all(value.v)}}`;
    case "frozenset":
      return value.v.length === 0 ? "frozenset()" : `frozenset({${all(value.v)}})`;
    case "dict":
      return `{${value.v.map(([k, v]) => `${showLiteral(k, ofObject)}: ${showLiteral(v, ofObject)}`).join(", ")}}`;
    case "object":
      return ofObject(value);
  }
}

type PyObject = Extract<PyValue, { t: "object" }>;

function refuse({ type }: PyObject): never {
  throw new CodescoreError("input", `an object of class \`${type}\` has no Python literal`);
}

/** The shortest digits that read back as the same number, in Python's layout: an exponent below 1e-4 and from 1e16. */
function printFloat(v: number): string {
  if (!Number.isFinite(v)) return `float('${Number.isNaN(v) ? "nan" : v > 0 ? "inf" : "-inf"}')`;
  if (Object.is(v, -0)) return "-0.0";
  const size = Math.abs(v);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    return v.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  const text = v.toString();
  return text.includes(".") ? text : `${text}.0`;
}

function printComplex(re: number, im: number): string {
  const exact = [re, im].every((part) => Number.isFinite(part) && !Object.is(part, -0));
  if (!exact || (re === 0 && im < 0)) return `complex(${printFloat(re)}, ${printFloat(im)})`;
  const part = (v: number): string => printFloat(v).replace(/\.0$/, "");
  return re === 0 ? `${part(im)}j` : `(${part(re)}${im < 0 ? "" : "+"}${part(im)}j)`;
}

const named: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };
const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** `'`, unless the text contains `'` and no `"`. */
const quoteFor = (text: string): string => (text.includes("'") && !text.includes('"') ? '"' : "'");

function printStr(text: string): string {
  const quote = quoteFor(text);
  let out = "";
  for (const c of text) {
    if (c === quote) out += `\\${c}`;
    else if (named[c] !== undefined) out += named[c];
    else out += unprintable.test(c) ? escaped(c.codePointAt(0) as number) : c;
  }
  return quote + out + quote;
}

function escaped(point: number): string {
  const hex = point.toString(16);
  if (point <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return point <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

function printBytes(bytes: Buffer): string {
  const quote = quoteFor(bytes.toString("latin1"));
  let out = "";
  for (const byte of bytes) {
    const c = String.fromCharCode(byte);
    if (c === quote) out += `\\${c}`;
    else out += named[c] ?? (byte < 0x20 || byte > 0x7e ? escaped(byte) : c);
  }
  return `b${quote}${out}${quote}`;
}
