/** Python's equality of values, and which values can be in a set. */
import type { PyValue } from "../../../types.ts";

/** A key that is equal exactly for values that are equal under Python's `==` (1, 1.0 and True are), except that nan equals itself. */
export function equalityKey(value: PyValue): string {
  switch (value.t) {
    case "none":
      return "N";
    case "bool":
      return value.v ? "1" : "0";
    case "int":
      return value.v.toString();
    case "float":
      return Number.isInteger(value.v) ? BigInt(value.v).toString() : `${value.v}`;
    case "complex":
      return value.im === 0 ? equalityKey({ t: "float", v: value.re }) : `${value.re}+${value.im}j`;
    case "str":
      return JSON.stringify(value.v);
    case "bytes":
      return `b${value.v}`;
    case "list":
    case "tuple":
      return `${value.t === "list" ? "[" : "("}${value.v.map(equalityKey).join()})`;
    case "set":
    case "frozenset":
      return `{${value.v.map(equalityKey).sort().join()}}`;
    case "dict":
      return `d{${value.v
        .map(([k, v]) => `${equalityKey(k)}:${equalityKey(v)}`)
        .sort()
        .join()}}`;
    case "object":
      return `<${value.type} ${JSON.stringify(value.form)}>`;
  }
}

/** Whether Python can put the value in a set: not lists, sets and dicts, nor tuples that contain one. */
export const hashable = (value: PyValue): boolean =>
  value.t === "tuple" ? value.v.every(hashable) : value.t !== "list" && value.t !== "set" && value.t !== "dict";

/** The first of each group of equal values, in order. */
export function distinct(values: readonly PyValue[]): PyValue[] {
  const seen = new Map<string, PyValue>();
  for (const value of values) {
    const key = equalityKey(value);
    if (!seen.has(key)) seen.set(key, value);
  }
  return [...seen.values()];
}

/** The collection with each item, key and value changed. Of equal items of a set the first is kept, of equal keys the last. Other values stay as they are. */
export function withItems(value: PyValue, change: (item: PyValue) => PyValue): PyValue {
  switch (value.t) {
    case "list":
    case "tuple":
      return { t: value.t, v: value.v.map(change) };
    case "set":
    case "frozenset":
      return { t: value.t, v: distinct(value.v.map(change)) };
    case "dict": {
      const entries = value.v.map(([key, item]) => [change(key), change(item)] as const);
      return { t: "dict", v: [...new Map(entries.map((entry) => [equalityKey(entry[0]), entry])).values()] };
    }
    default:
      return value;
  }
}
