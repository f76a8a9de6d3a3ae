/** Shapes of functions' arguments, from the example calls in a program's docstrings and comments. */

import type { ReadForms } from "../../normalize/canonical/index.ts";
import { isName, type Term } from "../../normalize/canonical/terms.ts";
import type { Program } from "../../syntax/parse.ts";
import { ANYTHING, join, NUMBER, type Shape } from "./shapes.ts";

/** Maximum number of characters of an example call. Longer ones are ignored. */
const LONGEST = 1000;
/** Maximum number of example calls per function. */
const MOST = 8;

/** For each function that the program defines, by name: the shapes of its arguments by position, over all example calls. */
export function exampleArguments(
  { nodes, code }: Program,
  forms: ReadForms,
  shapeOf: (term: Term) => Shape,
): ReadonlyMap<string, readonly Shape[]> {
  const names = nodes
    .filter(
      ({ type, field, parent }) => type === "identifier" && field === "name" && parent?.type === "function_definition",
    )
    .map(({ start, end }) => code.slice(start, end));
  const texts = nodes
    .filter(({ type }) => type === "string" || type === "comment")
    .map(({ start, end }) => code.slice(start, end));
  const found = new Map<string, readonly Shape[]>();
  for (const name of new Set(names)) {
    const calls = texts.flatMap((text) => callsIn(text, name)).slice(0, MOST);
    for (const call of calls) {
      const shapes = argumentsIn(forms(call).plain.terms, name)?.map(shapeOf).map(loosely);
      if (shapes === undefined) continue;
      const before = found.get(name);
      if (before === undefined) found.set(name, shapes);
      else if (before.length === shapes.length)
        found.set(
          name,
          shapes.map((shape, i) => join(before[i]!, shape)),
        );
      else found.set(name, []);
    }
  }
  return found;
}

/** The calls of a function in a text, each up to its closing bracket. */
function callsIn(text: string, name: string): string[] {
  const calls: string[] = [];
  for (let at = text.indexOf(`${name}(`); at >= 0; at = text.indexOf(`${name}(`, at + 1)) {
    if (/[\w.]$/.test(text.slice(0, at))) continue;
    let depth = 0;
    for (const { 0: token, index } of text.slice(at, at + LONGEST).matchAll(/"[^"\n]*"|'[^'\n]*'|[([{]|[)\]}]/g)) {
      if (/^[([{]/.test(token)) depth++;
      else if (/^[)\]}]/.test(token) && --depth === 0) {
        calls.push(text.slice(at, at + index + 1));
        break;
      }
    }
  }
  return calls;
}

/** The arguments of a call, if all are positional. */
function argumentsIn(program: Term | null, name: string): readonly Term[] | undefined {
  const [statement] = program?.items ?? [];
  const call = statement?.kind === "expression" ? statement.items[0] : undefined;
  if (call?.kind !== "call" || !isName(call.items[0], name)) return undefined;
  const { items } = call.items[1];
  return items.every(({ kind }) => kind !== "keyword" && kind !== "star") ? items : undefined;
}

/** Widens float to number: a function with 1.5 as an example accepts 1 as well. */
function loosely(shape: Shape): Shape {
  if (shape.types === null) return ANYTHING;
  const item = shape.item && loosely(shape.item);
  if (shape.types.has("float")) return join({ ...shape, item }, NUMBER);
  return { ...shape, item, value: shape.value && loosely(shape.value), parts: shape.parts?.map(loosely) ?? null };
}
