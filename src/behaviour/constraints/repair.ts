/** Changes arguments so that they satisfy constraints: numbers come into range, lists get their length, order and different items, texts their letters. */
import { compare, itemsOf } from "../../expand/index.ts";
import { distinct, equalityKey } from "../../languages/python/literals/index.ts";
import type { PyValue } from "../../types.ts";
import { dateOf, minuteOf, timeOf } from "../dates.ts";
import { mendedTree, valueAt } from "../nodes/index.ts";
import { matched } from "./brackets.ts";
import { holdsFor, isAtom, isPadded, sharedSteps } from "./check.ts";
import { isLike } from "./forms.ts";
import { type Fill, itemsFor, resized } from "./items.ts";
import { at, type Constraint, changedAt, measure, numbersOf, type Part, samePart, type Term } from "./parts.ts";
import { converted } from "./types.ts";

/** A repair may break another constraint. After so many rounds the arguments are given up. */
const ROUNDS = 6;

interface Range {
  readonly low: number;
  readonly high: number;
}

type Order = Extract<Constraint, { kind: "order" }>;

/** The arguments with all constraints satisfied; null if that fails. @param sample arguments that show the kinds of items */
export function repaired(
  given: readonly PyValue[],
  constraints: readonly Constraint[],
  sample: readonly PyValue[],
): PyValue[] | null {
  let values = [...given];
  for (let round = 0; round < ROUNDS; round++) {
    const broken = constraints.filter((constraint) => !holdsFor(constraint, values));
    if (broken.length === 0) return values;
    for (const constraint of broken) {
      // lengths first: later rounds see the numbers that depend on them
      if (round === 0 && broken.some(isOfLength) && !isOfLength(constraint)) continue;
      values = mended(values, constraint, constraints, sample);
    }
  }
  return constraints.every((constraint) => holdsFor(constraint, values)) ? values : null;
}

const isOfLength = (constraint: Constraint): boolean =>
  constraint.kind === "order" && partsOf(constraint).every(({ of }) => of === "length");

const partsOf = ({ left, right }: Order): Part[] => [left.part, right.part].filter((part) => part !== null);

function mended(
  values: PyValue[],
  constraint: Constraint,
  all: readonly Constraint[],
  sample: readonly PyValue[],
): PyValue[] {
  if (constraint.kind === "order") {
    const turned = exchanged(values, constraint);
    if (turned !== null) return turned;
    const part = changedPart(constraint);
    return changedIn(values, part, (value, row) =>
      inRange(value, part.of, rangeOf(part, all, values, row), constraint, () => itemsFor(part, all, sample)),
    );
  }
  const { part } = constraint;
  switch (constraint.kind) {
    case "letters":
      return changedIn(values, part, (value) =>
        value.t === "str" ? { t: "str", v: spelled(value.v, constraint.letters) } : value,
      );
    case "form":
      return changedIn(values, part, (value) =>
        value.t !== "str" || isLike(value.v, constraint.examples)
          ? value
          : { t: "str", v: constraint.examples[keyOf(value) % constraint.examples.length]! },
      );
    case "values": {
      const allowed = new Set(constraint.values.map(equalityKey));
      return changedIn(values, part, (value) =>
        !isAtom(value) || allowed.has(equalityKey(value))
          ? value
          : constraint.values[keyOf(value) % constraint.values.length]!,
      );
    }
    case "sorted":
      return changedIn(values, part, (value) => {
        if (value.t !== "list" && value.t !== "tuple") return value;
        const items = constraint.strict ? distinct(value.v) : value.v;
        return { t: value.t, v: items.toSorted((a, b) => constraint.sign * (compare(a, b) ?? 0)) };
      });
    case "distinct": {
      const items: Part = { ...part, path: [...part.path, "*"], of: "value" };
      return changedIn(values, part, (value, row) => allDifferent(value, rangeOf(items, all, values, row)));
    }
    case "spaced":
      return changedIn(values, part, (value) =>
        value.t === "str"
          ? {
              t: "str",
              v:
                value.v
                  .split(" ")
                  .filter((word) => word !== "")
                  .join(" ") || "a",
            }
          : value,
      );
    case "brackets":
      return changedIn(values, part, (value) => (value.t === "str" ? { t: "str", v: matched(value.v) } : value));
    case "tree":
      return changedIn(values, part, (value) =>
        value.t === "list" ? { t: "list", v: mendedTree(value.v, constraint.form) } : value,
      );
    case "node": {
      const items = at(values[constraint.tree.slot], constraint.tree.path).flatMap(itemsOf);
      return changedIn(values, part, (value) => valueAt(items, value.t === "int" ? value.v : 0n));
    }
    case "unpadded":
      return changedIn(values, part, (value) => {
        if (!isPadded(value)) return value;
        if (value.t === "str") return { t: "str", v: `1${value.v.slice(1)}` };
        return value.t === "list" ? { t: "list", v: [{ t: "int", v: 1n }, ...value.v.slice(1)] } : value;
      });
    case "types":
      return changedIn(values, part, (value) =>
        constraint.types.includes(value.t) ? value : converted(value, constraint.types),
      );
    case "divisible":
      return changedIn(values, part, (value, row) => {
        const number = measure(value, part.of);
        const range = rangeOf(part, all, values, row);
        if (number === null || Math.abs(number % constraint.by) === constraint.rest) return value;
        const fits = multiplesNear(number, constraint).find((n) => n >= range.low && n <= range.high);
        return fits === undefined ? value : withMeasure(value, part.of, fits, () => itemsFor(part, all, sample));
      });
  }
}

/** A number that equal values share. */
const keyOf = (value: PyValue): number => [...equalityKey(value)].reduce((sum, c) => sum + c.charCodeAt(0), 0);

/** Numbers on both sides that leave the rest when divided, the nearest first; of two as near, the smaller. */
export function multiplesNear(number: number, { by, rest }: { readonly by: number; readonly rest: number }): number[] {
  const times = Math.trunc(Math.abs(number) / by);
  const sizes = [times - 1, times, times + 1].filter((n) => n >= 0).map((n) => n * by + rest);
  const both = [...new Set(sizes.flatMap((size) => [size, 0 - size]))];
  return both.sort((a, b) => Math.abs(a - number) - Math.abs(b - number) || a - b);
}

/** Of two parts the one that is changed: a number rather than a length, the deeper or later one otherwise. */
function changedPart({ left, right }: Order): Part {
  const [a, b] = [left.part, right.part];
  if (a === null || b === null) return (a ?? b)!;
  if (a.of !== b.of) return a.of === "value" ? a : b;
  if (a.slot !== b.slot) return a.slot > b.slot ? a : b;
  if (a.path.length !== b.path.length) return a.path.length > b.path.length ? a : b;
  return b;
}

/** Whether a part is the given row of another. */
const isRow = (one: Part, all: Part, row: number): boolean =>
  all.path[0] === "*" && samePart(one, { ...all, path: [row, ...all.path.slice(1)] });

/** The arguments with two numbers exchanged that are in the wrong order; null if the parts are not two numbers of one row, or two arguments. */
function exchanged(values: readonly PyValue[], { left, right, op }: Order): PyValue[] | null {
  const [a, b] = [left.part, right.part];
  if (a?.of !== "value" || b?.of !== "value" || (op !== "<" && op !== "<=")) return null;
  if (left.times !== 1 || right.times !== 1 || left.plus !== 0 || right.plus !== 0) return null;
  const isWrong = (x: PyValue | undefined, y: PyValue | undefined): boolean =>
    x !== undefined && y !== undefined && (measure(x, "value") ?? 0) > (measure(y, "value") ?? 0);
  if (a.path.length === 0 && b.path.length === 0) {
    const [x, y] = [values[a.slot], values[b.slot]];
    return isWrong(x, y) ? values.map((value, i) => (i === a.slot ? y! : i === b.slot ? x! : value)) : null;
  }
  const [i, j] = [a.path.at(-1), b.path.at(-1)];
  const shared = a.path.length - 1;
  if (sharedSteps(a, b) !== shared || b.path.length !== a.path.length || typeof i !== "number" || typeof j !== "number")
    return null;
  let isChanged = false;
  const changed = changedIn(values, { ...a, path: a.path.slice(0, -1) }, (row) => {
    if ((row.t !== "list" && row.t !== "tuple") || !isWrong(row.v[i], row.v[j])) return row;
    isChanged = true;
    return { t: row.t, v: row.v.map((item, k) => (k === i ? row.v[j]! : k === j ? row.v[i]! : item)) };
  });
  return isChanged ? changed : null;
}

/** Changes a part; `row` is the place of the value's row in its list. */
function changedIn(
  values: readonly PyValue[],
  part: Part,
  change: (value: PyValue, row: number) => PyValue,
): PyValue[] {
  return values.map((value, slot) => {
    if (slot !== part.slot) return value;
    if (part.path[0] !== "*") return changedAt(value, part.path, (own) => change(own, 0));
    const rest = part.path.slice(1);
    if (value.t !== "list" && value.t !== "tuple") return value;
    return { t: value.t, v: value.v.map((item, row) => changedAt(item, rest, (own) => change(own, row))) };
  });
}

/** The range that all comparisons leave to a part, with the other parts as they are. */
function rangeOf(part: Part, all: readonly Constraint[], values: readonly PyValue[], row: number): Range {
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const one of all) {
    if (one.kind !== "order" || one.op === "!=") continue;
    for (const [own, other, isLeft] of [
      [one.left, one.right, true],
      [one.right, one.left, false],
    ] as const) {
      if (own.part === null || own.times <= 0 || !samePart(own.part, part)) continue;
      if (other.part !== null && !samePart(changedPart(one), part)) continue;
      if (other.part !== null && isRow(other.part, own.part, row)) continue; // itself
      const bounds = numbersIn(other, own.part, values, row).map((number) => (number - own.plus) / own.times);
      const step = one.op === "<" ? 1 : 0;
      if (one.op === "==" || isLeft) high = Math.min(high, ...bounds.map((bound) => Math.ceil(bound - step)));
      if (one.op === "==" || !isLeft) low = Math.max(low, ...bounds.map((bound) => Math.floor(bound + step)));
    }
  }
  return { low, high };
}

/** The numbers of a term, only of the given row if it shares rows with a part. */
function numbersIn(term: Term, part: Part, values: readonly PyValue[], row: number): number[] {
  if (term.part === null || sharedSteps(term.part, part) === 0 || term.part.path[0] !== "*")
    return numbersOf(term, values);
  return numbersOf({ ...term, part: { ...term.part, path: [row, ...term.part.path.slice(1)] } }, values);
}

/** The items with which an empty list is filled. */
function inRange(
  value: PyValue,
  of: Part["of"],
  { low, high }: Range,
  { op, right, left }: Order,
  fill: Fill,
): PyValue {
  const number = measure(value, of);
  if (number === null || low > high) return value;
  if (op === "!=") {
    const other = [left, right].find(({ part }) => part === null)?.plus;
    return other !== number ? value : withMeasure(value, of, number + 1 <= high ? number + 1 : number - 1, fill);
  }
  return number >= low && number <= high
    ? value
    : withMeasure(value, of, of === "length" ? clamped(number, low, high) : folded(number, low, high), fill);
}

const clamped = (number: number, low: number, high: number): number => Math.max(low, Math.min(high, number));

/** How far a number is moved into a range that is open at the other end. */
const NEAR = 50;

/** A number of the range; different numbers mostly stay different. */
function folded(number: number, low: number, high: number): number {
  const span = Math.min(high - low + 1, number < low || Number.isFinite(low) ? high - low + 1 : NEAR);
  const offset = Number.isFinite(low) ? Math.abs(number - low) : Math.abs(high - number);
  const within = Number.isFinite(span) ? offset % span : offset;
  return Number.isFinite(low) ? low + within : high - (within % NEAR);
}

function withMeasure(value: PyValue, of: Part["of"], number: number, fill: Fill): PyValue {
  if (of === "length") return resized(value, number, fill);
  if (value.t === "str")
    return { t: "str", v: (minuteOf(value.v) === null ? dateOf(number) : timeOf(number)) ?? value.v };
  if (value.t === "int") return Number.isFinite(number) ? { t: "int", v: BigInt(Math.trunc(number)) } : value;
  return value.t === "float" ? { t: "float", v: number } : value;
}

/** Each character that is not allowed becomes an allowed one, always the same one; the other case first. */
function spelled(text: string, letters: string): string {
  return [...text]
    .map((c) => {
      if (letters.includes(c)) return c;
      const other = [c.toLowerCase(), c.toUpperCase()].find((one) => one.length === 1 && letters.includes(one));
      return other ?? letters[c.codePointAt(0)! % letters.length]!;
    })
    .join("");
}

/** Equal integers become the next free ones of the range. Other equal items are left out. */
function allDifferent(value: PyValue, { low, high }: Range): PyValue {
  if (value.t === "str") return { t: "str", v: [...new Set(value.v)].join("") };
  if (value.t !== "list" && value.t !== "tuple") return value;
  const taken = new Set<string>();
  const items = value.v.flatMap((item) => {
    let one = item;
    for (let tries = 0; one.t === "int" && taken.has(equalityKey(one)) && tries <= value.v.length; tries++) {
      const next: number = Number(one.v) + 1;
      one = { t: "int", v: next > high ? BigInt(Number.isFinite(low) ? low : 0) : one.v + 1n };
    }
    if (taken.has(equalityKey(one))) return [];
    taken.add(equalityKey(one));
    return [one];
  });
  return { t: value.t, v: items };
}
