/** What a condition tells about the names in it. */
import { isName, type Term } from "../../normalize/canonical/terms.ts";
import { ANYTHING, something } from "./shapes.ts";
import type { State } from "./state.ts";

/** Evaluates code that depends on a condition, in either branch. Names in the condition are assumed to pass the program's own check. */
export function guarded<T>(condition: Term, state: State, walk: () => T): T {
  const before = state.variables;
  if (before !== null) {
    state.variables = new Map(before);
    narrow(condition, state, false);
  }
  const result = state.at("branch", walk);
  state.variables = before;
  return result;
}

/** Narrows the names in a condition: a name tested for truth or compared is not `None`; one whose type is tested may be anything. */
export function narrow(condition: Term, state: State, asked: boolean): void {
  if (isName(condition)) {
    const known = state.get(condition.text);
    if (known !== undefined) state.set(condition.text, asked ? ANYTHING : something(known));
    return;
  }
  const asks =
    condition.kind === "call" &&
    isName(condition.items[0]) &&
    /^(?:isinstance|type|hasattr|callable|issubclass)$/.test(condition.items[0].text);
  const part = condition.kind === "subscript" ? condition.items[0] : null;
  if (part !== null) narrow(part, state, true);
  else for (const item of condition.items) narrow(item, state, asked || asks);
}
