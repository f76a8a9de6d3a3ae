/** Targets of assignments, `del` and `with` that Python refuses, and expressions in places of statements. */
import { field, type Node, parts } from "../syntax/walk.ts";
import type { Refusal } from "./refusal.ts";

const SEVERAL = new Set(["pattern_list", "tuple_pattern", "list_pattern"]);
const NO_TARGET = new Set([
  ...["call", "integer", "float", "string", "concatenated_string", "true", "false", "none", "ellipsis", "lambda"],
  ...["binary_operator", "unary_operator", "boolean_operator", "not_operator", "comparison_operator"],
  ...["conditional_expression", "dictionary", "set", "list_comprehension", "generator_expression"],
]);

/** Whether a target is several. Parentheses around a single one are none. */
const isSeveral = (node: Node | undefined): boolean =>
  node !== undefined &&
  SEVERAL.has(node.type) &&
  (node.type === "list_pattern" || node.children.some(({ type }) => type === ","));

export function refusedTarget(node: Node): string | Refusal | null {
  const { type } = node;
  if (type === "assignment") return refusedAssignment(node);
  if (type === "augmented_assignment") {
    return isSeveral(field(node, "left")) ? "several targets of one operator" : null;
  }
  if (SEVERAL.has(type)) {
    const stars = node.children.filter((child) => child.type === "list_splat_pattern");
    return stars.length > 1 ? "two targets with `*`" : null;
  }
  if (type === "delete_statement" || (type === "as_pattern_target" && isOfWith(node))) {
    const wrong = targets(node).find((target) => NO_TARGET.has(target.type));
    const what = type === "delete_statement" ? "deleted" : "assigned to";
    return wrong === undefined ? null : { at: wrong.start, why: `this cannot be ${what}` };
  }
  if (type === "expression_statement" && node.children.length === 1) {
    const only = node.children[0]!.type;
    if (only === "named_expression") return "`:=` needs parentheses";
    if (only === "list_splat") return "`*` outside of a list or tuple";
  }
  return null;
}

function refusedAssignment(node: Node): string | null {
  const [left, right, annotation] = ["left", "right", "type"].map((name) => field(node, name));
  if (left?.type === "list_splat_pattern" || right?.type === "list_splat") return "`*` outside of a list or tuple";
  return annotation !== undefined && isSeveral(left) ? "several targets have one annotation" : null;
}

const isOfWith = ({ parent }: Node): boolean => parent?.parent?.type === "with_item";

/** The targets in lists, tuples and parentheses. Not recursive, because programs may nest deeply. */
function targets(node: Node): Node[] {
  const [found, left] = [[] as Node[], parts(node)];
  for (let one = left.shift(); one !== undefined; one = left.shift()) {
    if (/^(?:expression_list|tuple|list|parenthesized_expression)$/.test(one.type)) left.unshift(...parts(one));
    else found.push(one);
  }
  return found;
}
