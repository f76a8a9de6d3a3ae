/** Shapes of functions' arguments, from the example calls in a program's docstrings and comments. */

import type { ReadForms } from "../../normalize/canonical/index.ts";
import { isName, type Term } from "../../normalize/canonical/terms.ts";
import type { Program } from "../../syntax/parse.ts";
import { ANYTHING, join, NUMBER, type Shape } from "./shapes.ts";

/** Maximum number of characters of an example call. Longer ones are ignored. */
const LONGEST = 1000;
/** Maximum number of example calls per function. */
const MOST = 8;
/** Maximum number of places in a program at which the end of a call is searched. */
const MOST_PLACES = 5000;

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
  for (const [name, calls] of callsIn(texts, names)) {
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

/** The first calls of each function in the texts. Takes time linear in their length. */
function callsIn(texts: readonly string[], names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const calls = new Map(names.map((name): [string, string[]] => [name, []]));
  let places = 0;
  for (const text of texts) {
    for (const { 0: word, index } of text.matchAll(/[\p{ID_Continue}.]+/gu)) {
      const found = text[index + word.length] === "(" ? calls.get(word) : undefined;
      if (found === undefined || found.length === MOST) continue;
      if (++places > MOST_PLACES) return calls;
      const call = callAt(text.slice(index, index + LONGEST));
      if (call !== null) found.push(call);
    }
  }
  return calls;
}

/** The call at the start of a text, up to its closing bracket. Null if the bracket is not closed. */
function callAt(text: string): string | null {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"[^"\n]*"|'[^'\n]*'|[([{]|[)\]}]/g)) {
    if (/^[([{]/.test(token)) depth++;
    else if (/^[)\]}]/.test(token) && --depth === 0) return text.slice(0, index + 1);
  }
  return null;
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
