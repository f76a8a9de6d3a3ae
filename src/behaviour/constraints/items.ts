/** Gives lists and texts another length, and finds the items that an empty list gets. */
import { itemsOf } from "../../expand/index.ts";
import type { PyValue } from "../../types.ts";
import { at, type Constraint, type Part, samePart } from "./parts.ts";
import { defaultOf } from "./types.ts";

/** Items that a list or text gets at most. */
const MOST_ITEMS = 60;

/** The items of an empty list that gets longer. */
export type Fill = () => readonly PyValue[];

/** A list or text of another length: cut, or continued from its beginning. */
export function resized(value: PyValue, length: number, fill: Fill): PyValue {
  if (length < 0 || length > MOST_ITEMS) return value;
  if (value.t === "str") {
    const letters = value.v === "" ? ["a"] : [...value.v];
    return { t: "str", v: Array.from({ length }, (_, i) => letters[i % letters.length]!).join("") };
  }
  if (value.t !== "list" && value.t !== "tuple") return value;
  const items = value.v.length === 0 ? fill() : value.v;
  return { t: value.t, v: Array.from({ length }, (_, i) => items[i % items.length]!) };
}

/**
 * Items of the list's kind: as the sample has them there, unless the description says another type; else one of that type; else a number.
 * @param list the place of the list @param sample arguments that the reference accepts
 */
export function itemsFor(list: Part, all: readonly Constraint[], sample: readonly PyValue[]): readonly PyValue[] {
  const item: Part = { slot: list.slot, path: [...list.path, "*"], of: "value" };
  const types = all.flatMap((one) => (one.kind === "types" && samePart(one.part, item) ? [one.types] : []))[0];
  const like = at(sample[list.slot], list.path).find((value) => itemsOf(value).length > 0);
  const shown = like === undefined ? [] : itemsOf(like).filter(({ t }) => types?.includes(t) ?? true);
  if (shown.length > 0) return shown;
  return [types === undefined ? { t: "int", v: 1n } : defaultOf(types)];
}
