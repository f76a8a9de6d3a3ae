/** What calls give, and what they cannot take. */
import { isName, type Term, type TermOf } from "../canonical/terms.ts";
import { builtin } from "./builtins.ts";
import { COUNTS, type Counts, MATH, NUMBERS, WALKED, WHOLE } from "./library.ts";
import { methodCall } from "./methods.ts";
import { ofModule } from "./operators.ts";
import { ANYTHING, holding, itemOf, of, type Shape, TEXT } from "./shapes.ts";
import type { State } from "./state.ts";
import { bind, forget } from "./targets.ts";
import { isModule, shapeOf } from "./values.ts";

/** Arguments as they are given. */
export interface Given {
  readonly terms: readonly Term[];
  /** Of those by position; empty where there are any that are unpacked. */
  readonly shapes: readonly Shape[];
  /** Whether these are all, so that it may be counted on what is missing. */
  readonly plain: boolean;
}

export function called({ items: [callee, { items: terms }] }: TermOf<"call">, state: State): Shape {
  const [name, method] = [isName(callee) ? callee.text : null, callee.kind === "attribute" ? callee : null];
  if (name !== null && isModule(callee, state)) {
    const given = givenOf(terms, state, name);
    if (state.around.functions.has(name)) return ownCall(name, given, state);
    if (state.around.meanings.isBuiltin(name)) counted(given, COUNTS.get(name), state);
    return state.around.meanings.isBuiltin(name) || name === "Counter"
      ? builtin(name, given, state)
      : other(given, state);
  }
  if (method !== null && isModule(method.items[0], state)) {
    const given = givenOf(terms, state, null);
    return moduleCall(method.items[0].text, method.text, given, state);
  }
  if (method !== null) return methodCall(method, terms, state);
  const shape = shapeOf(callee, state);
  state.expect(shape, ["function"]);
  return other(givenOf(terms, state, null), state);
}

export function givenOf(terms: readonly Term[], state: State, callee: string | null): Given {
  const shapes: Shape[] = [];
  let plain = true;
  for (const [i, term] of terms.entries()) {
    if (term.kind === "star") {
      state.expect(shapeOf(term.items[0], state), WALKED);
      plain = false;
    } else if (term.kind === "keyword") {
      const key = term.text === "key" && term.items[0].kind === "lambda" ? term.items[0] : null;
      if (key !== null && /^(?:sorted|max|min)$/.test(callee ?? "") && shapes.length === 1)
        applied(key, itemOf(shapes[0]!), state);
      else shapeOf(term.items[0]!, state);
    } else if (term.kind === "lambda" && i === 0 && /^(?:map|filter)$/.test(callee ?? "")) {
      shapes.push(of("function")); // applied when it is known to what
    } else shapes.push(shapeOf(term, state));
  }
  return { terms, shapes: plain ? shapes : [], plain };
}

/** A lambda of one argument, given each item. */
export function applied(lambda: TermOf<"lambda">, item: Shape, state: State): Shape {
  const [{ items: parameters }, body] = lambda.items;
  if (parameters.length !== 1 || !isName(parameters[0]) || state.variables === null) return ANYTHING;
  const before = state.variables;
  state.variables = new Map(before);
  bind(parameters[0], item, state);
  const shape = state.at("loop", () => shapeOf(body, state));
  state.variables = before;
  return shape;
}

/** What it is given may be changed by who is called. */
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
    state.fail(`${count} given for ${positional.length} arguments`);
  other(given, state);
  return state.around.gives(name, given.shapes, state);
}

/** Whether as many arguments are given, and under such names, as a function takes. */
export function counted({ terms, shapes, plain }: Given, counts: Counts | undefined, state: State): void {
  if (counts === undefined || !plain) return;
  const [least, most, names] = counts;
  const strange = terms.some(({ kind, text }) => kind === "keyword" && text !== "" && !names.includes(text));
  if (shapes.length < least || shapes.length > most || strange)
    state.fail("arguments that it does not take, by number or name");
}

function moduleCall(module: string, name: string, given: Given, state: State): Shape {
  const [first] = given.shapes;
  ofModule(module, name, state);
  if (module === "math") {
    const sort = MATH.get(name);
    if (sort !== undefined) for (const shape of given.shapes) state.expect(shape, WHOLE.has(name) ? ["int"] : NUMBERS);
    return sort === undefined ? ANYTHING : of(sort);
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
