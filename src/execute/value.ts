/**
 * Values of answers outside of the sandbox: decodes canonical text (see canon.py) and applies Python's `==` to plain values. Only
 * data is compared here; no class of a candidate takes part.
 */
import type { PyValue } from "../types.ts";
import { sha256 } from "../util/files.ts";
import { equalLibrary, isLibrary } from "./library.ts";

/** The result of JSON.parse on canonical text. */
type Json = null | boolean | number | string | Json[];

const MAX_DEPTH = 200; // of nested containers, as in canon.py; checked again here because a program can bypass canon.py

/** The value of a canonical text. Throws on anything else. */
export const decodeValue = (text: string): PyValue => fromJson(JSON.parse(text) as Json, 0);

function fromJson(x: Json, depth: number): PyValue {
  if (x === null) return { t: "none" };
  if (typeof x === "boolean") return { t: "bool", v: x };
  if (typeof x === "number") return { t: "int", v: BigInt(x) };
  if (typeof x === "string") return { t: "str", v: x };
  if (!Array.isArray(x)) throw new TypeError("not a canonical value");
  if (depth > MAX_DEPTH) throw new TypeError("not a canonical value");
  const [tag, first, second] = x;
  const inner = (item: Json): PyValue => fromJson(item, depth + 1);
  switch (tag) {
    case "i":
      return { t: "int", v: bigFromHex(text(first)) };
    case "f":
      return { t: "float", v: toFloat(text(first)) };
    case "c":
      return { t: "complex", re: toFloat(text(first)), im: toFloat(text(second)) };
    case "b":
      return { t: "bytes", v: text(first) };
    case "l":
      return { t: "list", v: list(first).map(inner) };
    case "t":
      return { t: "tuple", v: list(first).map(inner) };
    case "s":
      return { t: "set", v: list(first).map(inner) };
    case "z":
      return { t: "frozenset", v: list(first).map(inner) };
    case "d":
      return { t: "dict", v: list(first).map((pair) => [inner(at(pair, 0)), inner(at(pair, 1))] as const) };
    case "o":
      // A form inside another form is nested JSON instead of a string.
      return { t: "object", type: text(first), form: typeof second === "string" ? second : JSON.stringify(second) };
    default:
      throw new TypeError("not a canonical value");
  }
}

function text(x: Json | undefined): string {
  if (typeof x !== "string") throw new TypeError("not a canonical value");
  return x;
}

function list(x: Json | undefined): Json[] {
  if (!Array.isArray(x)) throw new TypeError("not a canonical value");
  return x;
}

function at(x: Json, index: number): Json {
  const item = list(x)[index];
  if (item === undefined) throw new TypeError("not a canonical value");
  return item;
}

const bigFromHex = (hex: string): bigint => (hex.startsWith("-") ? -BigInt(hex.slice(1)) : BigInt(hex));

function toFloat(repr: string): number {
  if (repr === "inf") return Number.POSITIVE_INFINITY;
  if (repr === "-inf") return Number.NEGATIVE_INFINITY;
  if (repr === "nan") return Number.NaN;
  const value = Number(repr);
  if (Number.isNaN(value)) throw new TypeError("not a canonical value");
  return value;
}

/**
 * Whether two values are equal under Python's `==`: `1 == True == 1.0`, a list never equals a tuple, sets and dicts compare by value.
 * Differences from Python: NaN equals NaN, and objects are equal if their type and canonical form are (an object with an empty form
 * equals nothing). If `tolerance` is above 0, two numbers of which at least one is a float or complex may differ by it plus 1e-7 of the
 * expected one, `b` (`numpy.allclose` as EvalPlus calls it), anywhere in the values except in keys and members of sets. `strict` also
 * requires numbers of the same type, anywhere, including keys and members: 1, True and 1.0 are then three values.
 */
export function equalValues(a: PyValue, b: PyValue, tolerance = 0, strict = false): boolean {
  const [x, y] = [asNumber(a), asNumber(b)];
  if (x && y) return (!strict || numberType(x) === numberType(y)) && equalNumbers(x, y, tolerance);
  switch (a.t) {
    case "none":
      return b.t === "none";
    case "str":
    case "bytes":
      return b.t === a.t && a.v === b.v;
    case "list":
    case "tuple":
      return (
        b.t === a.t &&
        a.v.length === b.v.length &&
        a.v.every((x, i) => equalValues(x, b.v[i] as PyValue, tolerance, strict))
      );
    case "set":
    case "frozenset":
      return (b.t === "set" || b.t === "frozenset") && a.v.length === b.v.length && sameKeys(a.v, b.v, strict);
    case "dict":
      return b.t === "dict" && a.v.length === b.v.length && sameItems(a.v, b.v, tolerance, strict);
    case "object":
      if (b.t !== "object" || a.type !== b.type || a.form === "") return false;
      if (a.form === b.form) return true;
      return isLibrary(a) && equalLibrary(a, b, reading(strict), tolerance, strict);
    default:
      return false;
  }
}

const reading = (strict: boolean): Parameters<typeof equalLibrary>[2] => ({
  decode: decodeValue,
  equal: (x, y, within) => equalValues(x, y, within, strict),
});

type PyNumber = Extract<PyValue, { t: "bool" | "int" | "float" | "complex" }> | Rational;
type Rational = Extract<PyValue, { t: "object" }>;

/** Maximum characters of a Fraction or Decimal, and maximum power of ten, for an exact comparison. No float has as many; beyond, text counts. */
const EXACT_DIGITS = 1200;

/** The value if it is a number in Python's sense, which includes Fraction and Decimal; otherwise null. */
function asNumber(x: PyValue): PyNumber | null {
  if (x.t === "int" || x.t === "bool" || x.t === "float" || x.t === "complex") return x;
  return x.t === "object" && (x.type === "fractions.Fraction" || x.type === "decimal.Decimal") ? x : null;
}

function equalNumbers(a: PyNumber, b: PyNumber, tolerance: number): boolean {
  if (numberKey(a) === numberKey(b)) return true;
  if (tolerance <= 0 || !(inexact(a) || inexact(b))) return false;
  const [x, y] = [approximate(a), approximate(b)];
  return isClose(x.re, y.re, tolerance) && isClose(x.im, y.im, tolerance);
}

const RELATIVE = 1e-7;

const isClose = (x: number, expected: number, tolerance: number): boolean =>
  Number.isFinite(expected) && Math.abs(x - expected) <= tolerance + RELATIVE * Math.abs(expected);

const numberType = (x: PyNumber): string => (x.t === "object" ? x.type : x.t);
const inexact = (x: PyNumber): boolean => x.t === "float" || x.t === "complex";

function approximate(x: PyNumber): { re: number; im: number } {
  if (x.t === "complex") return { re: x.re, im: x.im };
  if (x.t === "object" && x.type === "decimal.Decimal")
    return { re: Number(x.form.slice("Decimal('".length, -2)), im: 0 };
  if (x.t === "object") {
    const [numerator, denominator] = rational(x) ?? [0n, 0n];
    return { re: Number(numerator) / Number(denominator), im: 0 };
  }
  return { re: Number(x.v), im: 0 };
}

/** A text that is the same for numbers that are equal in Python, also if their types differ. */
function numberKey(x: PyNumber): string {
  switch (x.t) {
    case "int":
      return x.v.toString(16);
    case "bool":
      return x.v ? "1" : "0";
    case "float":
      return floatKey(x.v);
    case "complex":
      return x.im === 0 ? floatKey(x.re) : `${floatKey(x.re)}+${floatKey(x.im)}j`;
    case "object": {
      const found = rational(x);
      if (!found) return x.form;
      const [numerator, denominator] = found;
      // `floatKey` writes a float as its exact fraction too, so equal numbers have equal keys.
      return ratioKey(numerator, denominator);
    }
  }
}

const ratioKey = (numerator: bigint, denominator: bigint): string =>
  denominator === 1n ? numerator.toString(16) : `${numerator.toString(16)}/${denominator.toString(16)}`;

function floatKey(x: number): string {
  if (Number.isInteger(x)) return BigInt(x).toString(16);
  if (!Number.isFinite(x)) return String(x);
  // The 52 bits of fraction as an integer, and the power of two below, both without trailing zeros. No loop of up to a thousand halvings.
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(x));
  const word = bits.getBigUint64(0);
  const exponent = Number(word >> 52n);
  const fraction = (word & (2n ** 52n - 1n)) | (exponent === 0 ? 0n : 2n ** 52n);
  const zeros = BigInt(trailingZeros(fraction));
  const numerator = fraction >> zeros;
  return ratioKey(x < 0 ? -numerator : numerator, 1n << (BigInt(1075 - Math.max(exponent, 1)) - zeros));
}

function trailingZeros(x: bigint): number {
  const binary = x.toString(2);
  return binary.length - 1 - binary.lastIndexOf("1");
}

/**
 * Numerator and denominator in lowest terms of `Fraction(1, 3)` or `Decimal('0.1')`; null for Decimal's NaN and infinity, and beyond
 * `EXACT_DIGITS`, which no float reaches.
 */
function rational({ form }: Rational): readonly [bigint, bigint] | null {
  if (form.length > EXACT_DIGITS) return null;
  const fraction = /^Fraction\((-?\d+), (\d+)\)$/.exec(form);
  if (fraction) return [BigInt(fraction[1] as string), BigInt(fraction[2] as string)];
  const decimal = /^Decimal\('([+-]?)(\d*)(?:\.(\d*))?(?:E([+-]?\d{1,5}))?'\)$/.exec(form);
  if (!decimal) return null;
  const digits = BigInt(`${decimal[2]}${decimal[3] ?? ""}` || "0");
  const exponent = Number(decimal[4] ?? 0) - (decimal[3] ?? "").length;
  if (digits === 0n) return [0n, 1n];
  if (Math.abs(exponent) > EXACT_DIGITS) return null;
  const signed = decimal[1] === "-" ? -digits : digits;
  if (exponent >= 0) return [signed * 10n ** BigInt(exponent), 1n];
  const below = 10n ** BigInt(-exponent);
  const common = gcd(digits, below);
  return [signed / common, below / common];
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

const LONG_KEY = 1000; // characters; a longer key is replaced by its digest, so that nested keys are not copied at each level

/** A text that is the same for values that are equal as keys. With it sets and dicts compare in linear time. */
function keyOf(x: PyValue, strict: boolean): string {
  const key = wholeKey(x, strict);
  return key.length > LONG_KEY ? `#${sha256(key)}` : key;
}

function wholeKey(x: PyValue, strict: boolean): string {
  const of = (item: PyValue): string => keyOf(item, strict);
  const number = asNumber(x);
  if (number) return `n${strict ? numberType(number) : ""}${numberKey(number)}`;
  switch (x.t) {
    case "none":
      return "-";
    case "str":
      return `s${JSON.stringify(x.v)}`;
    case "bytes":
      return `b${x.v}`;
    case "set":
    case "frozenset":
      return `z{${x.v.map(of).sort().join(",")}}`;
    case "dict":
      return `d{${x.v
        .map(([key, item]) => `${of(key)}:${of(item)}`)
        .sort()
        .join(",")}}`;
    case "object":
      return `o${JSON.stringify([x.type, x.form])}`;
    default:
      return `${x.t}(${(x as { v: readonly PyValue[] }).v.map(of).join(",")})`;
  }
}

/** The values without duplicates. */
export const distinctValues = (values: readonly PyValue[]): PyValue[] => [
  ...new Map(values.map((value) => [keyOf(value, false), value])).values(),
];

function sameKeys(a: readonly PyValue[], b: readonly PyValue[], strict: boolean): boolean {
  const keys = new Set(a.map((x) => keyOf(x, strict)));
  return b.every((x) => keys.has(keyOf(x, strict)));
}

function sameItems(
  a: readonly (readonly [PyValue, PyValue])[],
  b: readonly (readonly [PyValue, PyValue])[],
  tolerance: number,
  strict: boolean,
): boolean {
  const items = new Map(a.map(([key, item]) => [keyOf(key, strict), item]));
  return b.every(([key, item]) => {
    const other = items.get(keyOf(key, strict));
    return other !== undefined && equalValues(other, item, tolerance, strict);
  });
}
