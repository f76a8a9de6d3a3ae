/**
 * Unusual inputs, whose answers the task may not define: with negative numbers, zeros, or empty lists and texts, if no example of the
 * description has them. Correct programs disagree on four to eight times as many of them as of other inputs (models/LOG.md), so they weigh less.
 */
import { parseArguments } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";

type Trait = "negative" | "zero" | "empty";

/** For each input: whether it has a trait that no example has. */
export function unusual(inputs: readonly ProgramInput[], examples: readonly ProgramInput[]): boolean[] {
  const shown = new Set(examples.flatMap(traitsOf));
  return inputs.map((input) => traitsOf(input).some((trait) => !shown.has(trait)));
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
