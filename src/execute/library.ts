/**
 * Compares answers of numpy, pandas and matplotlib as the libraries' own testing functions do. python/libraries.py describes their forms.
 * Arrays are equal if their shapes and items are, as for `numpy.testing.assert_array_equal`: NaN equals NaN, and the dtype counts only if
 * types are strict. Frames, series and indices must also have the same dtypes, names and labels, and their floats are equal within
 * `rtol` 1e-5 and `atol` 1e-8, as for `pandas.testing.assert_frame_equal`.
 */
import type { PyValue } from "../types.ts";

type Library = Extract<PyValue, { t: "object" }>;
export type Equal = (a: PyValue, b: PyValue, tolerance: number) => boolean;

const ARRAY = /^numpy\.(?:ndarray|MaskedArray)$/;
const PANDAS = /^pandas\.(?:Index|Series|DataFrame|Categorical)$/;
const FIGURE = /^matplotlib\.(?:Figure|Axes)$/;
const PANDAS_RTOL = 1e-5;
const PANDAS_ATOL = 1e-8;
/** Coordinates in figures are computed, and different correct programs round them differently. */
const FIGURE_TOLERANCE = 1e-9;

export const isLibrary = ({ type }: Library): boolean => ARRAY.test(type) || PANDAS.test(type) || FIGURE.test(type);

/**
 * Whether two answers of one class are equal. `decode` reads the parts, `equal` compares plain values. Floats may differ by `tolerance`.
 * False if a form cannot be read: a program may have sent it. (`equalValues` has already accepted identical forms.)
 */
export function equalLibrary(
  a: Library,
  b: Library,
  { decode, equal }: { readonly decode: (form: string) => PyValue; readonly equal: Equal },
  tolerance: number,
  strict: boolean,
): boolean {
  if (a.type !== b.type) return false;
  const [x, y] = [a, b].map(({ form }) => partsOf(form, decode));
  if (!x || !y || x.length !== y.length) return false;
  const exactly: Same = (p, q) => equal(p, q, 0);
  if (FIGURE.test(a.type)) return x.every((part, i) => equal(part, y[i]!, Math.max(tolerance, FIGURE_TOLERANCE)));
  if (ARRAY.test(a.type)) {
    const within: Same = (p, q) => equal(p, q, tolerance);
    return sameParts(x, y, [strict ? exactly : () => true, exactly, (p, q) => sameItems(p, q, within)]);
  }
  const close: Same = (p, q) => equal(p, q, q.t === "float" ? Math.max(tolerance, nearby(q.v)) : 0);
  const items: Same = (p, q) => sameItems(p, q, close);
  const columns: Same = (p, q) =>
    p.t === "list" &&
    q.t === "list" &&
    p.v.length === q.v.length &&
    p.v.every((column, i) => sameColumn(column, q.v[i]!));
  const sameColumn: Same = (p, q) =>
    p.t === "list" && q.t === "list" && p.v.length === q.v.length && sameParts(p.v, q.v, [exactly, items, exactly]);
  const how: Readonly<Record<string, readonly Same[]>> = {
    "pandas.Index": [exactly, exactly, items],
    "pandas.Series": [exactly, exactly, exactly, items, exactly],
    "pandas.DataFrame": [exactly, exactly, columns],
    "pandas.Categorical": [exactly, exactly, exactly],
  };
  return sameParts(x, y, how[a.type] ?? []);
}

const nearby = (expected: number): number => PANDAS_ATOL + PANDAS_RTOL * Math.abs(expected);

/** Compares part by part with the functions in `how`. False if there are more parts than functions. */
const sameParts = (x: readonly PyValue[], y: readonly PyValue[], how: readonly Same[]): boolean =>
  x.every((part, i) => how[i]?.(part, y[i]!) ?? false);

function partsOf(form: string, decode: (form: string) => PyValue): readonly PyValue[] | null {
  try {
    const parts = decode(form);
    return parts.t === "list" ? parts.v : null;
  } catch {
    return null;
  }
}

type Same = (a: PyValue, b: PyValue) => boolean;

/** Compares the items of two arrays one by one. Items are a text of numbers or a list. */
function sameItems(a: PyValue, b: PyValue, same: Same): boolean {
  if (a.t === "str" && b.t === "str" && a.v === b.v) return true;
  // One array may hold Python's own numbers (dtype object), the other not.
  const [x, y] = [itemsOf(a), itemsOf(b)];
  return x !== null && y !== null && x.length === y.length && x.every((item, i) => same(item, y[i]!));
}

/** The items of an array, from its text or its list; null for anything else. */
export const itemsOf = (x: PyValue): readonly PyValue[] | null =>
  x.t === "list" ? x.v : x.t === "str" ? numbersOf(x.v) : null;

/** The numbers in an array's text as Python values; null for any other text. */
function numbersOf(text: string): PyValue[] | null {
  if (text === "") return [];
  const items = text.split(" ").map(numberOf);
  return items.some((item) => item === null) ? null : (items as PyValue[]);
}

/** Maximum characters of a number: no 64-bit integer and no float has more. The bound also keeps other texts from taking long. */
const LONGEST = 30;
const FLOAT = /^-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|nan|inf)$/;

function numberOf(text: string): PyValue | null {
  const [re = "", im, ...more] = text.split(",", 3);
  if (re.length > LONGEST || (im ?? "").length > LONGEST || more.length > 0) return null;
  if (im !== undefined)
    return FLOAT.test(re) && FLOAT.test(im) ? { t: "complex", re: floatOf(re), im: floatOf(im) } : null;
  if (/^-?\d+$/.test(text)) return { t: "int", v: BigInt(text) };
  return FLOAT.test(text) ? { t: "float", v: floatOf(text) } : null;
}

const floatOf = (text: string): number => Number(text.replace(/inf$/, "Infinity").replace(/^[+-]?nan$/, "NaN"));
