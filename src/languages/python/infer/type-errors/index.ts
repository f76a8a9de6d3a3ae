/**
 * Finds operations in a function that must fail for all arguments of the right types: adding numbers to texts, iterating over
 * numbers, calling lists, passing too few arguments. Python reports these as TypeError, AttributeError, UnboundLocalError or
 * ValueError.
 */
import { isName, some, type Term, unlessTooDeep } from "../../normalize/canonical/terms.ts";
import { aroundOf, functionsOf, isOdd, NO_NAMES, SILENT, walk } from "./program.ts";
import { State, type StaticTypeError } from "./state.ts";
import { run } from "./statements.ts";
import type { Wanted } from "./wanted.ts";

/**
 * The places where something must fail, in the function that tests call and in what it calls. Other functions have level
 * `branch`, because it is unknown whether tests call them. Empty if the program reads standard input, has classes or no terms,
 * or is nested too deep for the stack.
 */
export function typeErrorsOf(program: Term | null, wanted: Wanted): readonly StaticTypeError[] {
  return program === null ? [] : unlessTooDeep(() => readConflicts(program, wanted), []);
}

function readConflicts(program: Term, { shapes, entry }: Wanted): readonly StaticTypeError[] {
  if (isOdd(program)) return [];
  const { top, methods } = functionsOf(program);
  const found: StaticTypeError[] = [];
  const around = aroundOf(program, top, { ...SILENT, fail: (typeError) => found.push(typeError) });
  for (const [name, definition] of [...top, ...methods]) {
    const surely =
      name === entry
        ? around
        : { ...around, fail: (typeError: StaticTypeError) => found.push({ ...typeError, level: "branch" }) };
    walk(definition, surely, shapes.get(name) ?? []);
  }
  const module = new State(around, NO_NAMES);
  for (const item of program.items) {
    if (!/^(?:function|class)$/.test(item.kind) && !some(item, (part) => isName(part, "__name__"))) run(item, module);
  }
  return found;
}
