/** Which values can be the expected answer of a test. */

import { printLiteral } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";

/** Maximum length of an expected answer, in characters. A longer one is a data set rather than a test. */
const maxLiteral = 10_000;

/** The value as a Python literal; null if it has none (an object) or is too long for an expected answer. */
export function expectation(value: PyValue): string | null {
  if (some(value, (leaf) => leaf.t === "object")) return null;
  const text = printLiteral(value);
  return text.length <= maxLiteral ? text : null;
}

export const hasFloat = (value: PyValue): boolean => some(value, ({ t }) => t === "float" || t === "complex");

/** NaN equals nothing, not even itself. With NaN in the answer, the comparison method would decide which programs pass. */
export const hasNan = (value: PyValue): boolean =>
  some(value, (leaf) => Number.isNaN(leaf.t === "complex" ? leaf.re + leaf.im : leaf.t === "float" ? leaf.v : 0));

function some(value: PyValue, test: (leaf: PyValue) => boolean): boolean {
  if (value.t === "list" || value.t === "tuple" || value.t === "set" || value.t === "frozenset") {
    return value.v.some((item) => some(item, test));
  }
  if (value.t === "dict") return value.v.some(([key, item]) => some(key, test) || some(item, test));
  return test(value);
}
