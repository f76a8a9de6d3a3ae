/** What is known of a value before a program runs: of which built-in types it can be, and what it holds. */
import type { ValueType } from "../types.ts";

/** How one comes to a value: from the argument of this number to what it holds, and so on. */
export interface Place {
  readonly path: string;
  /** How many steps from the argument. */
  readonly depth: number;
}

export interface Shape {
  /** null: it may be anything; empty: there is no such value, as what an empty list holds. */
  readonly types: ReadonlySet<ValueType> | null;
  /** What walking over it gives; null where that may be anything. */
  readonly item: Shape | null;
  /** Of a dict, what it gives for a key. */
  readonly value: Shape | null;
  /** Of a tuple, its parts in order. */
  readonly parts: readonly Shape[] | null;
  /** Of a value of which nothing is known, where it comes from. */
  readonly place: Place | null;
}

const make = (shape: Partial<Shape>): Shape => ({
  types: null,
  item: null,
  value: null,
  parts: null,
  place: null,
  ...shape,
});

export const ANYTHING = make({});
export const NOTHING_YET = make({ types: new Set() });

const plain = new Map<string, Shape>();

/** Of one type or several, and nothing known of what is in it. */
export function of(...types: readonly ValueType[]): Shape {
  const key = types.join();
  const known = plain.get(key) ?? make({ types: new Set(types) });
  plain.set(key, known);
  return known;
}

export const INT = of("int");
export const FLOAT = of("float");
export const NUMBER = of("int", "float");
export const TEXT = of("text");
export const NONE = of("None");

/** A list, set or the like of one type of item, or a dict of keys and values. Nothing is kept of what lies more than three deep. */
export const holding = (type: ValueType, item: Shape | null, value: Shape | null = null): Shape =>
  make({ types: new Set([type]), item: shallow(item, 3), value: shallow(value, 3) });

/** A tuple of these parts. */
export const tupleOf = (parts: readonly Shape[]): Shape =>
  make({
    types: new Set(["tuple"]),
    item: shallow(parts.reduce(join, NOTHING_YET), 3),
    parts: parts.map((part) => shallow(part, 3)!),
  });

/** A value of which nothing is known but where it comes from. */
export const argument = (path: string, depth = 0): Shape => make({ place: { path, depth } });

function shallow(shape: Shape | null, depth: number): Shape | null {
  if (shape === null || (shape.item === null && shape.value === null && shape.parts === null)) return shape;
  if (depth === 0) return make({ types: shape.types });
  return {
    ...shape,
    item: shallow(shape.item, depth - 1),
    value: shallow(shape.value, depth - 1),
    parts: shape.parts?.map((part) => shallow(part, depth - 1)!) ?? null,
  };
}

/** What is either of two values. */
export function join(a: Shape, b: Shape): Shape {
  if (a === b) return a;
  if (a.types?.size === 0) return b;
  if (b.types?.size === 0) return a;
  if (a.types === null || b.types === null) {
    return a.place !== null && a.place.path === b.place?.path ? a : ANYTHING;
  }
  const sameParts = a.parts !== null && b.parts !== null && a.parts.length === b.parts.length;
  return make({
    types: new Set([...a.types, ...b.types]),
    item: joinOf(a, b, "item"),
    value: joinOf(a, b, "value"),
    parts: sameParts ? a.parts.map((part, i) => join(part, b.parts![i]!)) : null,
  });
}

const HOLDERS: ReadonlySet<ValueType> = new Set(["text", "list", "tuple", "dict", "set", "range", "view", "iterator"]);

function joinOf(a: Shape, b: Shape, key: "item" | "value"): Shape | null {
  const holds = ({ types }: Shape): boolean => [...types!].some((type) => HOLDERS.has(type));
  if (!holds(a)) return b[key];
  if (!holds(b)) return a[key];
  if (key === "value" && !(a.types!.has("dict") && b.types!.has("dict"))) return a[key] ?? b[key];
  const [ours, theirs] = [key === "item" ? itemOf(a) : a[key], key === "item" ? itemOf(b) : b[key]];
  return ours === null || theirs === null ? null : join(ours, theirs);
}

/** What walking over a value gives. */
export function itemOf({ types, item, place }: Shape): Shape {
  if (types === null)
    return place === null || place.depth > 2 ? ANYTHING : argument(`${place.path}.item`, place.depth + 1);
  if (item !== null) return item;
  if (types.size === 1 && types.has("text")) return TEXT;
  return types.size === 1 && types.has("range") ? INT : ANYTHING;
}

/** Without `None`, which a program that asks for it takes care of. */
export function something(shape: Shape): Shape {
  if (!shape.types?.has("None")) return shape;
  return { ...shape, types: new Set([...shape.types].filter((type) => type !== "None")) };
}

/** The types of a value, in words. */
export const shown = ({ types }: Shape): string => (types === null ? "anything" : [...types].join(" or "));
