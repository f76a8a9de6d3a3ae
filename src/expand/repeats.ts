/**
 * Calls whose values repeat: what a program looks up, counts or connects is there more than once. Values made at random hardly ever meet:
 * no path leads through a random graph of random names.
 */
import { distinct, withItems } from "../languages/python/literals/index.ts";
import type { ProgramInput, PyValue } from "../types.ts";
import type { Random } from "../util/random.ts";
import { printCall, readCall, withValue } from "./call.ts";

/** Number of different values of a type that are left. */
const LEFT = 3;

/** The call with each integer and each text replaced by one of a few that it contains; null if it has too few values for that. */
export function withRepeats(input: ProgramInput, rng: Random): ProgramInput | null {
  if ("stdin" in input) return null;
  const call = readCall(input.args);
  const atoms = call.flatMap(({ value }) => (value === null ? [] : atomsOf(value)));
  const pools = new Map(
    (["int", "str"] as const).map((type) => {
      const found = distinct(atoms.filter(({ t }) => t === type));
      return [type as string, found.length > LEFT ? rng.shuffle(found).slice(0, LEFT) : []];
    }),
  );
  if ([...pools.values()].every((pool) => pool.length === 0)) return null;
  const changed = (value: PyValue): PyValue => {
    const pool = pools.get(value.t) ?? [];
    return pool.length > 0 ? rng.pick(pool) : withItems(value, changed);
  };
  return { args: printCall(call.map((slot) => (slot.value === null ? slot : withValue(slot, changed(slot.value))))) };
}

function atomsOf(value: PyValue): PyValue[] {
  if (value.t === "dict") return value.v.flat().flatMap(atomsOf);
  if (value.t === "list" || value.t === "tuple" || value.t === "set" || value.t === "frozenset")
    return value.v.flatMap(atomsOf);
  return [value];
}
