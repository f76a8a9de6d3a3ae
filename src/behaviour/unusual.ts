/**
 * Unusual inputs, whose answers the task may not define: with negative numbers, zeros, or empty lists and texts, if no example of the
 * description has them and the reference does not handle them. Correct programs disagree on two to five times as many of them as of other
 * inputs (models/LOG.md), so they weigh less.
 */
import { stripPython } from "../languages/python/index.ts";
import { parseArguments } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import type { Entry, Task } from "./types.ts";

export type Trait = "negative" | "zero" | "empty";

/** For each input: whether it has a trait that no example has. `handled`: traits that are usual in any case. */
export function unusual(
  inputs: readonly ProgramInput[],
  examples: readonly ProgramInput[],
  handled: readonly Trait[] = [],
): boolean[] {
  const usual = new Set([...handled, ...examples.flatMap(traitsOf)]);
  return inputs.map((input) => traitsOf(input).some((trait) => !usual.has(trait)));
}

/** Tests for zero, apart from that of a remainder, which is true of other numbers, too. */
const TESTS_ZERO = /(?<!%[ \t]{0,4}\(?[\w. +*-]{1,40}\)?[ \t]{0,4})(?:[=!<>]=|[<>])[ \t]{0,4}0(?![\w.])/;
const TESTS_EMPTY =
  /\bif[ \t]+(?:not[ \t]+)?\w+[ \t]*:|\blen\(\w+\)[ \t]*(?:[=!<>]=|[<>])[ \t]*[01]\b|[=!]=[ \t]*(?:\[\]|""|'')/;
const TESTS_SIGN = /<=?[ \t]*0(?![\w.])|>=?[ \t]*0(?![\w.])|\babs\(/;
const SAYS_NEGATIVE = /\b(?<!non[- ]?)negatives?\b|\bminus\b|\babsolute\b/i;

/** The traits of arguments that the reference tests for; negative numbers also have to be in the description, since `x > 0` may be a bare precaution. */
export function handledBy({ reference, description }: Task, entry: Entry): Trait[] {
  if (reference === null || entry.kind === "stdin") return [];
  const code = stripPython(reference);
  return [
    ...(TESTS_ZERO.test(code) ? (["zero"] as const) : []),
    ...(TESTS_EMPTY.test(code) ? (["empty"] as const) : []),
    ...(TESTS_SIGN.test(code) && SAYS_NEGATIVE.test(description ?? "") ? (["negative"] as const) : []),
  ];
}

const NEGATIVE = /(?<![\w.])-\d/;
const ZERO = /(?<![\w.-])0(?![\w.])/;

function traitsOf(input: ProgramInput): Trait[] {
  if ("stdin" in input) {
    const text = input.stdin;
    return [...(NEGATIVE.test(text) ? (["negative"] as const) : []), ...(ZERO.test(text) ? (["zero"] as const) : [])];
  }
  const { positional, keyword } = parseArguments(input.args);
  const found = new Set<Trait>();
  const left: PyValue[] = [...positional, ...keyword.map(([, value]) => value)];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    switch (value.t) {
      case "int":
      case "float":
        if (value.v < 0) found.add("negative");
        if (Number(value.v) === 0) found.add("zero");
        break;
      case "str":
        if (value.v === "") found.add("empty");
        break;
      case "list":
      case "tuple":
      case "set":
      case "frozenset":
        if (value.v.length === 0) found.add("empty");
        left.push(...value.v);
        break;
      case "dict":
        if (value.v.length === 0) found.add("empty");
        for (const [key, item] of value.v) left.push(key, item);
        break;
    }
  }
  return [...found];
}
