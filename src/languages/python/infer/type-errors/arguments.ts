/** Arguments of calls. */
import { isName, type Term, type TermOf } from "../../normalize/canonical/terms.ts";
import { type Counts, WALKED } from "./library.ts";
import { ANYTHING, itemOf, of, type Shape } from "./shapes.ts";
import type { State } from "./state.ts";
import { bind } from "./targets.ts";

/** The arguments as written in a call. */
export interface Given {
  readonly terms: readonly Term[];
  /** Shapes of the positional arguments; empty if any argument is unpacked. */
  readonly shapes: readonly Shape[];
  /** Whether no argument is unpacked, so that missing arguments can be detected. */
  readonly plain: boolean;
}

export function givenOf(terms: readonly Term[], state: State, callee: string | null): Given {
  const shapes: Shape[] = [];
  let plain = true;
  for (const [i, term] of terms.entries()) {
    if (term.kind === "star") {
      state.expect(state.shapeOf(term.items[0]), WALKED);
      plain = false;
    } else if (term.kind === "keyword") {
      const key = term.text === "key" && term.items[0].kind === "lambda" ? term.items[0] : null;
      if (key !== null && /^(?:sorted|max|min)$/.test(callee ?? "") && shapes.length === 1)
        applied(key, itemOf(shapes[0]!), state);
      else state.shapeOf(term.items[0]!);
    } else if (term.kind === "lambda" && i === 0 && /^(?:map|filter)$/.test(callee ?? "")) {
      shapes.push(of("function")); // applied later, when its argument is known
    } else shapes.push(state.shapeOf(term));
  }
  return { terms, shapes: plain ? shapes : [], plain };
}

/** The result of a lambda with one parameter, applied to an item. */
export function applied(lambda: TermOf<"lambda">, item: Shape, state: State): Shape {
  const [{ items: parameters }, body] = lambda.items;
  if (parameters.length !== 1 || !isName(parameters[0]) || state.variables === null) return ANYTHING;
  const before = state.variables;
  state.variables = new Map(before);
  bind(parameters[0], item, state);
  const shape = state.at("loop", () => state.shapeOf(body));
  state.variables = before;
  return shape;
}

/** Reports a failure if the function does not accept this number of arguments, or their names. */
export function counted({ terms, shapes, plain }: Given, counts: Counts | undefined, state: State): void {
  if (counts === undefined || !plain) return;
  const [least, most, names] = counts;
  const strange = terms.some(({ kind, text }) => kind === "keyword" && text !== "" && !names.includes(text));
  if (shapes.length < least || shapes.length > most || strange) state.fail("wrong number or names of arguments");
}
