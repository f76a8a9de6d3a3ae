/** Infers the types of an expression's value, and whether its evaluation must fail. */
import type { Term, TermOf } from "../../normalize/canonical/terms.ts";
import { called } from "./calls.ts";
import { comprehended } from "./comprehensions.ts";
import { guarded } from "./conditions.ts";
import { HASHED, INDEXED, NUMBERS } from "./library.ts";
import { compared, hasAttribute, ofModule, operation, walked } from "./operators.ts";
import {
  ANYTHING,
  FLOAT,
  holding,
  INT,
  itemOf,
  join,
  NONE,
  NOTHING_YET,
  NUMBER,
  of,
  type Shape,
  something,
  TEXT,
  tupleOf,
} from "./shapes.ts";
import type { State } from "./state.ts";
import { bind } from "./targets.ts";

export function shapeOf(term: Term, state: State): Shape {
  const value = (part: Term): Shape => shapeOf(part, state);
  switch (term.kind) {
    case "nothing":
      return NONE;
    case "literal":
      return literalOf(term.text);
    case "fstring":
      term.items.forEach(value);
      return TEXT;
    case "name":
      return variable(term.text, state);
    case "operation":
      return operation(term.text, value(term.items[0]), value(term.items[1]), state);
    case "unary": {
      const operand = value(term.items[0]);
      state.expect(operand, term.text === "~" ? ["int"] : [...NUMBERS, "dict"]);
      if (operand.types === null) return ANYTHING;
      return [...operand.types].every((type) => type === "int") ? INT : NUMBER;
    }
    case "not":
      value(term.items[0]);
      return INT;
    case "logic":
      return either(term.items, state);
    case "compare":
      return compared(term.text.split(","), term.items.map(value), state);
    case "conditional": {
      const [yes, condition, no] = term.items;
      value(condition);
      return join(
        guarded(condition, state, () => value(yes)),
        guarded(condition, state, () => value(no)),
      );
    }
    case "lambda":
      return of("function");
    case "call":
      return called(term, state);
    case "attribute": {
      const [object] = term.items;
      if (state.isModule(object)) return ofModule(object.text, term.text, state);
      const shape = value(object);
      hasAttribute(shape, term.text, state);
      return ANYTHING;
    }
    case "subscript":
      return subscripted(term, state);
    case "slice":
      for (const item of term.items) state.expect(value(item), ["None", "int"]);
      return ANYTHING;
    case "tuple":
      return term.items.some(({ kind }) => kind === "star")
        ? seen(term.items, state, of("tuple"))
        : tupleOf(term.items.map(value));
    case "list":
    case "set": {
      const items = term.items.map((item) =>
        item.kind === "star" ? itemOf(walked(value(item.items[0]), state)) : value(item),
      );
      if (term.kind === "set") for (const item of items) state.expect(item, HASHED);
      return holding(term.kind, items.reduce(join, NOTHING_YET));
    }
    case "dict": {
      let [keys, values] = [NOTHING_YET, NOTHING_YET];
      for (const item of term.items) {
        const [key, given] = item.kind === "pair" ? item.items.map(value) : [ANYTHING, ANYTHING];
        if (item.kind !== "pair") item.items.forEach(value);
        state.expect(key!, HASHED);
        [keys, values] = [join(keys, key!), join(values, given!)];
      }
      return holding("dict", keys, values);
    }
    case "comprehension":
      return comprehended(term, state);
    case "walrus": {
      const given = value(term.items[1]);
      bind(term.items[0], given, state);
      return given;
    }
    default:
      return seen(term.items, state, ANYTHING);
  }
}

function seen(items: readonly Term[], state: State, shape: Shape): Shape {
  for (const item of items) shapeOf(item, state);
  return shape;
}

function literalOf(text: string): Shape {
  if (text === "None") return NONE;
  if (text === "True" || text === "False") return INT;
  if (/^[ru]?['"]/i.test(text)) return TEXT;
  if (!/^\d|^\.\d/.test(text) || /j$/i.test(text)) return ANYTHING;
  return /^0[xob]/i.test(text) || !/[.e]/i.test(text) ? INT : FLOAT;
}

/** The shape of a variable, or of a function with that name. Reading a local variable without a value fails. */
function variable(name: string, state: State): Shape {
  const known = state.get(name);
  if (known !== undefined) return known;
  if (state.names.locals.has(name) && !state.names.changed.has(name)) {
    state.fail("a variable is read before it is assigned");
    return ANYTHING;
  }
  return state.around.functions.has(name) ? of("function") : ANYTHING;
}

function either([first, ...others]: readonly Term[], state: State): Shape {
  let shape = something(shapeOf(first!, state));
  for (const other of others)
    shape = join(
      shape,
      guarded(first!, state, () => shapeOf(other, state)),
    );
  return shape;
}

function subscripted({ items: [object, ...indices] }: TermOf<"subscript">, state: State): Shape {
  if (state.isModule(object)) return seen(indices, state, ANYTHING); // a type, as in an annotation
  const shape = shapeOf(object, state);
  const index = indices.length === 1 ? indices[0]! : null;
  if (index?.kind === "slice") {
    shapeOf(index, state);
    state.expect(shape, ["text", "list", "tuple", "range"]);
    return shape.parts === null ? shape : { ...shape, parts: null };
  }
  state.expect(shape, INDEXED);
  if (index === null) return seen(indices, state, ANYTHING);
  return indexed(shape, index, state);
}

function indexed(shape: Shape, index: Term, state: State): Shape {
  const at = shapeOf(index, state);
  const { types } = shape;
  if (types === null) {
    const isNumber = at.types !== null && at.types.size === 1 && at.types.has("int");
    return isNumber ? itemOf(shape) : ANYTHING;
  }
  if (types.has("dict")) {
    if (types.size > 1) return ANYTHING;
    state.expect(at, HASHED);
    return shape.value ?? ANYTHING;
  }
  const sequence = [...types].some((type) => /^(?:text|list|tuple|range)$/.test(type));
  if (sequence && [...types].every((type) => /^(?:text|list|tuple|range|None)$/.test(type))) state.expect(at, ["int"]);
  if (shape.parts !== null && index.kind === "literal") return shape.parts[Number(index.text)] ?? itemOf(shape);
  return itemOf(shape);
}
