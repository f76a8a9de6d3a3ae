/** Results of calls, and arguments that they do not accept. */
import { counted as countOf } from "../../../../util/counted.ts";
import { isName, type TermOf } from "../../normalize/canonical/terms.ts";
import { MATH_GIVES } from "../types.ts";
import { counted, type Given, givenOf } from "./arguments.ts";
import { builtin } from "./builtins.ts";
import { COUNTS, MATH_WALKS, NUMBERS, WHOLE } from "./library.ts";
import { methodCall } from "./methods.ts";
import { ofModule } from "./operators.ts";
import { ANYTHING, FLOAT, holding, NUMBER, of, type Shape, TEXT } from "./shapes.ts";
import type { State } from "./state.ts";
import { forget } from "./targets.ts";

export function called({ items: [callee, { items: terms }] }: TermOf<"call">, state: State): Shape {
  const [name, method] = [isName(callee) ? callee.text : null, callee.kind === "attribute" ? callee : null];
  if (name !== null && state.isModule(callee)) {
    const given = givenOf(terms, state, name);
    if (state.around.functions.has(name)) return ownCall(name, given, state);
    if (state.around.meanings.isBuiltin(name)) counted(given, COUNTS.get(name), state);
    return state.around.meanings.isBuiltin(name) || name === "Counter"
      ? builtin(name, given, state)
      : other(given, state);
  }
  if (method !== null && state.isModule(method.items[0])) {
    const given = givenOf(terms, state, null);
    return moduleCall(method.items[0].text, method.text, given, state);
  }
  if (method !== null) return methodCall(method, terms, state);
  const shape = state.shapeOf(callee);
  state.expect(shape, ["function"]);
  return other(givenOf(terms, state, null), state);
}

/** A call of an unknown function. It may change its arguments, so their contents are forgotten. */
function other({ terms }: Given, state: State): Shape {
  for (const term of terms) forget(term.kind === "keyword" ? term.items[0] : term, state);
  return ANYTHING;
}

function ownCall(name: string, given: Given, state: State): Shape {
  const [, { items: parameters }] = state.around.functions.get(name)!.items;
  const positional = parameters.filter(({ kind }) => kind === "name" || kind === "default");
  const named = given.terms.filter(({ kind }) => kind === "keyword").length;
  const count = given.shapes.length + named;
  const open = parameters.some(({ kind }) => kind === "star" || kind === "separator");
  if (
    given.plain &&
    !open &&
    (count > positional.length || count < parameters.filter(({ kind }) => kind === "name").length)
  )
    state.fail(`the function takes ${countOf(positional.length, "argument")}, got ${count}`);
  other(given, state);
  return state.around.gives(name, given.shapes, state);
}

function moduleCall(module: string, name: string, given: Given, state: State): Shape {
  const [first] = given.shapes;
  ofModule(module, name, state);
  if (module === "math") {
    const type = MATH_GIVES.get(name);
    if (type === undefined || MATH_WALKS.has(name)) return type === "float" ? FLOAT : ANYTHING;
    for (const shape of given.shapes) state.expect(shape, WHOLE.has(name) ? ["int"] : NUMBERS);
    return type === "number" ? NUMBER : of(type);
  }
  if (module === "copy" && first !== undefined) return first;
  if (module === "collections" && name === "Counter" && first !== undefined) return builtin("Counter", given, state);
  if (module === "re" && given.plain) {
    if (name === "findall" || name === "split") return holding("list", name === "split" ? TEXT : null);
    if (name === "sub" && given.shapes.length >= 3) {
      state.expect(given.shapes[2]!, ["text"]);
      return TEXT;
    }
    if (/^(?:search|match|fullmatch)$/.test(name) && given.shapes.length >= 2) state.expect(given.shapes[1]!, ["text"]);
  }
  if (/^(?:heapq|bisect|random)$/.test(module)) return other(given, state);
  return ANYTHING;
}
