/** Possible relations between two arguments, for `inferPreconditions`. */
import { equalityKey } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";
import { compare, itemsOf, lengthOf, numberOf } from "./shape.ts";

const orderOf = (a: PyValue, b: PyValue): number | null =>
  numberOf(a) === null || numberOf(b) === null ? null : compare(a, b);
const against = (a: PyValue, b: PyValue, holds: (n: number, length: number) => boolean): boolean | null => {
  const [n, length] = [a.t === "int" ? Number(a.v) : null, lengthOf(b)];
  return n === null || length === null ? null : holds(n, length);
};
const ordered = (a: PyValue, b: PyValue, holds: (order: number) => boolean): boolean | null => {
  const order = orderOf(a, b);
  return order === null ? null : holds(order);
};

/** `test`: null if the relation does not apply. Simplest first. */
export const PAIRS: readonly {
  text(a: string, b: string): string;
  test(a: PyValue, b: PyValue): boolean | null;
  readonly symmetric: boolean;
}[] = [
  {
    text: (a, b) => `len(${a}) == len(${b})`,
    test: (a, b) => {
      const [x, y] = [lengthOf(a), lengthOf(b)];
      return x === null || y === null ? null : x === y;
    },
    symmetric: true,
  },
  { text: (a, b) => `${a} < len(${b})`, test: (a, b) => against(a, b, (n, length) => n < length), symmetric: false },
  { text: (a, b) => `${a} <= len(${b})`, test: (a, b) => against(a, b, (n, length) => n <= length), symmetric: false },
  { text: (a, b) => `${a} <= ${b}`, test: (a, b) => ordered(a, b, (order) => order <= 0), symmetric: false },
  { text: (a, b) => `${a} < ${b}`, test: (a, b) => ordered(a, b, (order) => order < 0), symmetric: false },
  { text: (a, b) => `${a} != ${b}`, test: (a, b) => ordered(a, b, (order) => order !== 0), symmetric: true },
  {
    text: (a, b) => `${a} in ${b}`,
    test: (a, b) => {
      const items = itemsOf(b);
      return items.length === 0 && b.t === "str" ? null : items.some((item) => equalityKey(item) === equalityKey(a));
    },
    symmetric: false,
  },
];
