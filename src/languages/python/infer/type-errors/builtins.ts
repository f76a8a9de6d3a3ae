/** Results of built-in functions, and arguments that they do not accept. */
import { isName, type TermOf } from "../../normalize/canonical/terms.ts";
import { FUNCTION_GIVES, type ValueType } from "../types.ts";
import { applied, type Given } from "./arguments.ts";
import { HASHED, NUMBERS, TAKES, WALKED } from "./library.ts";
import { operation } from "./operators.ts";
import { ANYTHING, FLOAT, holding, INT, itemOf, join, NUMBER, of, type Shape, shown, TEXT, tupleOf } from "./shapes.ts";
import type { State } from "./state.ts";

export function builtin(name: string, { terms, shapes, plain }: Given, state: State): Shape {
  const [first, second] = shapes;
  if (!plain || first === undefined) return typeOf(name) ?? ANYTHING;
  const alone = shapes.length === 1;
  const takes = TAKES.get(name);
  if (takes !== undefined) state.expect(first, takes, `${name}(${shown(first)})`);
  const item = itemOf(first);
  switch (name) {
    case "range":
      for (const shape of shapes) state.expect(shape, ["int"]);
      return of("range");
    case "zip":
      for (const shape of shapes) state.expect(shape, WALKED);
      return holding("iterator", tupleOf(shapes.map(itemOf)));
    case "enumerate":
      return holding("iterator", tupleOf([INT, item]));
    case "list":
    case "sorted":
      return holding("list", item);
    case "tuple":
      return holding("tuple", item);
    case "set":
    case "frozenset":
      state.expect(item, HASHED);
      return holding("set", item);
    case "Counter":
      return first.types?.has("dict") === false ? holding("dict", item, INT) : of("dict");
    case "dict":
      return of("dict");
    case "iter":
    case "reversed":
      return holding("iterator", item);
    case "next":
      return alone ? item : ANYTHING;
    case "map":
    case "filter": {
      if (second === undefined) return ANYTHING;
      for (const shape of shapes.slice(1)) state.expect(shape, WALKED);
      const over = itemOf(second);
      const [by] = terms;
      const given =
        by!.kind === "lambda" && shapes.length === 2 ? applied(by as TermOf<"lambda">, over, state) : ANYTHING;
      if (name === "filter") return holding("iterator", over);
      const cast = isName(by) && state.isModule(by) && state.around.meanings.isBuiltin(by.text) ? by.text : null;
      if (cast !== null && shapes.length === 2 && TAKES.has(cast)) state.expect(over, TAKES.get(cast)!);
      return holding("iterator", cast === null ? given : (typeOf(cast) ?? ANYTHING));
    }
    case "sum":
      if (alone) state.expect(item, [...NUMBERS, "dict"]);
      if (!alone || item.types === null) return ANYTHING;
      return isAll(item, "int") ? INT : NUMBER;
    case "max":
    case "min":
      if (alone) {
        state.expect(first, WALKED);
        return item;
      }
      return terms.length === shapes.length ? ordered(shapes, state) : ANYTHING;
    case "abs":
      if (first.types === null) return ANYTHING;
      return isAll(first, "int") ? INT : NUMBER;
    case "round":
      return alone ? INT : isAll(first, "int") ? INT : FLOAT;
    case "divmod":
      return tupleOf([NUMBER, NUMBER]);
    case "pow":
      return alone ? ANYTHING : operation("**", first, second!, state);
    case "isinstance":
    case "type":
      return ANYTHING;
    default:
      return typeOf(name) ?? ANYTHING;
  }
}

const isAll = ({ types }: Shape, type: ValueType): boolean => types?.size === 1 && types.has(type);

/** The result of a built-in function, whatever its arguments. */
function typeOf(name: string): Shape | null {
  const type = FUNCTION_GIVES.get(name);
  if (type === undefined) return null;
  if (type === "number") return NUMBER;
  if (type === "int") return INT;
  if (type === "text") return TEXT;
  return /^(?:list|tuple|dict|set)$/.test(type) ? holding(type, null) : of(type);
}

function ordered(shapes: readonly Shape[], state: State): Shape {
  const isNumbers = (shape: Shape): boolean =>
    shape.types !== null && [...shape.types].every((type) => type === "int" || type === "float");
  if (shapes.some(isNumbers)) for (const shape of shapes) state.expect(shape, NUMBERS);
  return shapes.reduce(join);
}
