/** Shapes of comprehensions. */
import type { TermOf } from "../../normalize/canonical/terms.ts";
import type { ValueType } from "../types.ts";
import { narrow } from "./conditions.ts";
import { HASHED } from "./library.ts";
import { walked } from "./operators.ts";
import { ANYTHING, holding, itemOf, type Shape } from "./shapes.ts";
import type { State } from "./state.ts";
import { bind } from "./targets.ts";

export function comprehended({ text, items: [item, ...clauses] }: TermOf<"comprehension">, state: State): Shape {
  const before = state.variables;
  if (before !== null) state.variables = new Map(before);
  let shape = ANYTHING;
  const from = (i: number): void => {
    const clause = clauses[i];
    if (clause === undefined) {
      if (item.kind === "pair") {
        const [key, value] = item.items.map((part) => state.shapeOf(part));
        state.expect(key!, HASHED);
        shape = holding("dict", key!, value!);
      } else {
        const value = state.shapeOf(item);
        if (text === "set") state.expect(value, HASHED);
        shape = holding(text === "generator" ? "iterator" : (text as ValueType), value);
      }
    } else if (clause.kind === "forin") {
      const over = itemOf(walked(state.shapeOf(clause.items[1]), state));
      state.at("loop", () => {
        bind(clause.items[0], over, state);
        from(i + 1);
      });
    } else {
      state.shapeOf(clause.items[0]!);
      narrow(clause.items[0]!, state, false);
      state.at("branch", () => from(i + 1));
    }
  };
  from(0);
  state.variables = before;
  return shape;
}
