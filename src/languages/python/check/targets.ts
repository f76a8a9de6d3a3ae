/** Targets of assignments, `del` and `with` that Python refuses, and expressions in places of statements. */
import { field, type Node, parts } from "../syntax/walk.ts";
import type { Check, Refusal } from "./refusal.ts";

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

const oneStar: Check = ({ children }) =>
  children.filter(({ type }) => type === "list_splat_pattern").length > 1 ? "two targets with `*`" : null;

/** Whether a target of a statement is none; `what` is done to it. */
const refusedTarget = (node: Node, what: string): Refusal | null => {
  const wrong = targets(node).find((target) => NO_TARGET.has(target.type));
  return wrong === undefined ? null : { at: wrong.start, why: `this cannot be ${what}` };
};

/** By type of node. */
export const TARGET_CHECKS: Readonly<Record<string, Check>> = {
  assignment: refusedAssignment,
  augmented_assignment: (node) => (isSeveral(field(node, "left")) ? "several targets of one operator" : null),
  pattern_list: oneStar,
  tuple_pattern: oneStar,
  list_pattern: oneStar,
  delete_statement: (node) => refusedTarget(node, "deleted"),
  as_pattern_target: (node) => (isOfWith(node) ? refusedTarget(node, "assigned to") : null),
  expression_statement({ children }) {
    const only = children.length === 1 ? children[0]!.type : null;
    if (only === "named_expression") return "`:=` needs parentheses";
    return only === "list_splat" ? "`*` outside of a list or tuple" : null;
  },
};

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
