/**
 * Type-directed generation: makes a new value of a shape, in the ranges seen and somewhat beyond, and reuses ingredients.
 * Whole numbers that were always positive (or never negative) stay so in most values.
 */

import { equalityKey, hashable } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";
import type { Random } from "../util/random.ts";
import { hasStamp, otherStamps } from "./calendar.ts";
import { collectIngredients, type Ingredients } from "./ingredients.ts";
import {
  type Alternative,
  balance,
  compare,
  type Field,
  type ItemsShape,
  type Shape,
  type Span,
  type TextShape,
} from "./shape.ts";

export interface Context {
  readonly rng: Random;
  readonly ingredients: Ingredients;
  /** How many more values may be made; after that every value is None. A deeply nested type would have more than fit in memory. */
  left: number;
}

/** EvalPlus reuses ingredients with probability .4 to .5. */
export const ingredientShare = 0.4;
/** How often a trait is kept that all given inputs share. */
export const keepShare = 0.9;

/** Maximum number of values that are made at a time, those inside of others among them. */
const MOST_NEW = 2000;

/** The values tried for a parameter of unknown type. */
const unknown: Shape = [
  { weight: 2, of: { t: "int", min: -5n, max: 20n } },
  { weight: 1, of: { t: "none" } },
];

export function generate(shape: Shape, context: Context): PyValue {
  const { rng, ingredients } = context;
  context.left -= 1;
  if (context.left < 0) return { t: "none" };
  const of = pickAlternative(shape, rng);
  const known = ingredients.get(of.t);
  if (known && rng.chance(ingredientShare)) {
    const value = rng.pick(known);
    if (fits(value, of) || rng.chance(1 - keepShare)) return value;
  }
  return generateOf(of, context);
}

/** `count` values of a shape, made with the constants of a program. */
export function newValues(shape: Shape, count: number, rng: Random, source: string): PyValue[] {
  const context = { rng, ingredients: collectIngredients([], [source]), left: MOST_NEW };
  return Array.from({ length: count }, () => generate(shape, context));
}

export function pickAlternative(shape: Shape, rng: Random): Alternative {
  const from = shape.length > 0 ? shape : unknown;
  let left = rng.float() * from.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, of } of from) {
    left -= weight;
    if (left < 0) return of;
  }
  return (from[from.length - 1] as Shape[number]).of;
}

/** Whether an ingredient has the size and sign seen for this shape. */
function fits(value: PyValue, of: Alternative): boolean {
  if (value.t === "int" && of.t === "int") return value.v >= least(of.min) && value.v <= of.max * 4n + 10n;
  if (value.t === "float" && of.t === "float") return value.v >= Math.min(0, of.min) || of.min < 0;
  if (value.t === "str" && of.t === "str")
    return (
      [...value.v].every((c) => of.alphabet.includes(c)) &&
      !of.structured &&
      (!of.balanced || balance(value.v) === value.v)
    );
  return value.t === "bool" || value.t === "none";
}

/** The lower bound that keeps the sign of the values seen: positive, not negative, or up to four times as far below zero. */
const least = (min: bigint): bigint => (min > 0n ? 1n : min === 0n ? 0n : min * 4n);

function generateOf(of: Alternative, context: Context): PyValue {
  const { rng } = context;
  switch (of.t) {
    case "none":
    case "object":
      return { t: "none" };
    case "bool":
      return { t: "bool", v: rng.chance(0.5) };
    case "int":
      return { t: "int", v: generateInt(of, rng) };
    case "float":
      return { t: "float", v: generateFloat(of, rng) };
    case "complex":
      return { t: "complex", re: rng.int(-9, 9), im: rng.int(-9, 9) };
    case "bytes":
      return { t: "bytes", v: generateBytes(rng) };
    case "str":
      return { t: "str", v: generateText(of, rng) };
    case "dict": {
      if (of.fields !== undefined && rng.chance(keepShare)) return generateRecord(of.fields, context);
      const keys = distinctItems(generateLength(of.lengths, rng), () => generate(of.key, context)).filter(hashable);
      return { t: "dict", v: keys.map((key) => [key, generate(of.value, context)] as const) };
    }
    default:
      return generateItems(of, context);
  }
}

function generateRecord(fields: readonly Field[], context: Context): PyValue {
  const given = fields.filter(({ always }) => always || context.rng.chance(0.5));
  return { t: "dict", v: given.map(({ key, shape }) => [{ t: "str", v: key }, generate(shape, context)] as const) };
}

/** In hexadecimal. Half of them are printable, because many programs treat these in another way. */
function generateBytes(rng: Random): string {
  const [low, high] = rng.chance(0.5) ? [0, 255] : [32, 126];
  const length = rng.chance(0.5) ? rng.int(0, 4) : rng.int(1, 20);
  return Array.from({ length }, () => rng.int(low, high).toString(16).padStart(2, "0")).join("");
}

export function generateInt({ min, max }: { min: bigint; max: bigint }, rng: Random): bigint {
  if (rng.chance(0.5)) return bigBetween(min, max, rng);
  const reach = max - min > 10n ? max - min : 10n;
  const low = rng.chance(keepShare) ? least(min) : min - reach;
  return bigBetween(low < max ? low : max, max + reach * rng.pick([1n, 1n, 1n, 10n, 10n, 100n]), rng);
}

export function bigBetween(from: bigint, to: bigint, rng: Random): bigint {
  const size = to - from + 1n;
  if (size <= 1n) return from;
  if (size < 0x7fffffffn) return from + BigInt(rng.int(0, Number(size) - 1));
  return from + (BigInt(Math.floor(rng.float() * 2 ** 52)) * size) / 2n ** 52n;
}

export function generateFloat(
  { min, max, decimals }: { min: number; max: number; decimals: number },
  rng: Random,
): number {
  const reach = rng.chance(0.5) ? 0 : Math.max(max - min, 1);
  const low = min >= 0 && rng.chance(keepShare) ? Math.max(0, min - reach) : min - reach;
  return round(low + rng.float() * (max + reach - low), decimals);
}

const round = (v: number, decimals: number): number => Number(v.toFixed(Math.min(decimals, 12)));

/** Mostly in the range seen, sometimes up to twice the longest. 0 and 1 are among the edge cases. */
export function generateLength({ min, max }: Span, rng: Random): number {
  if (rng.chance(0.6)) return rng.int(min, max);
  return rng.int(Math.min(min, 1), Math.max(2, Math.min(max * 2, max + 20)));
}

export function generateText(of: TextShape, rng: Random): string {
  if (of.samples.length === 0) return "";
  if (of.structured) return sameLayout(rng.pick(of.samples), rng);
  if (rng.chance(0.25))
    return closed(rng.chance(0.5) ? shuffleWords(rng.pick(of.samples), rng) : mixWords(of, rng), of, rng);
  const alphabet = alphabetOf(of, rng);
  return closed(Array.from({ length: generateLength(of.lengths, rng) }, () => rng.pick(alphabet)).join(""), of, rng);
}

/** Usually closes the brackets of a text, if all samples have them closed. */
export const closed = (text: string, { balanced }: TextShape, rng: Random): string =>
  balanced && rng.chance(keepShare) ? balance(text) : text;

/** A sentence from the words of all samples, about as long as one of them. */
function mixWords({ samples }: TextShape, rng: Random): string {
  const words = samples.flatMap((text) => text.split(" "));
  const length = rng.pick(samples).split(" ").length + rng.int(-1, 1);
  return Array.from({ length: Math.max(1, length) }, () => rng.pick(words)).join(" ");
}

const classes = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** The characters seen. Sometimes all characters of their kinds instead, for example all lower-case letters. */
function alphabetOf({ alphabet }: TextShape, rng: Random): readonly string[] {
  if (alphabet.length === 0) return ["a", "b"];
  if (rng.chance(0.5)) return alphabet;
  const wide = classes.filter((letters) => alphabet.filter((c) => letters.includes(c)).length > 2).join("");
  return wide === "" ? alphabet : [...wide, ...alphabet.filter((c) => !wide.includes(c))];
}

export function randomCharacter(of: TextShape, rng: Random): string {
  return rng.pick(alphabetOf(of, rng));
}

/** Replaces digits by other digits and letters by other letters; everything else stays. Dates and times that exist become others that exist. */
export function sameLayout(text: string, rng: Random): string {
  const change = (part: string): string =>
    [...part]
      .map((c) => {
        const letters = classes.find((some) => some.includes(c));
        return letters && rng.chance(0.5) ? letters[rng.int(0, letters.length - 1)] : c;
      })
      .join("");
  return hasStamp(text) ? otherStamps(text, rng, change) : change(text);
}

function shuffleWords(text: string, rng: Random): string {
  const words = text.split(" ");
  return words.length > 1 ? rng.shuffle(words).join(" ") : rng.shuffle([...text]).join("");
}

function generateItems(of: ItemsShape, context: Context): PyValue {
  const { rng } = context;
  if (of.positions && rng.chance(of.t === "tuple" ? 0.99 : keepShare)) {
    return { t: of.t, v: of.positions.map((shape) => generate(shape, context)) };
  }
  const length = generateLength(of.lengths, rng);
  const set = of.t === "set" || of.t === "frozenset";
  if (set || (of.distinct && rng.chance(keepShare))) {
    const v = distinctItems(length, () => generate(of.item, context));
    return settle({ t: of.t, v: set ? v.filter(hashable) : v }, of, rng);
  }
  const v = Array.from({ length }, () => generate(of.item, context));
  return settle({ t: of.t, v }, of, rng);
}

function distinctItems(length: number, make: () => PyValue): PyValue[] {
  const out = new Map<string, PyValue>();
  for (let tries = 0; out.size < length && tries < 4 * length; tries++) {
    const item = make();
    out.set(equalityKey(item), item);
  }
  return [...out.values()];
}

type Items = Extract<PyValue, { v: readonly PyValue[] }>;

/** Usually restores the traits that all values seen share (order, rows of one length) in a collection. */
export function settle(value: Items, of: ItemsShape, rng: Random): Items {
  let { v } = value;
  if (of.rectangular && rng.chance(keepShare)) v = rectangle(v);
  const { order } = of;
  if (order && rng.chance(keepShare)) {
    v = [...v].sort((a, b) => (order === "up" ? 1 : -1) * (compare(a, b) ?? 0));
  }
  return { ...value, v };
}

/** Makes all rows as long as the first: cuts longer ones, repeats the items of shorter ones. */
function rectangle(rows: readonly PyValue[]): readonly PyValue[] {
  const first = rows[0];
  if (first?.t !== "list" && first?.t !== "tuple") return rows;
  const width = Math.max(1, first.v.length);
  const filler = first.v;
  return rows.map((row) => {
    if (row.t !== "list" && row.t !== "tuple") return row;
    const from = row.v.length > 0 ? row.v : filler;
    if (from.length === 0) return row;
    return { t: row.t, v: Array.from({ length: width }, (_, i) => from[i % from.length] as PyValue) };
  });
}
