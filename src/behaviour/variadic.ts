/** Functions that take any number of positional arguments: `def mean(*nums)`. */
import { type Parameter as Declared, readSignature, readVariadic } from "../expand/index.ts";
import { parseArguments } from "../languages/python/literals/index.ts";
import { printArguments } from "./shown.ts";
import type { CallEntry, Task } from "./types.ts";

/** Number of arguments that are tried for `*nums`, and the numbers of arguments in the inputs that are made from them. */
const TRIED = 2;
const COUNTS = [0, 1, 3];

export interface Parameters {
  /** The required parameters; those for `*nums` are the last ones. */
  readonly parameters: readonly Declared[];
  /** How many of them are for `*nums`. */
  readonly variadic: number;
}

/** The required parameters, from the first signature found in the reference, the description or the candidates. */
export function parametersOf({ reference, description, candidates }: Task, { name }: CallEntry): Parameters {
  for (const code of [reference, description, ...candidates]) {
    const found = code && readSignature(code, name);
    if (!found) continue;
    const { positional } = readVariadic(code, name);
    const more = positional === null ? [] : Array.from({ length: TRIED }, () => positional);
    return { parameters: [...found.filter(({ optional }) => !optional), ...more], variadic: more.length };
  }
  return { parameters: [], variadic: 0 };
}

/** The argument lists, and after them the same with fewer and more arguments for `*nums`. */
export function ofOtherLengths(lists: readonly string[], variadic: number): string[] {
  if (variadic === 0) return [...lists];
  const others = COUNTS.flatMap((count) =>
    lists.map((args, i) => {
      const { positional } = parseArguments(args);
      const fixed = positional.slice(0, positional.length - variadic);
      const next = parseArguments(lists[(i + 1) % lists.length]!).positional.slice(-variadic);
      const all = [...positional.slice(-variadic), ...next];
      return printArguments({ positional: [...fixed, ...all.slice(0, count)], keyword: [] });
    }),
  );
  return [...new Set([...lists, ...others])];
}
