/**
 * Type-aware mutation of a value: a small change that keeps its structure.
 * Source: EvalPlus (Liu et al. 2023), table 1: numbers plus or minus one; items removed, repeated, inserted or
 * replaced by mutated ones; parts of strings removed or repeated; ingredients of the same type inserted.
 */

import { equalityKey, hashable, distinct as pickDistinct } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";
import type { Random } from "../util/random.ts";
import { isStamp } from "./calendar.ts";
import {
  type Context,
  closed,
  generate,
  ingredientShare,
  keepShare,
  randomCharacter,
  sameLayout,
  settle,
} from "./generate.ts";
import type { Alternative, DictShape, Field, ItemsShape, Shape, TextShape } from "./shape.ts";

export function vary(value: PyValue, shape: Shape, context: Context): PyValue {
  const { rng } = context;
  const of = shape.find((alternative) => alternative.of.t === value.t)?.of;
  if (!of || (shape.length > 1 && rng.chance(0.15))) return generate(shape, context);
  switch (value.t) {
    case "int":
      return { t: "int", v: varyInt(value.v, of, context) };
    case "float":
      return { t: "float", v: varyFloat(value.v, of, rng) };
    case "bool":
      return { t: "bool", v: !value.v };
    case "str":
      return of.t === "str" ? { t: "str", v: varyText(value.v, of, context) } : value;
    case "list":
    case "tuple":
    case "set":
    case "frozenset":
      return "item" in of ? varyItems(value, of, context) : value;
    case "dict":
      return of.t === "dict" ? varyDict(value, of, context) : value;
    default:
      return generate(shape, context);
  }
}

function varyInt(v: bigint, of: Alternative, context: Context): bigint {
  const { rng } = context;
  const size = v < 0n ? -v : v;
  const changed = rng.pick([
    () => v + 1n,
    () => v - 1n,
    () => v + BigInt(rng.int(2, 10)),
    () => v - BigInt(rng.int(2, 10)),
    () => v * 2n,
    () => v / 2n,
    () => -v,
    () => v + (size > 9n ? size : 9n) / BigInt(rng.int(1, 9)),
    () => generated(of, context, v),
    () => generated(of, context, v),
  ])();
  if (of.t !== "int" || of.min < 0n || rng.chance(1 - keepShare)) return changed;
  return changed >= of.min ? changed : of.min === 0n ? -changed : changed > 0n ? changed : 1n - changed;
}

function generated(of: Alternative, context: Context, otherwise: bigint): bigint {
  const value = generate([{ weight: 1, of }], context);
  return value.t === "int" ? value.v : otherwise;
}

function varyFloat(v: number, of: Alternative, rng: Random): number {
  const decimals = of.t === "float" ? of.decimals : 2;
  const changed = rng.pick([v + 1, v - 1, v * 2, v / 2, -v, v + rng.normal(), v * (1 + rng.normal()), Math.round(v)]);
  const kept = of.t === "float" && of.min >= 0 && rng.chance(keepShare) ? Math.abs(changed) : changed;
  return Number.isFinite(kept) ? Number(kept.toFixed(Math.min(decimals + (rng.chance(0.1) ? 2 : 0), 12))) : kept;
}

function varyText(text: string, of: TextShape, context: Context): string {
  const { rng } = context;
  // A date that does not exist is no input of most tasks.
  const areStamps = of.structured && of.samples.every(isStamp);
  if (areStamps || (of.structured && rng.chance(keepShare)))
    return sameLayout(areStamps && !isStamp(text) ? rng.pick(of.samples) : text, rng);
  return closed(changedText(text, of, context), of, rng);
}

function changedText(text: string, of: TextShape, context: Context): string {
  const { rng, ingredients } = context;
  const chars = [...text];
  const at = rng.int(0, chars.length);
  const to = rng.int(at, Math.min(chars.length, at + 5));
  const put = (...middle: string[]): string => [...chars.slice(0, at), ...middle, ...chars.slice(to)].join("");
  const part = chars.slice(at, to);
  const known = ingredients.get("str") ?? [];
  if (known.length > 0 && rng.chance(ingredientShare / 2)) {
    const { v } = rng.pick(known) as Extract<PyValue, { t: "str" }>;
    return rng.chance(0.3) ? v : put(v);
  }
  const cased = of.alphabet.some((c) => c !== c.toLowerCase()) || rng.chance(0.05);
  return rng.pick([
    () => put(),
    () => put(...part, ...part),
    () => put(randomCharacter(of, rng), ...part),
    () => put(...part.map(() => randomCharacter(of, rng))),
    () => put(...part.reverse()),
    () => chars.slice(0, at).join(""),
    () => text + text,
    () => [...chars].reverse().join(""),
    () => (cased ? put(...part.map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))) : put()),
    () => rng.shuffle(text.split(" ")).join(" "),
  ])();
}

type Items = Extract<PyValue, { v: readonly PyValue[] }>;

function varyItems(value: Items, of: ItemsShape, context: Context): PyValue {
  const { rng } = context;
  const { v } = value;
  const set = value.t === "set" || value.t === "frozenset";
  const at = rng.int(0, Math.max(0, v.length - 1));
  const insert = (i: number, ...items: PyValue[]): PyValue[] => [...v.slice(0, i), ...items, ...v.slice(i)];
  const replaced = (): PyValue[] => {
    if (v.length === 0) return [];
    const shape = of.positions?.[at] ?? of.item;
    return v.map((item, i) => (i === at ? vary(item, shape, context) : item));
  };
  if (of.positions && rng.chance(of.t === "tuple" ? 0.99 : keepShare))
    return settle({ t: value.t, v: replaced() }, of, rng);
  const changed = rng.pick([
    replaced,
    replaced,
    () => v.map((item) => (rng.chance(0.5) ? vary(item, of.item, context) : item)),
    () => v.filter((_, i) => i !== at),
    () => insert(rng.int(0, v.length), generate(of.item, context)),
    () => insert(v.length, generate(of.item, context), generate(of.item, context)),
    () => (v.length > 0 ? insert(rng.int(0, v.length), rng.pick(v)) : v),
    () => (v.length > 0 ? insert(at, vary(v[at] as PyValue, of.item, context)) : v),
    () => rng.shuffle(v),
    () => [...v].reverse(),
    () => v.slice(0, rng.int(0, v.length)),
    () => (v.length < 40 ? [...v, ...v] : v.slice(0, 5)),
  ])();
  const distinct = set || (of.distinct && rng.chance(keepShare));
  const kept = distinct ? pickDistinct(changed) : [...changed];
  return settle({ t: value.t, v: set ? kept.filter(hashable) : kept }, of, rng);
}

/** Where keys are texts, values may be fields of a record, which keep their types. */
function ofType(item: PyValue, shape: Shape, key: PyValue): Shape {
  const own = key.t === "str" ? shape.filter(({ of }) => of.t === item.t) : [];
  return own.length > 0 ? own : shape;
}

/** A record with one field changed, or without one that others lack, too. */
function varyRecord({ v }: Extract<PyValue, { t: "dict" }>, fields: readonly Field[], context: Context): PyValue {
  const { rng } = context;
  const at = rng.int(0, Math.max(0, v.length - 1));
  const fieldOf = (key: PyValue): Field | undefined => fields.find((one) => key.t === "str" && one.key === key.v);
  const isSpare = fieldOf(v[at]?.[0] ?? { t: "none" })?.always === false;
  if (isSpare && rng.chance(0.5)) return { t: "dict", v: v.filter((_, i) => i !== at) };
  return {
    t: "dict",
    v: v.map(([key, item], i) => [key, i === at ? vary(item, fieldOf(key)?.shape ?? [], context) : item] as const),
  };
}

function varyDict(value: Extract<PyValue, { t: "dict" }>, of: DictShape, context: Context): PyValue {
  const { rng } = context;
  const { v } = value;
  if (of.fields !== undefined && rng.chance(keepShare)) return varyRecord(value, of.fields, context);
  const at = rng.int(0, Math.max(0, v.length - 1));
  const fresh = (): readonly [PyValue, PyValue] => [generate(of.key, context), generate(of.value, context)];
  const changed = rng.pick<() => readonly (readonly [PyValue, PyValue])[]>([
    () => v.filter((_, i) => i !== at),
    () => [...v, fresh()],
    () => [...v, fresh(), fresh()],
    () => v.map(([key, item], i) => [key, i === at ? vary(item, ofType(item, of.value, key), context) : item]),
    () => v.map(([key, item], i) => [i === at ? vary(key, of.key, context) : key, item]),
    () => rng.shuffle(v),
  ])();
  const entries = new Map(changed.filter(([key]) => hashable(key)).map((entry) => [equalityKey(entry[0]), entry]));
  return { t: "dict", v: [...entries.values()] };
}
