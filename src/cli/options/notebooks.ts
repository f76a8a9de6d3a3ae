/** The command-line option that names the fields of a split of notebooks. */
import { InvalidArgumentError } from "commander";
import type { SplitFields } from "../../problems/index.ts";

/** Throws commander's error unless the text is a list of `name=field`. */
export function fields(text: string): Partial<SplitFields> {
  const known = "episodes name turns cells files intent code before context".split(" ");
  const pairs = text.split(",").map((pair) => pair.split("="));
  if (!pairs.every(([name, field, ...more]) => known.includes(name!) && field && more.length === 0)) {
    throw new InvalidArgumentError(`Expected NAME=FIELD,... with names among ${known.join(", ")}, got \`${text}\`.`);
  }
  return Object.fromEntries(pairs) as Partial<SplitFields>;
}
