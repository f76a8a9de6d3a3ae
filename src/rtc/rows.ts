/** What the readers of round trips' files share. */
import { CodescoreError } from "../errors.ts";
import type { JsonLine } from "../util/jsonl.ts";

/** The first of the named fields that is there, as text: ids are strings in some files and numbers in others. */
export function idOf({ value, where }: JsonLine, names: readonly string[]): string | null {
  for (const name of names) {
    const id = value[name];
    if (id === undefined || id === null) continue;
    if (typeof id === "string" || typeof id === "number") return String(id);
    throw new CodescoreError("input", `${where}: expected \`${name}\` to be a string or a number, got ${typeof id}`);
  }
  return null;
}
