/** Parts of an argument list that a constraint speaks of: an argument, its items, the lengths of these. */
import { itemsOf, lengthOf, numberOf } from "../../expand/index.ts";
import type { PyValue } from "../../types.ts";
import { dayOf, minuteOf } from "../dates.ts";
import type { TreeForm } from "../nodes/types.ts";

/** A step into a value: to every item, to one, or to what a dictionary has under a key (`.price`). */
export type Step = "*" | number | `.${string}`;

export interface Part {
  /** Index of the argument. */
  readonly slot: number;
  readonly path: readonly Step[];
  readonly of: "value" | "length";
}

/** `times * part + plus`; without a part, the number `plus`. */
export interface Term {
  readonly part: Part | null;
  readonly times: number;
  readonly plus: number;
}

export type Comparison = "<" | "<=" | "==" | "!=";

export type Constraint =
  | { readonly kind: "order"; readonly left: Term; readonly op: Comparison; readonly right: Term }
  /** Texts contain only these characters. */
  | { readonly kind: "letters"; readonly part: Part; readonly letters: string }
  /** Values are of one of these types. */
  | { readonly kind: "types"; readonly part: Part; readonly types: readonly PyValue["t"][] }
  /** Texts are like one of the examples (forms.ts). */
  | {
      readonly kind: "form";
      readonly part: Part;
      readonly examples: readonly string[];
    }
  | { readonly kind: "values"; readonly part: Part; readonly values: readonly PyValue[] }
  | { readonly kind: "sorted"; readonly part: Part; readonly sign: 1 | -1; readonly strict: boolean }
  | { readonly kind: "distinct"; readonly part: Part }
  /** Words with single spaces between them; numbers without leading zeros; texts whose brackets match. */
  | { readonly kind: "spaced" | "unpadded" | "brackets"; readonly part: Part }
  /** Lists are what LeetCode writes for a binary tree (nodes/tree.ts). */
  | { readonly kind: "tree"; readonly part: Part; readonly form: TreeForm }
  /** A value is one of those in a tree. */
  | { readonly kind: "node"; readonly part: Part; readonly tree: Part }
  | { readonly kind: "divisible"; readonly part: Part; readonly by: number; readonly rest: number };

export const numberTerm = (plus: number): Term => ({ part: null, times: 0, plus });
export const partTerm = (part: Part): Term => ({ part, times: 1, plus: 0 });

export const samePart = (a: Part, b: Part): boolean =>
  a.slot === b.slot &&
  a.of === b.of &&
  a.path.length === b.path.length &&
  a.path.every((step, i) => step === b.path[i]);

/** The values at the end of a path. */
export function at(value: PyValue | undefined, path: readonly Step[]): PyValue[] {
  if (value === undefined) return [];
  const [step, ...rest] = path;
  if (step === undefined) return [value];
  if (typeof step === "string" && step !== "*") return at(fieldOf(value, step.slice(1)), rest);
  const items = itemsOf(value);
  return (step === "*" ? items : items.slice(step, step + 1)).flatMap((item) => at(item, rest));
}

function fieldOf(value: PyValue, key: string): PyValue | undefined {
  return value.t === "dict" ? value.v.find(([own]) => own.t === "str" && own.v === key)?.[1] : undefined;
}

/** The number that a part of a value is, or its length; null if it is neither. A date (`2024-03-01`) is its day, a time (`09:30`) its minute. */
export const measure = (value: PyValue, of: Part["of"]): number | null =>
  of === "length" ? lengthOf(value) : value.t === "str" ? (dayOf(value.v) ?? minuteOf(value.v)) : numberOf(value);

/** The numbers of a term; several if its path leads to several items. */
export function numbersOf({ part, times, plus }: Term, values: readonly PyValue[]): number[] {
  if (part === null) return [plus];
  return at(values[part.slot], part.path).flatMap((value) => {
    const number = measure(value, part.of);
    return number === null ? [] : [times * number + plus];
  });
}

/** The value with the values at the end of a path changed. */
export function changedAt(value: PyValue, path: readonly Step[], change: (value: PyValue) => PyValue): PyValue {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (value.t === "dict" && typeof step === "string") {
    const isOwn = (key: PyValue): boolean => key.t === "str" && step === `.${key.v}`;
    return { t: "dict", v: value.v.map(([key, item]) => [key, isOwn(key) ? changedAt(item, rest, change) : item]) };
  }
  if (value.t !== "list" && value.t !== "tuple") return value;
  return {
    t: value.t,
    v: value.v.map((item, i) => (step === "*" || step === i ? changedAt(item, rest, change) : item)),
  };
}
