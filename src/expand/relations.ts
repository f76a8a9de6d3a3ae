/**
 * Relations between two arguments that hold in all given inputs, and how to restore them in a changed input:
 * lists of equal length, a number that is another argument's length, an index into it, one number below the other,
 * a value that is an item of the other.
 * They are guesses from few inputs, so most proposals keep them, but not all.
 */

import { equalityKey } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";
import type { Random } from "../util/random.ts";
import { bigBetween } from "./generate.ts";
import { lengthOf } from "./shape.ts";

type Values = readonly (PyValue | null)[];

export interface Relation {
  /** Index of the argument that is changed to restore the relation. */
  readonly slot: number;
  /** The share of proposals that keep it. */
  readonly share: number;
  /** The changed argument, or null if the relation already holds or cannot be restored. */
  repair(values: Values, rng: Random): PyValue | null;
}

/** The relations that hold in every given call. A relation comes before others that build on it. */
export function findRelations(calls: readonly Values[]): Relation[] {
  const arity = calls[0]?.length ?? 0;
  const pairs: [number, number][] = [];
  for (let i = 0; i < arity; i++) for (let j = 0; j < arity; j++) if (i !== j) pairs.push([i, j]);
  const related = (find: (calls: readonly Values[], i: number, j: number) => Relation | null): Relation[] =>
    pairs.map(([i, j]) => find(calls, i, j)).filter((relation) => relation !== null);
  const lengths = [...related(equalLength), ...related(itsLength), ...related(itsWidth)];
  const numbers = [...related(inside), ...related(below)].filter(
    ({ slot }) => !lengths.some((relation) => relation.slot === slot),
  );
  return [...lengths, ...numbers, ...related(member)];
}

const intAt = (values: Values, i: number): bigint | null => {
  const value = values[i];
  return value?.t === "int" ? value.v : null;
};

const sizeAt = (values: Values, i: number): number | null => {
  const value = values[i];
  return value ? lengthOf(value) : null;
};

/** The values of both measures in every call; null if one call lacks one. */
function measured<A, B>(
  calls: readonly Values[],
  a: (v: Values) => A | null,
  b: (v: Values) => B | null,
): [A, B][] | null {
  const out: [A, B][] = [];
  for (const values of calls) {
    const [x, y] = [a(values), b(values)];
    if (x === null || y === null) return null;
    out.push([x, y]);
  }
  return out;
}

/** Equal lengths, or one always an item longer than the other (operators and their operands). */
function equalLength(calls: readonly Values[], i: number, j: number): Relation | null {
  if (j < i) return null;
  const sizes = measured(
    calls,
    (v) => sizeAt(v, j),
    (v) => sizeAt(v, i),
  );
  const more = sizes?.[0] ? sizes[0][0] - sizes[0][1] : 0;
  if (!sizes?.every(([a, b]) => a - b === more) || Math.abs(more) > 1) return null;
  const lengths = new Set(sizes.map(([a]) => a));
  if (!(more === 0 ? sizes.length > 1 || (sizes[0]?.[0] ?? 0) > 2 : lengths.size > 1)) return null;
  return lengthAfter(calls, i, j, more);
}

/** Keeps slot j `more` items longer than slot i. Added items come from the given calls. */
export function lengthAfter(calls: readonly Values[], i: number, j: number, more = 0): Relation {
  const known = calls.flatMap((values) => partsOf(values[j]));
  const repair = (values: Values, rng: Random): PyValue | null => {
    const [value, length] = [values[j], sizeAt(values, i)];
    if (!value || length === null || lengthOf(value) === length + more) return null;
    return resized(value, Math.max(0, length + more), known, rng);
  };
  return { slot: j, share: 0.9, repair };
}

/** The items of a list or the characters of a string, each as a value. */
function partsOf(value: PyValue | null | undefined): readonly PyValue[] {
  if (value?.t === "str") return [...value.v].map((v) => ({ t: "str", v }));
  return value?.t === "list" || value?.t === "tuple" ? value.v : [];
}

/** Cuts the value, or fills it up with items of the given inputs; null for a type without order. */
function resized(value: PyValue, length: number, known: readonly PyValue[], rng: Random): PyValue | null {
  const parts = partsOf(value).slice(0, length);
  if (parts.length < length && known.length === 0) return null;
  const filled = [...parts, ...Array.from({ length: length - parts.length }, () => rng.pick(known))];
  if (value.t === "list" || value.t === "tuple") return { t: value.t, v: filled };
  return value.t === "str" ? { t: "str", v: filled.map((part) => (part.t === "str" ? part.v : "")).join("") } : null;
}

const itsLength = (calls: readonly Values[], i: number, j: number): Relation | null =>
  equalTo(calls, i, (values) => sizeAt(values, j));

/** A number that is the length of the first row. */
const itsWidth = (calls: readonly Values[], i: number, j: number): Relation | null =>
  equalTo(calls, i, (values) => {
    const rows = values[j];
    const first = rows?.t === "list" || rows?.t === "tuple" ? rows.v[0] : undefined;
    return first && first.t !== "str" ? lengthOf(first) : null;
  });

function equalTo(calls: readonly Values[], slot: number, size: (values: Values) => number | null): Relation | null {
  const found = measured(calls, (v) => intAt(v, slot), size);
  if (!found?.every(([n, length]) => n === BigInt(length))) return null;
  const different = new Set(found.map(([n]) => n)).size > 1;
  if (!different && !(found[0] && found[0][0] > 2n)) return null;
  const repair = (values: Values): PyValue | null => {
    const [n, length] = [intAt(values, slot), size(values)];
    return n !== null && length !== null && n !== BigInt(length) ? { t: "int", v: BigInt(length) } : null;
  };
  return { slot, share: 0.95, repair };
}

/** A number from 0 or 1 up to the other argument's length or its last index. */
function inside(calls: readonly Values[], i: number, j: number): Relation | null {
  const found = measured(
    calls,
    (v) => intAt(v, i),
    (v) => sizeAt(v, j),
  );
  if (!found || found.length < 2 || !found.every(([n, length]) => n >= 0n && n <= BigInt(length))) return null;
  const low = found.some(([n]) => n === 0n) ? 0n : 1n;
  const short = found.some(([n, length]) => n === BigInt(length)) ? 0n : 1n;
  const repair = (values: Values, rng: Random): PyValue | null => {
    const [n, length] = [intAt(values, i), sizeAt(values, j)];
    if (n === null || length === null) return null;
    const high = BigInt(length) - short;
    return (n >= low && n <= high) || high < low ? null : { t: "int", v: bigBetween(low, high, rng) };
  };
  return { slot: i, share: 0.85, repair };
}

/** Slot i is never above slot j. */
function below(calls: readonly Values[], i: number, j: number): Relation | null {
  const found = measured(
    calls,
    (v) => intAt(v, i),
    (v) => intAt(v, j),
  );
  if (!found || found.length < 2 || !found.every(([a, b]) => a <= b) || found.every(([a, b]) => a === b)) return null;
  const repair = (values: Values, rng: Random): PyValue | null => {
    const [a, b] = [intAt(values, i), intAt(values, j)];
    if (a === null || b === null || a <= b) return null;
    return { t: "int", v: b > 0n ? bigBetween(1n, b, rng) : b };
  };
  return { slot: i, share: 0.8, repair };
}

function member(calls: readonly Values[], i: number, j: number): Relation | null {
  const itemsOf = (values: Values): readonly PyValue[] | null => {
    const value = values[j];
    if (value?.t === "dict") return value.v.map(([key]) => key);
    return value && value.t !== "str" && "v" in value && Array.isArray(value.v) ? value.v : null;
  };
  const holds = (values: Values): boolean | null => {
    const [value, items] = [values[i], itemsOf(values)];
    if (!value || !items) return null;
    return items.some((item) => equalityKey(item) === equalityKey(value));
  };
  if (calls.length < 2 || !calls.every((values) => holds(values) === true)) return null;
  const repair = (values: Values, rng: Random): PyValue | null => {
    const items = itemsOf(values) ?? [];
    return holds(values) === false && items.length > 0 ? rng.pick(items) : null;
  };
  return { slot: i, share: 0.6, repair };
}
