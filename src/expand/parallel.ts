/**
 * Parameters that a program iterates over side by side: `zip(xs, ys)`, `map(f, xs, ys)`, `xs[i]` and `ys[i]` for `i in range(len(xs))`. Tests
 * mostly give them equal lengths, and correct programs differ on unequal ones.
 */
import escapeRegExp from "escape-string-regexp";
import { Random } from "../util/random.ts";
import { type Call, printCall, readCall, withValue } from "./call.ts";
import { lengthAfter, type Relation } from "./relations.ts";

/** Maximum characters of a program that are read. */
const LONGEST = 20_000;
const SIDE_BY_SIDE = /\b(?:zip|map)\(([^()\n]{1,200})\)/g;
const BY_INDEX = /\bfor (\w{1,40}) in range\(len\((\w{1,40})\)\)/g;
/** The program compares the lengths itself, so unequal ones are part of its task. */
const COMPARED = /\blen\((\w{1,40})\) ?[!=<>]=? ?len\((\w{1,40})\)/g;
/** Exception: the program raises an error then, so unequal lengths are not valid inputs. */
const REFUSED = /^[^\n]{0,80}:\s{0,40}raise\b/;
const REFUSAL = 130;

/** Pairs of indices of parallel parameters, the lower index first. Without pairs whose lengths the program compares. */
export function parallelParameters(code: string, names: readonly string[]): (readonly [number, number])[] {
  const text = code.slice(0, LONGEST);
  const groups = [...text.matchAll(SIDE_BY_SIDE)].map(([, list]) => list!.split(",").map((part) => part.trim()));
  for (const [, index, over] of text.matchAll(BY_INDEX)) {
    const indexed = names.filter((name) => new RegExp(`\\b${escapeRegExp(name)}\\[${index}\\]`).test(text));
    groups.push([over!, ...indexed]);
  }
  const compared = [...text.matchAll(COMPARED)].flatMap(({ 0: all, 1: a, 2: b, index }) => {
    const after = text.slice(index + all.length, index + all.length + REFUSAL);
    return REFUSED.test(after) ? [] : [[a!, b!]];
  });
  const found: (readonly [number, number])[] = [];
  for (let j = 1; j < names.length; j++) {
    for (let i = 0; i < j; i++) {
      const both = (list: readonly string[]): boolean => list.includes(names[i]!) && list.includes(names[j]!);
      if (groups.some(both) && !compared.some(both)) found.push([i, j]);
    }
  }
  return found;
}

/** Relations that keep parallel parameters at equal lengths, in calls that pass them in the order of `names`. */
export function parallelRelations(code: string, names: readonly string[], calls: readonly Call[]): Relation[] {
  const values = calls.map((call) => call.map(({ value }) => value));
  return parallelParameters(code, names).map(([i, j]) => lengthAfter(values, i, j));
}

/** The argument lists, with parallel parameters brought to the length of the first of them. Without duplicates. */
export function aligned(lists: readonly string[], code: string, names: readonly string[], seed: number): string[] {
  const calls = lists.map(readCall);
  const relations = parallelRelations(code, names, calls);
  const rng = new Random(seed);
  const repair = (call: Call): Call =>
    relations.reduce((now, { slot, repair }) => {
      const values = now.map(({ value }) => value);
      const value = repair(values, rng);
      return value === null ? now : now.map((one, i) => (i === slot ? withValue(one, value) : one));
    }, call);
  return [...new Set(calls.map((call) => printCall(repair(call))))];
}
