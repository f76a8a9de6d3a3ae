/** Calls of a class that a description shows: `With RateLimiter(2, 10): allow("a", 0), allow("a", 1) are True`. */
import { closingBracket } from "../languages/python/syntax/source.ts";
import type { PyValue } from "../types.ts";
import type { Method } from "./classes.ts";
import type { Call } from "./constraints/calls.ts";
import { argumentsIn, asSource } from "./shown.ts";

/** Maximum number of characters that are read, of calls, and of characters of arguments. */
const LONGEST = 20_000;
const MOST_CALLS = 60;
const LONGEST_ARGUMENTS = 500;

export interface ShownCalls {
  /** From each constructor on, the calls that follow it. */
  readonly sequences: readonly (readonly Call[])[];
  /** The values of each parameter, by its name. */
  readonly values: ReadonlyMap<string, readonly PyValue[]>;
}

/** `methods`: the constructor first, under the name of its class. Only calls whose arguments are literals are read. */
export function shownCallsOf(methods: readonly Method[], description: string): ShownCalls {
  const text = asSource(description.slice(0, LONGEST));
  const names = methods.filter(({ name }) => !name.startsWith("__")).map(({ name }) => name);
  const values = new Map<string, PyValue[]>();
  const sequences: Call[][] = [];
  const maker = methods[0]!.name;
  for (const match of [...text.matchAll(new RegExp(`\\b(${names.join("|")})\\(`, "g"))].slice(0, MOST_CALLS)) {
    const inside = text.slice(match.index + match[0].length).slice(0, LONGEST_ARGUMENTS);
    const end = closingBracket(inside, 0);
    const own = end === null ? "" : inside.slice(0, end);
    const given = end === null ? null : own.trim() === "" ? { positional: [], keyword: [] } : argumentsIn(own);
    const method = methods.find(({ name }) => name === match[1])!;
    const most = method.parameters.length;
    if (given === null || given.keyword.length > 0 || given.positional.length > most) continue;
    const required = method.parameters.filter(({ optional }) => !optional).length;
    if (given.positional.length < required) continue;
    for (const [i, value] of given.positional.entries()) {
      const { name } = method.parameters[i]!;
      values.set(name, [...(values.get(name) ?? []), value]);
    }
    const call: Call = [{ t: "str", v: method.name }, ...given.positional];
    if (method.name === maker) sequences.push([call]);
    else sequences.at(-1)?.push(call);
  }
  return { sequences: sequences.filter(({ length }) => length > 1), values };
}
