/** The items with which an empty list is filled if it must not be empty. */
import { itemsOf } from "../../expand/index.ts";
import type { PyValue } from "../../types.ts";
import { at, type Constraint, type Part, samePart } from "./parts.ts";
import { defaultOf } from "./types.ts";

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
