/**
 * Simple conditions on the arguments that separate the inputs a reference accepts from those it fails on:
 * types, signs, zero, ranges, lengths, order, divisibility, characters, and relations between two arguments.
 * They are guesses from examples: a condition holds for every accepted input and explains a failure, which proves nothing.
 * Source: EvalPlus writes such contracts by hand (Liu et al. 2023, section 2.3); here they are inferred from the failures.
 */

import { equalityKey, printLiteral } from "../languages/python/literals/index.ts";
import type { PyValue } from "../types.ts";
import { PAIRS } from "./pairs.ts";
import { compare, itemsOf, lengthOf, numberOf } from "./shape.ts";

/** The arguments of one call in the order of the parameters; null for one that is missing or not a literal. */
export type Values = readonly (PyValue | null)[];

export interface Precondition {
  /** A Python expression over the parameters, e.g. `all(e >= 0 for e in xs)`. */
  readonly text: string;
  /** Number of failures that this condition explains and no earlier one does. */
  readonly explains: number;
  readonly holds: (values: Values) => boolean;
}

/** A test of one value; null if it does not apply. */
type Test = (value: PyValue) => boolean | null;

interface Condition {
  readonly text: string;
  /** Null: the condition says nothing about this call. */
  readonly test: (values: Values) => boolean | null;
  /** The constant comes from the examples, so one explained failure is too little evidence. */
  readonly fitted: boolean;
}

/** With fewer accepted inputs no condition is inferred. */
const leastAccepted = 3;
const leastFitted = 2;

/** The conditions that explain the most failures, one after another; empty if nothing was rejected. */
export function inferPreconditions(
  names: readonly string[],
  accepted: readonly Values[],
  rejected: readonly Values[],
): Precondition[] {
  if (accepted.length < leastAccepted || rejected.length === 0) return [];
  const open = conditions(names, accepted, rejected).filter(({ test }) => {
    const results = accepted.map(test);
    return results.every((result) => result !== false) && results.some((result) => result === true);
  });
  const out: Precondition[] = [];
  for (let left = [...rejected]; left.length > 0; ) {
    const ranked = open.map((condition) => {
      const explains = left.filter((values) => condition.test(values) === false).length;
      return { condition, explains: condition.fitted && explains < leastFitted ? 0 : explains };
    });
    const best = ranked.reduce((a, b) => (b.explains > a.explains ? b : a), ranked[0] ?? { explains: 0 });
    if (best.explains === 0 || !("condition" in best)) break;
    const { text, test } = best.condition;
    const holds = (values: Values): boolean => test(values) !== false;
    out.push({ text, explains: best.explains, holds });
    left = left.filter(holds);
  }
  return out;
}

function conditions(names: readonly string[], accepted: readonly Values[], rejected: readonly Values[]): Condition[] {
  const arity = Math.max(...accepted.map((values) => values.length));
  const name = (slot: number): string => names[slot] ?? `arg${slot}`;
  const out: Condition[] = [];
  for (let slot = 0; slot < arity; slot++) {
    const here = (calls: readonly Values[]): PyValue[] => calls.flatMap((values) => argument(values, slot));
    for (const view of views) {
      const [good, bad] = [here(accepted), here(rejected)].map((values) => values.flatMap(view.leaves)) as [
        PyValue[],
        PyValue[],
      ];
      if (good.length === 0) continue;
      out.push(
        ...leafConditions(good, bad).map(({ text, test, fitted }) => ({
          text: view.text(name(slot), text),
          test: (values: Values) => overAll(argument(values, slot).flatMap(view.leaves), test),
          fitted,
        })),
      );
    }
  }
  for (let i = 0; i < arity; i++) {
    for (let j = 0; j < arity; j++) {
      if (i === j) continue;
      for (const { text, test, symmetric } of PAIRS) {
        if (symmetric && j < i) continue;
        const both = (values: Values): boolean | null => {
          const [a, b] = [values[i], values[j]];
          return a && b ? test(a, b) : null;
        };
        out.push({ text: text(name(i), name(j)), test: both, fitted: false });
      }
    }
  }
  return out;
}

function argument(values: Values, slot: number): PyValue[] {
  const value = values[slot];
  return value ? [value] : [];
}

/** False as soon as one leaf fails; null if the test applies to none. */
function overAll(leaves: readonly PyValue[], test: Test): boolean | null {
  const results = leaves.map(test);
  return results.includes(false) ? false : results.includes(true) ? true : null;
}

/** The parts of an argument that a condition can look at: itself, its items, its rows' items, a dict's values. */
const views: readonly { leaves(value: PyValue): readonly PyValue[]; text(name: string, leaf: LeafText): string }[] = [
  { leaves: (value) => [value], text: (name, leaf) => leaf(name) },
  { leaves: itemsOf, text: (name, leaf) => `all(${leaf("e")} for e in ${name})` },
  {
    leaves: (value) => itemsOf(value).flatMap(itemsOf),
    text: (name, leaf) => `all(${leaf("e")} for row in ${name} for e in row)`,
  },
  {
    leaves: (value) => (value.t === "dict" ? value.v.map(([, item]) => item) : []),
    text: (name, leaf) => `all(${leaf("e")} for e in ${name}.values())`,
  },
];

/** The Python text of a condition on the expression `name`. */
type LeafText = (name: string) => string;
interface LeafCondition {
  readonly text: LeafText;
  readonly test: Test;
  readonly fitted: boolean;
}

/** Simplest first: of two conditions that explain equally many failures, the first is taken. */
function leafConditions(good: readonly PyValue[], bad: readonly PyValue[]): LeafCondition[] {
  const natural = (text: LeafText, test: Test): LeafCondition => ({ text, test, fitted: false });
  const of = (measure: (value: PyValue) => number | null, holds: (n: number) => boolean): Test => {
    return (value) => {
      const n = measure(value);
      return n === null ? null : holds(n);
    };
  };
  const length: LeafText = (name) => `len(${name})`;
  const types = new Set(good.map(({ t }) => t));
  const out = [
    natural(typeText(types), ({ t }) => types.has(t)),
    natural(
      (name) => `${length(name)} >= 1`,
      of(lengthOf, (n) => n >= 1),
    ),
    natural(
      (name) => `${length(name)} >= 2`,
      of(lengthOf, (n) => n >= 2),
    ),
    ...[0, 1, 2].map((least) =>
      natural(
        (name) => `${name} >= ${least}`,
        of(numberOf, (n) => n >= least),
      ),
    ),
    natural(
      (name) => `${name} != 0`,
      of(numberOf, (n) => n !== 0),
    ),
    ...charsets.map(([text, pattern]) => natural(text, (value) => (value.t === "str" ? pattern.test(value.v) : null))),
    natural(
      (name) => `len(set(${name})) == len(${name})`,
      (value) => (itemsOf(value).length > 0 ? new Set(itemsOf(value).map(equalityKey)).size === lengthOf(value) : null),
    ),
    ...([1, -1] as const).map((sign) =>
      natural(
        (name) => `list(${name}) == sorted(${name}${sign > 0 ? "" : ", reverse=True"})`,
        (value) => inOrder(itemsOf(value), sign),
      ),
    ),
  ];
  for (const [measure, text] of [
    [numberOf, (name: string) => name],
    [lengthOf, length],
  ] as const) {
    const numbers = good.map(measure).filter((n) => n !== null);
    const others = bad.map(measure).filter((n) => n !== null);
    out.push(
      ...multiples(numbers).map((k) => ({
        text: (name: string) => `${text(name)} % ${k} == 0`,
        test: of(measure, (n) => n % k === 0),
        fitted: true,
      })),
    );
    const smallest = (list: readonly number[]): number =>
      list.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const largest = (list: readonly number[]): number =>
      list.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const [least, most] = [smallest(numbers), largest(numbers)];
    const above = smallest(others.filter((n) => n > most));
    const below = largest(others.filter((n) => n < least));
    const bound = (sign: string, c: number, test: (n: number) => boolean): void => {
      if (Number.isFinite(c))
        out.push({ text: (name) => `${text(name)} ${sign} ${c}`, test: of(measure, test), fitted: true });
    };
    bound("<", above, (n) => n < above);
    bound(">", below, (n) => n > below);
  }
  const letters = new Set(good.flatMap((value) => (value.t === "str" ? [...value.v] : [])));
  const alphabet = printLiteral({ t: "str", v: [...letters].sort().join("") });
  out.push({
    text: (name) => `all(c in ${alphabet} for c in ${name})`,
    test: (value) => (value.t === "str" ? [...value.v].every((c) => letters.has(c)) : null),
    fitted: true,
  });
  return out;
}

const charsets: readonly (readonly [LeafText, RegExp])[] = [
  [(name) => `all(c in '01' for c in ${name})`, /^[01]*$/],
  [(name) => `all(c.isdigit() for c in ${name})`, /^\d*$/],
  [(name) => `all(c.islower() for c in ${name})`, /^[a-z]*$/],
  [(name) => `all(c.isupper() for c in ${name})`, /^[A-Z]*$/],
  [(name) => `all(c.isalpha() for c in ${name})`, /^[A-Za-z]*$/],
  [(name) => `all(c.isalnum() for c in ${name})`, /^[A-Za-z\d]*$/],
  [(name) => `all(c.isalpha() or c == ' ' for c in ${name})`, /^[A-Za-z ]*$/],
];

function inOrder(items: readonly PyValue[], sign: 1 | -1): boolean | null {
  if (items.length < 2) return null;
  return items.every((item, i) => {
    const order = i === 0 ? 0 : compare(items[i - 1] as PyValue, item);
    return order !== null && order * sign <= 0;
  });
}

/** Divisors that all numbers share, if at least three of them are different. */
function multiples(numbers: readonly number[]): number[] {
  const different = [...new Set(numbers)];
  return different.length < 3 ? [] : [2, 3, 4, 5, 10].filter((k) => different.every((n) => n % k === 0));
}

const classes: Readonly<Record<PyValue["t"], string>> = {
  none: "type(None)",
  bool: "bool",
  int: "int",
  float: "float",
  complex: "complex",
  str: "str",
  bytes: "bytes",
  list: "list",
  tuple: "tuple",
  set: "set",
  frozenset: "frozenset",
  dict: "dict",
  object: "object",
};

function typeText(types: ReadonlySet<PyValue["t"]>): LeafText {
  const names = [...types].map((t) => classes[t]).sort();
  return (name) => (names.length === 1 ? `type(${name}) is ${names[0]}` : `type(${name}) in (${names.join(", ")})`);
}
