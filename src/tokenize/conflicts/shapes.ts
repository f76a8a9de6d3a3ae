/** What is known of a value before a program runs: of which built-in sorts it can be, and what it holds. */

export type Sort =
  | "None"
  | "int"
  | "float"
  | "text"
  | "list"
  | "tuple"
  | "dict"
  | "set"
  | "range"
  /** `dict.keys()` and its like. */
  | "view"
  | "iterator"
  | "function";

/** How one comes to a value: from the argument of this number to what it holds, and so on. */
export interface Place {
  readonly path: string;
  /** How many steps from the argument. */
  readonly depth: number;
}

export interface Shape {
  /** null: it may be anything; empty: there is no such value, as what an empty list holds. */
  readonly sorts: ReadonlySet<Sort> | null;
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
  sorts: null,
  item: null,
  value: null,
  parts: null,
  place: null,
  ...shape,
});

export const ANYTHING = make({});
export const NOTHING_YET = make({ sorts: new Set() });

const plain = new Map<string, Shape>();

/** Of one sort or several, and nothing known of what is in it. */
export function of(...sorts: readonly Sort[]): Shape {
  const key = sorts.join();
  const known = plain.get(key) ?? make({ sorts: new Set(sorts) });
  plain.set(key, known);
  return known;
}

export const INT = of("int");
export const FLOAT = of("float");
export const NUMBER = of("int", "float");
export const TEXT = of("text");
export const NONE = of("None");

/** A list, set or the like of one sort of item, or a dict of keys and values. Nothing is kept of what lies more than three deep. */
export const holding = (sort: Sort, item: Shape | null, value: Shape | null = null): Shape =>
  make({ sorts: new Set([sort]), item: shallow(item, 3), value: shallow(value, 3) });

/** A tuple of these parts. */
export const tupleOf = (parts: readonly Shape[]): Shape =>
  make({
    sorts: new Set(["tuple"]),
    item: shallow(parts.reduce(join, NOTHING_YET), 3),
    parts: parts.map((part) => shallow(part, 3)!),
  });

/** A value of which nothing is known but where it comes from. */
export const argument = (path: string, depth = 0): Shape => make({ place: { path, depth } });

function shallow(shape: Shape | null, depth: number): Shape | null {
  if (shape === null || (shape.item === null && shape.value === null && shape.parts === null)) return shape;
  if (depth === 0) return make({ sorts: shape.sorts });
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
  if (a.sorts?.size === 0) return b;
  if (b.sorts?.size === 0) return a;
  if (a.sorts === null || b.sorts === null) {
    return a.place !== null && a.place.path === b.place?.path ? a : ANYTHING;
  }
  const sameParts = a.parts !== null && b.parts !== null && a.parts.length === b.parts.length;
  return make({
    sorts: new Set([...a.sorts, ...b.sorts]),
    item: joinOf(a, b, "item"),
    value: joinOf(a, b, "value"),
    parts: sameParts ? a.parts.map((part, i) => join(part, b.parts![i]!)) : null,
  });
}

const HOLDERS: ReadonlySet<Sort> = new Set(["text", "list", "tuple", "dict", "set", "range", "view", "iterator"]);

function joinOf(a: Shape, b: Shape, key: "item" | "value"): Shape | null {
  const holds = ({ sorts }: Shape): boolean => [...sorts!].some((sort) => HOLDERS.has(sort));
  if (!holds(a)) return b[key];
  if (!holds(b)) return a[key];
  if (key === "value" && !(a.sorts!.has("dict") && b.sorts!.has("dict"))) return a[key] ?? b[key];
  const [ours, theirs] = [key === "item" ? itemOf(a) : a[key], key === "item" ? itemOf(b) : b[key]];
  return ours === null || theirs === null ? null : join(ours, theirs);
}

/** What walking over a value gives. */
export function itemOf({ sorts, item, place }: Shape): Shape {
  if (sorts === null)
    return place === null || place.depth > 2 ? ANYTHING : argument(`${place.path}.item`, place.depth + 1);
  if (item !== null) return item;
  if (sorts.size === 1 && sorts.has("text")) return TEXT;
  return sorts.size === 1 && sorts.has("range") ? INT : ANYTHING;
}

/** Without `None`, which a program that asks for it takes care of. */
export function something(shape: Shape): Shape {
  if (!shape.sorts?.has("None")) return shape;
  return { ...shape, sorts: new Set([...shape.sorts].filter((sort) => sort !== "None")) };
}

/** The sorts of a value, in words. */
export const shown = ({ sorts }: Shape): string => (sorts === null ? "anything" : [...sorts].join(" or "));
