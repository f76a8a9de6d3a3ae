/** Assignment to targets: names, parts of tuples, elements of lists and dicts. */
import { isName, type Term } from "../../normalize/canonical/terms.ts";
import { HASHED, WALKED } from "./library.ts";
import { ANYTHING, holding, itemOf, join, type Shape } from "./shapes.ts";
import type { State } from "./state.ts";

export function bind(target: Term, value: Shape, state: State): void {
  switch (target.kind) {
    case "name":
      state.set(target.text, value);
      return;
    case "tuple":
    case "list": {
      state.expect(value, WALKED);
      const plain = target.items.every(({ kind }) => kind !== "star");
      if (plain && value.parts !== null && value.parts.length !== target.items.length && value.types?.size === 1)
        state.fail(`${value.parts.length} values for ${target.items.length} names`);
      for (const [i, item] of target.items.entries()) {
        const part = plain && value.parts?.length === target.items.length ? value.parts[i]! : itemOf(value);
        if (item.kind === "star") bind(item.items[0], holding("list", itemOf(value)), state);
        else bind(item, part, state);
      }
      return;
    }
    case "subscript":
      put(target.items[0], target.items.slice(1), value, state);
      return;
    default:
      for (const item of target.items) state.shapeOf(item);
  }
}

/** `object[index] = value`. */
function put(object: Term, indices: readonly Term[], value: Shape, state: State): void {
  const shape = state.shapeOf(object);
  const [index] = indices;
  const at = indices.length === 1 && index!.kind !== "slice" ? state.shapeOf(index!) : ANYTHING;
  state.expect(shape, ["list", "dict"]);
  const only = shape.types?.size === 1 ? shape.types : null;
  if (only?.has("list")) {
    if (index!.kind !== "slice") state.expect(at, ["int"]);
    widen(
      object,
      { ...shape, item: index!.kind === "slice" || shape.item === null ? null : join(shape.item, value), parts: null },
      state,
    );
  } else if (only?.has("dict")) {
    state.expect(at, HASHED);
    const whole = holding("dict", shape.item && join(shape.item, at), shape.value && join(shape.value, value));
    widen(object, whole, state);
  } else widen(object, ANYTHING, state);
}

/** Updates the shape of a container that was changed, and of variables that may contain it. */
export function widen(object: Term, shape: Shape, state: State): void {
  const name = isName(object) ? object.text : null;
  if (name !== null) {
    if (state.get(name) !== undefined && shape.types !== null) state.set(name, shape);
    forgetWithin(name, state);
    return;
  }
  let root: Term = object;
  while (/^(?:subscript|attribute)$/.test(root.kind)) root = root.items[0]!;
  if (!isName(root)) return;
  const known = state.get(root.text);
  // The depth is not tracked, so only the types of the items stay known.
  if (known !== undefined && known.types !== null)
    state.set(root.text, { ...known, item: loose(known.item), value: loose(known.value), parts: null });
}

/** Other variables may contain the changed value. This is not tracked, so only the types of their items stay known. */
function forgetWithin(name: string, state: State): void {
  for (const [other, known] of state.variables ?? []) {
    if (other === name || known.types === null || !(known.item?.item || known.value?.item)) continue;
    state.set(other, { ...known, item: loose(known.item), value: loose(known.value), parts: null });
  }
}

const loose = (shape: Shape | null): Shape | null => shape && { ...shape, item: null, value: null, parts: null };

/** Forgets the contents of a variable whose value gets a second name, because they may change through it. */
export function forget(term: Term, state: State): void {
  const known = isName(term) ? state.get(term.text) : undefined;
  if (isName(term) && known !== undefined) state.set(term.text, loose(known)!);
}
