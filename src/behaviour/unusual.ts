/**
 * Unusual inputs, whose answers the task may not define: with negative numbers, zeros, or empty lists and texts, if no example of the
 * description has them and the reference does not handle them. Correct programs disagree on two to five times as many of them as of other
 * inputs (models/LOG.md), so they weigh less.
 */
import { compare, itemsOf } from "../expand/index.ts";
import { stripPython } from "../languages/python/index.ts";
import { distinct, equalityKey, parseArguments, withItems } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import { Constraints, type Step, type Trait } from "./constraints/index.ts";
import { type Arguments, printArguments } from "./shown.ts";
import type { Entry, Task } from "./types.ts";

export type { Trait } from "./constraints/index.ts";

/** Whether a trait is usual where it stands. `slot`: index of the argument, -1 for one by keyword. `path`: of the value in the argument. */
export type IsUsual = (trait: Trait, slot: number, path: readonly Step[]) => boolean;

interface Found {
  readonly trait: Trait;
  readonly slot: number;
  readonly path: readonly Step[];
}

const NO_CONSTRAINTS = new Constraints([]);

/**
 * For each input: whether it has a trait that no example has, or breaks a constraint. `handled`: traits that are usual in any case. So are
 * those of numbers and lengths that a constraint bounds from below.
 */
export function unusual(
  inputs: readonly ProgramInput[],
  examples: readonly ProgramInput[],
  handled: readonly Trait[] = [],
  constraints: Constraints = NO_CONSTRAINTS,
): boolean[] {
  const usual = new Set([...handled, ...examples.flatMap(traitsOf).map(({ trait }) => trait)]);
  const isUsual: IsUsual = (trait, slot, path) => usual.has(trait) || constraints.allows(trait, slot, path);
  const isShown = new Set(examples.map((input) => JSON.stringify(input)));
  return inputs.map(
    (input) => !hasOnly(input, isUsual) || !(constraints.hold(input) || isShown.has(JSON.stringify(input))),
  );
}

/** Tests for zero, apart from that of a remainder, which is true of other numbers, too. */
const TESTS_ZERO = /(?<!%[ \t]{0,4}\(?[\w. +*-]{1,40}\)?[ \t]{0,4})(?:[=!<>]=|[<>])[ \t]{0,4}0(?![\w.])/;
const TESTS_EMPTY =
  /\bif[ \t]+(?:not[ \t]+)?\w+[ \t]*(?::|else\b)|\blen\(\w+\)[ \t]*(?:[=!<>]=|[<>])[ \t]*[01]\b|[=!]=[ \t]*(?:\[\]|""|'')/;
const TESTS_SIGN = /<=?[ \t]*0(?![\w.])|>=?[ \t]*0(?![\w.])|\babs\(/;
/** Maximum number of places where a description says "negative" that are read. */
const MOST_SAID = 10;
const SAYS_EMPTY = /\b(?<!non[- ]?|not )empty\b/i;
const SAYS_ZERO =
  />=[ \t]?0\b|\bnon-?negative\b|\b(?:may|can) be (?:0|zero)\b|\b(?:at least (?:0|zero)|zero or more|0 or more)\b/i;
const SAYS_NEGATIVE = /\b(?<!non[- ]?)negatives?\b|\bminus\b|\babsolute\b/i;

/**
 * The traits of arguments that the reference tests for, and empty values and zeros that the description names. Negative numbers have to be in both, since
 * `x > 0` may be a bare precaution.
 */
export function handledBy({ reference, description }: Task, entry: Entry): Trait[] {
  if (reference === null || entry.kind === "stdin") return [];
  const handled = handledIn(reference, description ?? "");
  // Functions of trees test for an empty tree where they call themselves.
  const isOfTrees = entry.nodes?.parameters.some(({ of }) => of.kind === "tree") && !SAYS_EMPTY.test(description ?? "");
  return isOfTrees ? handled.filter((trait) => trait !== "empty") : handled;
}

/** The same for a function. */
export const handledIn = (reference: string, description: string): Trait[] => [
  ...new Set([
    ...testedBy(reference).filter((trait) => trait !== "negative" || SAYS_NEGATIVE.test(description)),
    ...(saysNegative(reference, description) ? (["negative"] as const) : []),
    ...(SAYS_EMPTY.test(description) ? (["empty"] as const) : []),
    ...(SAYS_ZERO.test(description) ? (["zero"] as const) : []),
  ]),
];

/** `Negative turns rotate counterclockwise`, for a parameter `turns`. */
const saysNegative = (reference: string, description: string): boolean =>
  [...description.matchAll(/\b(?<!non[- ]?)negative (?:values? of |numbers? of )?[`"']?(\w{1,30})/gi)]
    .slice(0, MOST_SAID)
    .some(([, name]) => new RegExp(`\\bdef [^\\n]{0,200}[(,][ \\t]{0,4}${name}\\b`).test(reference));

/** The traits of arguments that a program tests for. */
export function testedBy(source: string): Trait[] {
  const code = stripPython(source).replace(/\bwhile\b[^:\n]{0,100}:/g, "while True:"); // a loop has no case of its own for 0
  return [
    ...(TESTS_ZERO.test(code) ? (["zero"] as const) : []),
    ...(TESTS_EMPTY.test(code) ? (["empty"] as const) : []),
    ...(TESTS_SIGN.test(code) ? (["negative"] as const) : []),
  ];
}

const NEGATIVE = /(?<![\w.])-\d/;
const ZERO = /(?<![\w.-])0(?![\w.])/;

/** The traits of an input. In a text for standard input they have no place. */
export function traitsOf(input: ProgramInput): Found[] {
  const found: Found[] = [];
  const add = (trait: Trait | null, slot: number, path: readonly Step[]): void => {
    if (trait !== null) found.push({ trait, slot, path });
  };
  if ("stdin" in input) {
    add(NEGATIVE.test(input.stdin) ? "negative" : null, -1, []);
    add(ZERO.test(input.stdin) ? "zero" : null, -1, []);
    return found;
  }
  const { positional, keyword } = parseArguments(input.args);
  const visit = (value: PyValue, slot: number, path: readonly Step[]): void => {
    add(traitOf(value), slot, path);
    for (const [i, item] of itemsOf(value).entries()) visit(item, slot, [...path, i]);
    if (value.t === "dict") for (const [key, item] of value.v) visit(item, slot, [...path, stepTo(key)]);
  };
  for (const [slot, value] of positional.entries()) visit(value, slot, []);
  for (const [, value] of keyword) visit(value, -1, []);
  return found;
}

/** The step to what a dictionary has under a key. */
const stepTo = (key: PyValue): Step => `.${key.t === "str" ? key.v : ""}`;

function traitOf(value: PyValue): Trait | null {
  if (value.t !== "int" && value.t !== "float") return isEmpty(value) ? "empty" : null;
  return value.v < 0 ? "negative" : Number(value.v) === 0 ? "zero" : null;
}

/** Whether all traits of an input are usual. */
export const hasOnly = (input: ProgramInput, isUsual: IsUsual): boolean =>
  traitsOf(input).every(({ trait, slot, path }) => isUsual(trait, slot, path));

/** The input without traits that are not usual, as far as that is possible; the input itself if it has none. Texts for standard input are not changed. */
export function madeUsual(input: ProgramInput, isUsual: IsUsual): ProgramInput {
  if ("stdin" in input || hasOnly(input, isUsual)) return input;
  const { positional, keyword } = parseArguments(input.args);
  const changed: Arguments = {
    positional: positional.map((value, slot) => valueWithout(value, slot, [], isUsual)),
    keyword: keyword.map(([name, value]) => [name, valueWithout(value, -1, [], isUsual)]),
  };
  return { args: printArguments(changed) };
}

/** The value without any trait, as far as that is possible. */
export const usualValue = (value: PyValue): PyValue => valueWithout(value, -1, [], () => false);

function valueWithout(value: PyValue, slot: number, path: readonly Step[], isUsual: IsUsual): PyValue {
  const lacks = (trait: Trait, at: readonly Step[] = path): boolean => !isUsual(trait, slot, at);
  const inside = (item: PyValue, i: Step): PyValue => valueWithout(item, slot, [...path, i], isUsual);
  switch (value.t) {
    case "int": {
      const v = lacks("negative") && value.v < 0n ? -value.v : value.v;
      return { t: "int", v: lacks("zero") && v === 0n ? 1n : v };
    }
    case "float": {
      const v = lacks("negative") && value.v < 0 ? -value.v : value.v;
      return { t: "float", v: lacks("zero") && v === 0 ? 1 : v };
    }
    case "list":
    case "tuple": {
      // Only by an item of its type: `('', 3)` is no pair of numbers.
      const filled = (item: PyValue): PyValue => value.v.find((one) => one.t === item.t && !isEmpty(one)) ?? item;
      const changed = value.v.map((item, i) =>
        inside(lacks("empty", [...path, i]) && isEmpty(item) ? filled(item) : item, i),
      );
      return { t: value.t, v: keepRelations(value.v, changed) };
    }
    case "dict": {
      const entries = value.v.map(([key, item], i) => [inside(key, i), inside(item, stepTo(key))] as const);
      return { t: "dict", v: [...new Map(entries.map((entry) => [equalityKey(entry[0]), entry])).values()] };
    }
    default: {
      let i = -1;
      return withItems(value, (item) => inside(item, ++i));
    }
  }
}

/** Integers that were all different stay so, and a sorted list stays sorted. */
function keepRelations(before: readonly PyValue[], changed: readonly PyValue[]): readonly PyValue[] {
  let after = changed;
  if (distinct(before).length === before.length && distinct(after).length < after.length) {
    const taken = new Set<string>();
    after = after.map((item) => {
      let one = item;
      while (one.t === "int" && taken.has(equalityKey(one))) one = { t: "int", v: one.v + 1n };
      taken.add(equalityKey(one));
      return one;
    });
  }
  for (const sign of [1, -1]) {
    const isSorted = before.every((item, i) => i === 0 || (compare(before[i - 1]!, item) ?? sign) * sign <= 0);
    if (isSorted && before.length > 1) return after.toSorted((a, b) => sign * (compare(a, b) ?? 0));
  }
  return after;
}

const isEmpty = (value: PyValue): boolean =>
  "v" in value && (typeof value.v === "string" || Array.isArray(value.v)) && value.v.length === 0;
