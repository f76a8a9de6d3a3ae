/** A program's functions, and the analysis of one of them. */

import { meaningsOf } from "../../normalize/canonical/purity.ts";
import { forEach, some, type Term, type TermOf } from "../../normalize/canonical/terms.ts";
import { STANDARD_MODULES } from "../../syntax/library.ts";
import { nameOf } from "../returns/families.ts";
import { ANYTHING, join, NONE, NOTHING_YET, of, type Shape } from "./shapes.ts";
import { type Around, type Names, State } from "./state.ts";
import { nameOfDefinition, namesOf, run } from "./statements.ts";
import { shapeOf } from "./values.ts";

/** Functions by name. */
export type Functions = ReadonlyMap<string, TermOf<"function">>;

/** Ignores all demands and failures. */
export const SILENT = { demand: () => undefined, fail: () => undefined };
export const NO_NAMES: Names = { locals: new Set(), shared: new Set(), changed: new Set() };

/** Maximum depth of nested calls of the program's own functions that are followed. */
const DEEPEST = 2;

/** The top-level functions, which may call each other by name, and the methods of a judge's `class Solution`. */
export function functionsOf(program: Term): { top: Functions; methods: Functions } {
  const [top, methods] = [new Map<string, TermOf<"function">>(), new Map<string, TermOf<"function">>()];
  for (const item of program.items) {
    if (item.kind === "function") top.set(nameOfDefinition(item), item);
    else if (item.kind === "class" && item.text === "Solution") {
      for (const method of item.items[2].items)
        if (method.kind === "function") methods.set(nameOfDefinition(method), method);
    }
  }
  return { top, methods };
}

/**
 * Whether a program is not analysed: it reads standard input (then no test calls its functions), or its values are unknown
 * because it has classes, uses `exec`, `eval`, `globals` or `locals`, or imports modules outside the standard library.
 */
export const isOdd = (program: Term): boolean =>
  some(
    program,
    (part) =>
      part.text === "stdin" ||
      (part.kind === "name" && /^(?:input|exec|eval|globals|locals)$/.test(part.text)) ||
      (part.kind === "class" && part.text !== "Solution") ||
      (part.kind === "import" && !modulesOf(part).every((name) => STANDARD_MODULES.has(name))),
  );

const modulesOf = ({ text, items }: TermOf<"import">): string[] =>
  (text === "" ? items.map((item) => item.text) : [text]).map((name) => name.split(/[. ]/)[0]!);

/** The context of a program's functions. */
export function aroundOf(program: Term, functions: Functions, tell: Pick<Around, "demand" | "fail">): Around {
  const running: string[] = [];
  const gives = (name: string, given: readonly Shape[], from: State): Shape => {
    if (running.includes(name) || running.length >= DEEPEST) return ANYTHING;
    running.push(name);
    const inside: Around = { ...around, fail: ({ at, what }) => from.fail(what, at) };
    const shape = walk(functions.get(name)!, inside, given);
    running.pop();
    return shape;
  };
  const around: Around = {
    meanings: meaningsOf(program),
    aliases: aliasesIn(program),
    functions,
    evaluate: shapeOf,
    gives,
    ...tell,
  };
  return around;
}

function aliasesIn(program: Term): ReadonlySet<string> {
  const aliases = new Set<string>();
  forEach(program, ({ kind, items }) => {
    if (kind === "import") for (const { text } of items) if (text.includes(" ")) aliases.add(text.replace(/^.* /, ""));
  });
  return aliases;
}

/** The parameters that can be passed by position. */
export function positionalOf({ items: [, { items: parameters }] }: TermOf<"function">): readonly Term[] {
  const end = parameters.findIndex(({ kind, text }) => kind === "star" || (kind === "separator" && text === "*"));
  return parameters
    .slice(0, end < 0 ? parameters.length : end)
    .filter(({ kind, text }) => kind !== "separator" && !/^(?:self|cls)$/.test(text));
}

/** The result of a function for arguments of these shapes. Missing arguments may be anything. */
export function walk(definition: TermOf<"function">, around: Around, shapes: readonly Shape[]): Shape {
  const [decorators, { items: parameters }, body] = definition.items;
  const yields = some(body, ({ kind }) => kind === "yield");
  if (decorators.items.length > 0) return ANYTHING;
  const state = new State(around, namesOf(parameters, body));
  for (const parameter of parameters) state.set(nameOf(parameter).text, ANYTHING);
  for (const [i, parameter] of positionalOf(definition).entries()) {
    const shape = shapes[i];
    if (shape !== undefined) state.set(nameOf(parameter).text, shape);
  }
  run(body, state);
  if (yields || definition.text.startsWith("async")) return of("iterator");
  const ends = state.variables === null ? NOTHING_YET : NONE;
  const shape = [...state.returned, ends].reduce(join, NOTHING_YET);
  return shape.place === null ? shape : ANYTHING;
}
