/**
 * The shape of a parameter's values: their types, ranges and structure, as far as the values seen show them.
 * A shape is a list of alternatives; an empty one means unknown.
 * Source: the type inference that EvalPlus (Liu et al. 2023, section 2.1) and CodeScore (3.1.1) start from.
 */

import { equalityKey } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";
import { isStamp } from "./calendar.ts";

export interface Span {
  readonly min: number;
  readonly max: number;
}

export interface TextShape {
  readonly t: "str";
  readonly lengths: Span;
  readonly alphabet: readonly string[];
  readonly samples: readonly string[];
  /** All samples share one layout that contains punctuation, like `2020-01-31`, or are dates or times that exist. */
  readonly structured: boolean;
  /** In every sample brackets close in the order in which they were opened, and some sample has one. */
  readonly balanced: boolean;
}

export interface ItemsShape {
  readonly t: "list" | "tuple" | "set" | "frozenset";
  readonly lengths: Span;
  readonly item: Shape;
  /** Shapes by position, if every value has the same number of items and they differ in kind, like `("ann", 3)`. */
  readonly positions: readonly Shape[] | null;
  readonly order: "up" | "down" | null;
  readonly distinct: boolean;
  /** The items of each value have equal lengths, like the rows of a matrix. */
  readonly rectangular: boolean;
}

export type Alternative =
  | { readonly t: "none" | "bool" | "complex" | "bytes" | "object" }
  | { readonly t: "int"; readonly min: bigint; readonly max: bigint }
  | { readonly t: "float"; readonly min: number; readonly max: number; readonly decimals: number }
  | TextShape
  | ItemsShape
  | DictShape;

export interface DictShape {
  readonly t: "dict";
  readonly lengths: Span;
  readonly key: Shape;
  readonly value: Shape;
  /** The keys of a record, each with the shape of its values. */
  readonly fields?: readonly Field[];
}

export interface Field {
  readonly key: string;
  readonly shape: Shape;
  /** Whether all records have it. */
  readonly always: boolean;
}

export type Shape = readonly { readonly weight: number; readonly of: Alternative }[];

/** The shape of the values seen. `annotated` adds what they do not show (the items of `[]`, an `Optional`). */
export function inferShape(values: readonly PyValue[], annotated: Shape = []): Shape {
  const groups = new Map<PyValue["t"], PyValue[]>();
  for (const value of values) groups.set(value.t, [...(groups.get(value.t) ?? []), value]);
  const seen = [...groups].map(([t, group]) => ({
    weight: group.length,
    of: inferAlternative(group, annotated.find(({ of }) => of.t === t)?.of),
  }));
  const rest = annotated.filter(({ of }) => !groups.has(of.t));
  if (values.length === 0) return rest;
  return [...seen, ...rest.map(({ of }) => ({ weight: values.length * 0.1, of }))];
}

type Of<T extends PyValue["t"]> = Extract<PyValue, { t: T }>;

function inferAlternative(group: readonly PyValue[], annotated: Alternative | undefined): Alternative {
  const first = group[0] as PyValue;
  switch (first.t) {
    case "int": {
      const all = (group as Of<"int">[]).map(({ v }) => v).sort((a, b) => (a < b ? -1 : 1));
      return { t: "int", min: all[0] as bigint, max: all[all.length - 1] as bigint };
    }
    case "float": {
      const all = (group as Of<"float">[]).map(({ v }) => v).filter(Number.isFinite);
      const decimals = all.map((v) => /\.(\d+)$/.exec(v.toString())?.[1]?.length ?? 0);
      return {
        t: "float",
        ...(all.length > 0 ? span(all) : { min: 0, max: 10 }),
        decimals: Math.max(1, ...decimals),
      };
    }
    case "str":
      return inferText((group as Of<"str">[]).map(({ v }) => v));
    case "list":
    case "tuple":
    case "set":
    case "frozenset": {
      const values = (group as Of<"list">[]).map(({ v }) => v);
      return inferItems(first.t, values, annotated && "item" in annotated ? annotated : undefined);
    }
    case "dict": {
      const dicts = (group as Of<"dict">[]).map(({ v }) => v);
      const known = annotated?.t === "dict" ? annotated : undefined;
      const fields = fieldsOf(dicts);
      return {
        t: "dict",
        ...(fields !== null && { fields }),
        lengths: span(dicts.map((d) => d.length)),
        key: inferShape(
          dicts.flatMap((d) => d.map(([k]) => k)),
          known?.key,
        ),
        value: inferShape(
          dicts.flatMap((d) => d.map(([, v]) => v)),
          known?.value,
        ),
      };
    }
    default:
      return { t: first.t };
  }
}

/** The fields of records; null if the dictionaries are no records: keys or types differ, or all values of the only one have one type. */
function fieldsOf(dicts: readonly Of<"dict">["v"][]): Field[] | null {
  const values = new Map<string, PyValue[]>();
  for (const [key, value] of dicts.flat()) {
    if (key.t !== "str" || !/^[a-zA-Z_]\w*$/.test(key.v)) return null;
    values.set(key.v, [...(values.get(key.v) ?? []), value]);
  }
  const groups = [...values.values()];
  const always = groups.filter((all) => all.length === dicts.length).length;
  const areTyped = groups.every((all) => new Set(all.map(({ t }) => (t === "float" ? "int" : t))).size === 1);
  const types = new Set(groups.map(([first]) => first!.t));
  const isRecord = always > 1 && areTyped && (types.size > 1 || dicts.length > 1);
  if (!isRecord) return null;
  return [...values].map(([key, all]) => ({ key, shape: inferShape(all), always: all.length === dicts.length }));
}

export function inferText(samples: readonly string[]): TextShape {
  const layouts = new Set(samples.map(layoutOf));
  const layout = layoutOf(samples[0] ?? "");
  return {
    t: "str",
    lengths: span(samples.map((s) => [...s].length)),
    alphabet: [...new Set(samples.flatMap((s) => [...s]))],
    samples: [...new Set(samples)],
    structured:
      (samples.length > 1 && layouts.size === 1 && /[^9aA]/.test(layout) && /[9aA]/.test(layout)) ||
      (samples.length > 0 && samples.every(isStamp)),
    balanced: samples.every((text) => text === balance(text)) && samples.some((text) => /[([{<]/.test(text)),
  };
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** The text without brackets that close nothing, and with brackets that stay open closed at the end. */
export function balance(text: string): string {
  const open: string[] = [];
  let out = "";
  for (const c of text) {
    if (closing[c] !== undefined) open.push(closing[c]);
    else if (/[)\]}>]/.test(c) && (open[open.length - 1] !== c || open.pop() === undefined)) continue;
    out += c;
  }
  return out + open.reverse().join("");
}

/** Replaces each run of digits, lower-case and upper-case letters by one `9`, `a` or `A`. */
const layoutOf = (text: string): string =>
  text
    .replace(/\d+/g, "9")
    .replace(/\p{Ll}+/gu, "a")
    .replace(/\p{Lu}+/gu, "A");

function inferItems(
  t: ItemsShape["t"],
  values: readonly (readonly PyValue[])[],
  annotated: ItemsShape | undefined,
): ItemsShape {
  const lengths = span(values.map((v) => v.length));
  const sequence = t === "list" || t === "tuple";
  const fixed = sequence && lengths.min === lengths.max && lengths.min > 0 && lengths.min <= 8;
  const at = (i: number): PyValue[] => values.map((v) => v[i] as PyValue);
  const kinds = new Set(values.flat().map((item) => item.t));
  const positional = fixed && (values.length > 1 || t === "tuple") && (t === "tuple" || kinds.size > 1);
  return {
    t,
    lengths,
    item: inferShape(values.flat(), annotated?.item),
    positions: positional
      ? Array.from({ length: lengths.min }, (_, i) => inferShape(at(i), annotated?.positions?.[i]))
      : null,
    order: sequence ? commonOrder(values) : null,
    distinct: values.some((v) => v.length > 3) && values.every(allDistinct),
    rectangular: values.some((v) => v.length > 1) && values.every(sameLengths),
  };
}

const allDistinct = (items: readonly PyValue[]): boolean => new Set(items.map(equalityKey)).size === items.length;

function sameLengths(items: readonly PyValue[]): boolean {
  const lengths = items.map(lengthOf);
  return lengths.every((n) => n !== null && n === lengths[0]);
}

/** The number of items of a collection or characters of a string; null for any other value. */
export function lengthOf(value: PyValue): number | null {
  if (value.t === "str") return [...value.v].length;
  return "v" in value && Array.isArray(value.v) ? value.v.length : null;
}

function commonOrder(values: readonly (readonly PyValue[])[]): "up" | "down" | null {
  const long = values.filter((v) => v.length > 2);
  const enough = long.length > 1 || long.some((v) => v.length > 3);
  if (!enough) return null;
  const every = (sign: number): boolean =>
    values.every((v) => v.every((item, i) => i === 0 || (compare(v[i - 1] as PyValue, item) ?? -sign) * sign <= 0)) &&
    values.some((v) => v.some((item, i) => i > 0 && compare(v[i - 1] as PyValue, item) !== 0));
  return every(1) ? "up" : every(-1) ? "down" : null;
}

/** Negative, 0 or positive, in Python's sort order; null for values that Python does not compare. */
export function compare(a: PyValue, b: PyValue): number | null {
  const [x, y] = [numeric(a), numeric(b)];
  if (x !== null && y !== null) return x < y ? -1 : x > y ? 1 : 0;
  if (a.t === "str" && b.t === "str") return a.v < b.v ? -1 : a.v > b.v ? 1 : 0;
  if ((a.t === "list" && b.t === "list") || (a.t === "tuple" && b.t === "tuple")) {
    for (let i = 0; i < Math.min(a.v.length, b.v.length); i++) {
      const order = compare(a.v[i] as PyValue, b.v[i] as PyValue);
      if (order !== 0) return order;
    }
    return a.v.length - b.v.length;
  }
  return null;
}

const numeric = (value: PyValue): number | bigint | null =>
  value.t === "int" || (value.t === "float" && !Number.isNaN(value.v))
    ? value.v
    : value.t === "bool"
      ? Number(value.v)
      : null;

export const span = (values: readonly number[]): Span => ({
  min: values.reduce((a, b) => Math.min(a, b)),
  max: values.reduce((a, b) => Math.max(a, b)),
});

/** The value as a number; null for NaN and for any other type. */
export const numberOf = (value: PyValue): number | null =>
  value.t === "int" ? Number(value.v) : value.t === "float" && !Number.isNaN(value.v) ? value.v : null;

/** The items of a collection, the keys of a dict; empty for any other value. */
export function itemsOf(value: PyValue): readonly PyValue[] {
  if (value.t === "dict") return value.v.map(([key]) => key);
  return value.t === "list" || value.t === "tuple" || value.t === "set" || value.t === "frozenset" ? value.v : [];
}
