/** Results of operators, and operands for which they fail. */
import { WILDCARDS } from "../../syntax/library.ts";
import type { ValueType } from "../types.ts";
import {
  ATTRIBUTES,
  CLOSED_MODULES,
  GONE,
  HASHED,
  isOrdered,
  LATER,
  operated,
  type ValueTypes,
  WALKED,
} from "./library.ts";
import { ANYTHING, holding, INT, itemOf, join, NOTHING_YET, of, type Shape, shown } from "./shapes.ts";
import type { State } from "./state.ts";

const SORTS = [...ATTRIBUTES.keys(), "function"] as ValueTypes;

export function operation(operator: string, left: Shape, right: Shape, state: State): Shape {
  if (left.types === null || right.types === null) {
    if (right.types !== null)
      demandOperand(left, right.types, (ours, theirs) => operated(operator, ours, theirs), state);
    if (left.types !== null)
      demandOperand(right, left.types, (ours, theirs) => operated(operator, theirs, ours), state);
    return ANYTHING;
  }
  const results = [...left.types].flatMap((ours) =>
    [...right.types!].map((theirs) => operated(operator, ours, theirs)),
  );
  const good = results.flatMap((result) => result ?? []);
  if (results.length > 0 && results.every((result) => result === null)) {
    state.fail(`${shown(left)} ${operator} ${shown(right)}`);
    return NOTHING_YET;
  }
  if (good.length === 0) return results.length === 0 ? NOTHING_YET : ANYTHING;
  const types = new Set(good);
  if (types.size === 1 && types.has("list")) {
    return holding(
      "list",
      join(left.types.has("list") ? itemOf(left) : NOTHING_YET, right.types.has("list") ? itemOf(right) : NOTHING_YET),
    );
  }
  return types.size === 1 && types.has("set") ? holding("set", itemOf(left)) : of(...types);
}

/** Records which types one operand can have, given those of the other. */
function demandOperand(
  operand: Shape,
  other: ReadonlySet<ValueType>,
  result: (ours: ValueType, theirs: ValueType) => readonly ValueType[] | null,
  state: State,
): void {
  if (operand.place === null || other.size === 0) return;
  const allowed = SORTS.filter((ours) => [...other].some((theirs) => result(ours, theirs) !== null));
  if (allowed.length > 0) state.expect(operand, allowed);
}

/** A chain of comparisons, with one operator between each two operands. */
export function compared(operators: readonly string[], shapes: readonly Shape[], state: State): Shape {
  for (const [i, operator] of operators.entries()) {
    const [left, right] = [shapes[i]!, shapes[i + 1]!];
    if (/^(?:<|>)=?$/.test(operator)) {
      if (left.types !== null && right.types !== null) {
        const [ours, theirs] = [[...left.types], [...right.types]];
        if (ours.length > 0 && theirs.length > 0 && !ours.some((a) => theirs.some((b) => isOrdered(a, b))))
          state.fail(`${shown(left)} ${operator} ${shown(right)}`);
      } else {
        const order = (a: ValueType, b: ValueType): ValueTypes | null => (isOrdered(a, b) ? [] : null);
        if (right.types !== null) demandOperand(left, right.types, order, state);
        if (left.types !== null) demandOperand(right, left.types, order, state);
      }
    } else if (/in$/.test(operator)) {
      state.expect(right, WALKED);
      if (right.types?.size === 1 && right.types.has("text")) state.expect(left, ["text"]);
      if (right.types?.size === 1 && (right.types.has("set") || right.types.has("dict"))) state.expect(left, HASHED);
    }
  }
  return INT;
}

/** Looks a name up in a module. Reports a failure if the module lacks it. */
export function ofModule(module: string, name: string, state: State): Shape {
  const isKnown = CLOSED_MODULES.test(module) && !LATER.test(name) && !name.startsWith("_");
  if (isKnown && !WILDCARDS.get(module)!.has(name)) state.fail(`${module} has no ${name}`);
  return ANYTHING;
}

/** Reports a failure if the value has no such attribute. */
export function hasAttribute(shape: Shape, name: string, state: State): void {
  if (name.startsWith("_")) return;
  if (shape.types === null && GONE.test(name)) state.fail(`.${name} does not exist in Python 3`);
  const having = [...ATTRIBUTES].flatMap(([type, names]) => (names.has(name) ? [type] : []));
  // A function can have any attribute.
  if (shape.types !== null) state.expect(shape, [...having, "function"], `${shown(shape)} has no .${name}`);
  else state.expect(shape, having);
}

/** Requires a value to be iterable, and returns it. */
export function walked(shape: Shape, state: State): Shape {
  state.expect(shape, WALKED);
  return shape;
}
