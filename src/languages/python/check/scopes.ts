/** The scopes of Python: functions, lambdas and classes. */
import type { Node } from "../syntax/walk.ts";

const SCOPE = /^(?:function_definition|class_definition|lambda)$/;

/** The function, lambda or class in whose body a node is. Decorators, defaults and base classes are evaluated outside. */
export function scopeAround(node: Node): Node | null {
  for (let [at, child] = [node.parent, node]; at !== null; [at, child] = [at.parent, at]) {
    if (child.field === "body" && SCOPE.test(at.type)) return at;
  }
  return null;
}
