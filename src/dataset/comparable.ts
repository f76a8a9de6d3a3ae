/** What may stand as the expected answer of a test. */

import { printLiteral } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";

/** An expectation longer than this is no test but a data set. */
const maxLiteral = 10_000;

/** The value as a literal; null for one that has none (an object) or that is too long to be an expectation. */
export function expectation(value: PyValue): string | null {
  if (some(value, (leaf) => leaf.t === "object")) return null;
  const text = printLiteral(value);
  return text.length <= maxLiteral ? text : null;
}

export const hasFloat = (value: PyValue): boolean => some(value, ({ t }) => t === "float" || t === "complex");

/** Nan equals nothing, itself included: which programs pass would depend on how it is compared. */
export const hasNan = (value: PyValue): boolean =>
  some(value, (leaf) => Number.isNaN(leaf.t === "complex" ? leaf.re + leaf.im : leaf.t === "float" ? leaf.v : 0));

function some(value: PyValue, test: (leaf: PyValue) => boolean): boolean {
  if (value.t === "list" || value.t === "tuple" || value.t === "set" || value.t === "frozenset") {
    return value.v.some((item) => some(item, test));
  }
  if (value.t === "dict") return value.v.some(([key, item]) => some(key, test) || some(item, test));
  return test(value);
}
