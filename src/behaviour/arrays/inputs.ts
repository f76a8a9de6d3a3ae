/** Argument lists with arrays and data frames. */
import { readSignature } from "../../expand/index.ts";
import { parseLiteral } from "../../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../../types.ts";
import { Random } from "../../util/random.ts";
import { KINDS, likelihoods } from "../kinds.ts";
import { printArguments } from "../shown.ts";
import type { CallEntry, Task } from "../types.ts";
import { array, type Column, columnsOf, frame, numbersOf, widthOf } from "./make.ts";

/** Parameters that name columns. */
const COLUMN =
  /(?:^|_)(?:col|column|feature|target|field|variable)(?:s|_?\w{1,6})?$|^(?:x|y)_(?:col|column|var)\w*$|_by$/i;
const COLUMNS = /(?:cols|columns|features|fields|variables|targets)$/i;
/** Other parameters get literals of so many likely kinds. */
const MOST_KINDS = 3;

/** `count` argument lists for the required parameters of a function. */
export function argumentsWithArrays(task: Task, entry: CallEntry, count: number, seed: number): ProgramInput[] {
  const { arrays } = entry;
  const code = task.reference ?? task.candidates[0] ?? "";
  const description = task.description ?? "";
  const text = `${code}\n${description}`;
  const kinds = new Map(arrays!.parameters.map(({ slot, kind }) => [slot, kind]));
  const required = (readSignature(code, entry.name) ?? []).flatMap((one, slot) =>
    one.optional && !kinds.has(slot) ? [] : [{ ...one, slot }],
  );
  const columns = new Map(
    required
      .filter(({ slot }) => kinds.get(slot) === "frame")
      .map(({ slot, name }) => [slot, columnsOf(name, code, text)]),
  );
  const all = [...columns.values()].flat();
  const rng = new Random(seed);
  const others = new Map(required.map(({ name }) => [name, likelyLiterals(name, code, description)]));
  return Array.from({ length: count }, () => {
    const numbers = numbersOf(rng);
    const positional = required.map(({ name, slot }): PyValue => {
      const kind = kinds.get(slot);
      if (kind === "frame") return frame(columns.get(slot)!, numbers, rng);
      if (kind !== undefined) return array(kind === "series" ? null : widthOf(name, code, text), numbers, rng);
      return (all.length > 0 ? columnNames(name, all, rng) : null) ?? parseLiteral(rng.pick(others.get(name)!));
    });
    return { args: printArguments({ positional, keyword: [] }) };
  });
}

function columnNames(name: string, columns: readonly Column[], rng: Random): PyValue | null {
  const text = (): PyValue => ({ t: "str", v: rng.pick(columns).name });
  if (COLUMNS.test(name))
    return {
      t: "list",
      v: rng
        .shuffle(columns)
        .slice(0, rng.int(1, 2))
        .map((one) => ({ t: "str", v: one.name })),
    };
  return COLUMN.test(name) ? text() : null;
}

/** Literals of the likeliest kinds of a parameter. */
function likelyLiterals(name: string, code: string, description: string): string[] {
  const weights = likelihoods(name, code, description);
  return KINDS.map(({ literals }, i) => ({ literals, weight: weights[i]! }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_KINDS)
    .flatMap(({ literals }, i) => (i === 0 ? [...literals, ...literals] : literals));
}
