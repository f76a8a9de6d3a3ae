/**
 * What must fail in a function, whatever arguments of the right types it is given: it adds numbers to texts, walks over numbers, calls
 * lists, gives a function too few arguments. Python says so with TypeError, AttributeError, UnboundLocalError or ValueError.
 */
import { isName, some, type Term, unlessTooDeep } from "../../normalize/canonical/terms.ts";
import { aroundOf, functionsOf, isOdd, NO_NAMES, SILENT, walk } from "./program.ts";
import { State, type StaticTypeError } from "./state.ts";
import { run } from "./statements.ts";
import type { Wanted } from "./wanted.ts";

/**
 * Where something must fail, of the function that tests call and what it calls; of others, where there is no telling which tests call,
 * as in a branch. Nothing of a program that reads standard input, has classes or no terms, or is nested too deep for our stack.
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
