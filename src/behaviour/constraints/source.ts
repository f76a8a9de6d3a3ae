/** What the reference's code says of its arguments: names for the parts of rows (`for start, end in shifts`), and matrices. */
import { isMatrix, lengthOf } from "../../expand/index.ts";
import { areOrdered } from "../ordered-names.ts";
import type { Names } from "./names.ts";
import { at, type Constraint, type Part, partTerm } from "./parts.ts";

/** `for start, end in sorted(shifts)`, `for i, (start, end) in enumerate(shifts)` */
const UNPACKED =
  /\bfor (?:\w{1,30}, ?)?\(?([a-z_]\w{0,30}(?: ?, ?[a-z_]\w{0,30}){1,3})\)? in (?:(?:sorted|enumerate|list|reversed|set)\()?(\w{1,30})\b(?!\.)/g;

/** Aliases for the parts of rows, and constraints: rows of a matrix are of equal length; the parts of a row are in order if their names say so. */
export function readSource(names: Names): Constraint[] {
  const found: Constraint[] = names.names.flatMap((name, slot) =>
    isMatrix(name, names.source) ? rowsEqual(slot, names) : [],
  );
  for (const [, list, name] of names.source.matchAll(UNPACKED)) {
    const slot = names.names.indexOf(name!);
    const parts = list!.split(",").map((one) => one.trim());
    if (slot < 0 || !areRows(slot, parts.length, names)) continue;
    const part = (i: number): Part => ({ slot, path: ["*", i], of: "value" });
    for (const [i, one] of parts.entries()) names.alias(one, partTerm(part(i)));
    for (let i = 0; i + 1 < parts.length; i++) {
      const [a, b] = [parts[i]!, parts[i + 1]!];
      if (!areOrdered(a, b) || names.compares(a, b)) continue;
      found.push({ kind: "order", left: partTerm(part(i)), op: "<", right: partTerm(part(i + 1)) });
    }
  }
  return found;
}

/** That the rows of an argument have equal lengths; nothing if it has no rows. */
export function rowsEqual(slot: number, names: Names): Constraint[] {
  const rows = at(names.sample[slot], ["*"]);
  if (rows.length === 0 || rows.some(({ t }) => t !== "list" && t !== "tuple" && t !== "str")) return [];
  const length = (step: "*" | 0) => partTerm({ slot, path: [step], of: "length" });
  return [{ kind: "order", left: length(0), op: "==", right: length("*") }];
}

/** Whether an argument is a list of rows with so many parts. */
function areRows(slot: number, parts: number, names: Names): boolean {
  const rows = at(names.sample[slot], ["*"]);
  return rows.length > 0 && rows.every((row) => (row.t === "list" || row.t === "tuple") && lengthOf(row) === parts);
}
