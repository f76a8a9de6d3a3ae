/** Results of the methods of built-in values, and arguments that they do not accept. */
import type { Term, TermOf } from "../../normalize/canonical/terms.ts";
import { applied, counted, type Given, givenOf } from "./arguments.ts";
import { ATTRIBUTES, HASHED, METHOD_COUNTS, TEXT_ARGUMENTS, TEXT_GIVES, WALKED } from "./library.ts";
import { hasAttribute } from "./operators.ts";
import { ANYTHING, holding, INT, itemOf, join, NONE, of, type Shape, TEXT, tupleOf } from "./shapes.ts";
import type { State } from "./state.ts";
import { widen } from "./targets.ts";

export function methodCall(method: TermOf<"attribute">, terms: readonly Term[], state: State): Shape {
  const [object] = method.items;
  const name = method.text;
  const shape = state.shapeOf(object);
  const key = name === "sort" ? terms.find(({ kind, text }) => kind === "keyword" && text === "key") : undefined;
  if (key?.items[0]?.kind === "lambda") applied(key.items[0], itemOf(shape), state);
  const given = givenOf(key === undefined ? terms : terms.filter((term) => term !== key), state, null);
  const isKnown = shape.types?.size === 1 && !shape.types.has("function");
  if (isKnown) counted(given, METHOD_COUNTS.get(name), state);
  hasAttribute(shape, name, state);
  const { types } = shape;
  if (types === null || types.size !== 1) {
    const several = types === null ? shape.place === null : true;
    if (several && /^(?:append|extend|add|insert|update|setdefault)$/.test(name)) return ANYTHING;
    return TEXT_GIVES.get(name) === "text" && types === null && shape.place !== null ? TEXT : ANYTHING;
  }
  const [type] = types;
  const [first, second] = given.shapes;
  if (!ATTRIBUTES.get(type!)?.has(name)) return ANYTHING;
  switch (type) {
    case "text":
      return textMethod(name, given, state);
    case "list":
      return listMethod(object, shape, name, first, second, state);
    case "dict":
      return dictMethod(object, shape, name, given, state);
    case "set":
      if (name === "add" && first !== undefined) {
        state.expect(first, HASHED);
        widen(object, holding("set", shape.item && join(shape.item, first)), state);
        return NONE;
      }
      if (name === "pop") return itemOf(shape);
      if (/update$/.test(name)) {
        widen(object, of("set"), state);
        return NONE;
      }
      return /^(?:copy|difference|intersection|union|symmetric_difference)$/.test(name)
        ? of("set")
        : /^is/.test(name)
          ? INT
          : NONE;
    default:
      return ANYTHING;
  }
}

function textMethod(name: string, { shapes }: Given, state: State): Shape {
  for (const shape of shapes.slice(0, TEXT_ARGUMENTS.get(name) ?? 0)) {
    state.expect(shape, /strip|split/.test(name) ? ["text", "None"] : ["text"]);
  }
  const [first] = shapes;
  if (name === "join" && first !== undefined) {
    state.expect(first, WALKED);
    state.expect(itemOf(first), ["text"]);
  }
  if (/^(?:starts|ends)with$/.test(name) && first !== undefined) state.expect(first, ["text", "tuple"]);
  if (/^(?:r?split|splitlines)$/.test(name)) return holding("list", TEXT);
  const type = TEXT_GIVES.get(name);
  return type === undefined ? ANYTHING : type === "text" ? TEXT : INT;
}

function listMethod(
  object: Term,
  shape: Shape,
  name: string,
  first: Shape | undefined,
  second: Shape | undefined,
  state: State,
): Shape {
  const more = (item: Shape | undefined): Shape => {
    widen(object, holding("list", shape.item && join(shape.item, item ?? ANYTHING)), state);
    return NONE;
  };
  switch (name) {
    case "append":
      return more(first);
    case "insert":
      if (first !== undefined) state.expect(first, ["int"]);
      return more(second);
    case "extend":
      if (first !== undefined) state.expect(first, WALKED);
      return more(first && itemOf(first));
    case "pop":
      if (first !== undefined) state.expect(first, ["int"]);
      return itemOf(shape);
    case "copy":
      return shape;
    case "count":
    case "index":
      return INT;
    default:
      return NONE;
  }
}

function dictMethod(object: Term, shape: Shape, name: string, { shapes, terms }: Given, state: State): Shape {
  const [first, second] = shapes;
  const [key, value] = [shape.item ?? ANYTHING, shape.value ?? ANYTHING];
  switch (name) {
    case "keys":
      return holding("view", key);
    case "values":
      return holding("view", value);
    case "items":
      return holding("view", tupleOf([key, value]));
    case "get":
      if (first !== undefined) state.expect(first, HASHED);
      return join(value, terms.length > 1 ? (second ?? ANYTHING) : NONE);
    case "copy":
      return shape;
    case "most_common":
      return holding("list", tupleOf([key, value]));
    case "popitem":
      return tupleOf([key, value]);
    case "pop":
      return terms.length > 1 ? ANYTHING : value;
    case "update":
    case "setdefault":
      widen(object, of("dict"), state);
      return ANYTHING;
    default:
      return ANYTHING;
  }
}
