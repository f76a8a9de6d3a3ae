/** What is known about a value without running the program: its possible built-in types, and its contents. */
import type { ValueType } from "../types.ts";

/** Where a value comes from: the number of an argument, then a step into its items, and so on. */
export interface Place {
  readonly path: string;
  /** Number of steps from the argument. */
  readonly depth: number;
}

export interface Shape {
  /** Null if it may be anything. Empty if there is no such value, e.g. the items of an empty list. */
  readonly types: ReadonlySet<ValueType> | null;
  /** The shape of the items that iteration gives; null if they may be anything. */
  readonly item: Shape | null;
  /** For a dict: the shape of its values. */
  readonly value: Shape | null;
  /** For a tuple: the shapes of its parts in order. */
  readonly parts: readonly Shape[] | null;
  /** For a value of unknown type: where it comes from. */
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

/** A value of one of these types, with unknown contents. */
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

/** A list, set or the like with items of one shape, or a dict with keys and values. Contents nested more than three deep are dropped. */
export const holding = (type: ValueType, item: Shape | null, value: Shape | null = null): Shape =>
  make({ types: new Set([type]), item: shallow(item, 3), value: shallow(value, 3) });

/** A tuple of these parts. */
export const tupleOf = (parts: readonly Shape[]): Shape =>
  make({
    types: new Set(["tuple"]),
    item: shallow(parts.reduce(join, NOTHING_YET), 3),
    parts: parts.map((part) => shallow(part, 3)!),
  });

/** A value about which only its origin is known. */
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

/** The shape of a value that has one of two shapes. */
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

/** The shape of the items that iterating over a value gives. */
export function itemOf({ types, item, place }: Shape): Shape {
  if (types === null)
    return place === null || place.depth > 2 ? ANYTHING : argument(`${place.path}.item`, place.depth + 1);
  if (item !== null) return item;
  if (types.size === 1 && types.has("text")) return TEXT;
  return types.size === 1 && types.has("range") ? INT : ANYTHING;
}

/** The shape without `None`, for a program that tests for `None` itself. */
export function something(shape: Shape): Shape {
  if (!shape.types?.has("None")) return shape;
  return { ...shape, types: new Set([...shape.types].filter((type) => type !== "None")) };
}

/** The types of a value, in words. */
export const shown = ({ types }: Shape): string => (types === null ? "anything" : [...types].join(" or "));
