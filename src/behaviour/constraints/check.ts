/** Whether arguments satisfy a constraint. */
import { compare, itemsOf } from "../../expand/index.ts";
import { equalityKey } from "../../languages/python/literals/index.ts";
import type { PyValue } from "../../types.ts";
import { isTree, isValueOf } from "../nodes/index.ts";
import { hasMatchedBrackets } from "./brackets.ts";
import { isLike } from "./forms.ts";
import { at, type Comparison, type Constraint, measure, numbersOf, type Part, type Term } from "./parts.ts";

const COMPARE: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

/** A constraint on a part that the arguments do not have holds. */
export function holdsFor(constraint: Constraint, values: readonly PyValue[]): boolean {
  switch (constraint.kind) {
    case "order":
      return (
        [constraint.left, constraint.right].every(({ part }) => part === null || mayCompare(part, values)) &&
        numberPairs(constraint.left, constraint.right, values).every(([a, b]) => COMPARE[constraint.op](a, b))
      );
    case "types":
      return on(constraint.part, values, ({ t }) => constraint.types.includes(t));
    case "letters":
      return on(
        constraint.part,
        values,
        ({ t, v }) => t !== "str" || [...v].every((c) => constraint.letters.includes(c)),
      );
    case "form":
      return on(constraint.part, values, ({ t, v }) => t !== "str" || isLike(v, constraint.examples));
    case "values": {
      const allowed = new Set(constraint.values.map(equalityKey));
      return on(constraint.part, values, (value) => !isAtom(value) || allowed.has(equalityKey(value)));
    }
    case "sorted":
      return on(constraint.part, values, (value) => isSorted(itemsOf(value), constraint.sign, constraint.strict));
    case "distinct":
      return on(constraint.part, values, (value) => {
        const items = value.t === "str" ? [...value.v] : itemsOf(value).map(equalityKey);
        return new Set(items).size === items.length;
      });
    case "spaced":
      return on(constraint.part, values, ({ t, v }) => t !== "str" || !/^ | {2}| $/.test(v));
    case "brackets":
      return on(constraint.part, values, ({ t, v }) => t !== "str" || hasMatchedBrackets(v));
    case "tree":
      return on(constraint.part, values, (value) => value.t !== "list" || isTree(value.v, constraint.form));
    case "node": {
      const items = at(values[constraint.tree.slot], constraint.tree.path).flatMap(itemsOf);
      return on(constraint.part, values, (value) => isValueOf(items, value));
    }
    case "unpadded":
      return on(constraint.part, values, (value) => !isPadded(value));
    case "divisible":
      return at(values[constraint.part.slot], constraint.part.path).every((value) => {
        const number = measure(value, constraint.part.of);
        return number === null || Math.abs(number % constraint.by) === constraint.rest;
      });
  }
}

/** Whether a value may be one of several that a description lists. A list may hold such. */
export const isAtom = ({ t }: PyValue): boolean => t === "int" || t === "float" || t === "str" || t === "bool";

/** Only numbers, dates and times can be compared. A list or another text breaks the order. None is left out. */
const mayCompare = (part: Part, values: readonly PyValue[]): boolean =>
  part.of === "length" ||
  at(values[part.slot], part.path).every((value) => value.t === "none" || measure(value, part.of) !== null);

/** Whether a list of digits, or a text of digits, begins with a zero that could be left out. */
export function isPadded(value: PyValue): boolean {
  if (value.t === "str") return /^0\d/.test(value.v);
  const items = itemsOf(value);
  return items.length > 1 && items[0]!.t === "int" && items[0]!.v === 0n;
}

const on = (part: Part, values: readonly PyValue[], test: (value: PyValue & { v: never }) => boolean): boolean =>
  at(values[part.slot], part.path).every((value) => test(value as PyValue & { v: never }));

export const isSorted = (items: readonly PyValue[], sign: 1 | -1, strict: boolean): boolean =>
  items.every((item, i) => {
    const order = i === 0 ? -sign : compare(items[i - 1]!, item);
    return order === null || (strict ? order * sign < 0 : order * sign <= 0);
  });

/** The number of steps that both paths have in common, up to the last one to every item of a list. */
export function sharedSteps(left: Part, right: Part): number {
  if (left.slot !== right.slot) return 0;
  let shared = 0;
  for (let i = 0; i < Math.min(left.path.length, right.path.length) && left.path[i] === right.path[i]; i++) {
    if (left.path[i] === "*") shared = i + 1;
  }
  return shared;
}

/** Pairs of numbers that are compared: of the same row if both parts are in rows of the same list. */
function numberPairs(left: Term, right: Term, values: readonly PyValue[]): [number, number][] {
  const shared = left.part === null || right.part === null ? 0 : sharedSteps(left.part, right.part);
  if (shared > 0) {
    const { slot, path } = left.part!;
    const inside = (term: Term): Term => ({
      ...term,
      part: { ...term.part!, slot: 0, path: term.part!.path.slice(shared) },
    });
    return at(values[slot], path.slice(0, shared)).flatMap((row) => numberPairs(inside(left), inside(right), [row]));
  }
  const [a, b] = [numbersOf(left, values), numbersOf(right, values)];
  return a.length > 1 && b.length > 1 ? [] : a.flatMap((x) => b.map((y): [number, number] => [x, y]));
}
