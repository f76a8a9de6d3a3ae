/** Where names are read, written and bound. Conservative wherever Python lets a name mean several things. */

import { BUILTINS, CONSUMING_FUNCTIONS, STEADY_FUNCTIONS } from "../languages/python/syntax/builtins.ts";
import { isVariable } from "../languages/python/syntax/names.ts";
import {
  contains,
  descendants,
  enclosing,
  field,
  type Node,
  ofType,
  type Program,
  parts,
  textOf,
} from "../languages/python/syntax/walk.ts";
import type { Random } from "../util/random.ts";

export { isVariable, usesNamesAsText } from "../languages/python/syntax/names.ts";

/** Whether a name has a meaning that the program did not give it. */
export const isPredefined = (name: string): boolean => BUILTINS.has(name) || name === "self" || name === "cls";

const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import
  in is lambda nonlocal not or pass raise return try while with yield match case type _`.split(/\s+/),
);

/** Whether the node is a variable that is read here, not bound. */
export function isRead(node: Node): boolean {
  if (!isVariable(node) || enclosing(node, "type")) return false;
  const { parent, field: role } = node;
  if (!parent || isTarget(node)) return false;
  if (enclosing(node, "case_pattern")) {
    // A plain name captures the matched value; a class and `a.b` are looked up.
    return parent.type === "dotted_name" && (parent.children.length > 1 || parent.parent?.type === "class_pattern");
  }
  if (
    /^(?:function_definition|class_definition|global_statement|nonlocal_statement|delete_statement)$/.test(parent.type)
  ) {
    return false;
  }
  if (/^(?:parameters|lambda_parameters|typed_parameter)$/.test(parent.type)) return false;
  return !(/^(?:typed_)?default_parameter$/.test(parent.type) && role === "name") && !isInParameterPattern(node);
}

const isInParameterPattern = (node: Node): boolean =>
  /_splat_pattern$/.test(node.parent?.type ?? "") || node.parent?.type === "as_pattern_target";

/** Whether a node is bound here as (part of) the target of an assignment, loop or comprehension. */
export function isTarget(node: Node): boolean {
  for (let at: Node = node; at.parent; at = at.parent) {
    const { parent } = at;
    if (/^(?:assignment|for_statement|for_in_clause)$/.test(parent.type)) return at.field === "left";
    if (parent.type === "augmented_assignment") return at.field === "left";
    if (parent.type === "named_expression") return at.field === "name";
    if (!/^(?:pattern_list|tuple_pattern|list_pattern|expression_list|tuple|list_splat_pattern)$/.test(parent.type))
      return false;
  }
  return false;
}

/** The names of the variables in a subtree. */
export const variablesIn = (program: Program, node: Node): Set<string> =>
  new Set(
    descendants(node)
      .filter(isVariable)
      .map((name) => textOf(program, name)),
  );

/** The identifiers of the parameters of a function or lambda. */
export function parameterNames(definition: Node): Node[] {
  const list = field(definition, "parameters");
  return (list ? parts(list) : []).flatMap((parameter) => {
    if (parameter.type === "identifier") return [parameter];
    const name = descendants(parameter).find(({ type }) => type === "identifier");
    return name ? [name] : [];
  });
}

/** The names bound in a function's own scope: its parameters and everything its body binds, without nested functions. */
export function boundIn(program: Program, definition: Node): Set<string> {
  const own = (node: Node): boolean => enclosing(node, "function_definition", "lambda") === definition;
  const inComprehension = (node: Node): boolean => enclosing(node, "for_in_clause") !== null;
  const names = parameterNames(definition).map((node) => textOf(program, node));
  for (const node of descendants(definition)) {
    if (isVariable(node) && own(node) && isTarget(node) && !inComprehension(node)) names.push(textOf(program, node));
    if (node.type === "as_pattern_target" && own(node)) names.push(textOf(program, node));
  }
  return new Set(names);
}

/** The outermost functions: those inside no other function. */
export const outerFunctions = (program: Program): Node[] =>
  ofType(program, "function_definition").filter((node) => !enclosing(node, "function_definition"));

/** A name that occurs nowhere in the program, from `wishes` if one of them is free. */
export function freshName(
  program: Program,
  wishes: readonly string[],
  rng: Random,
  taken: ReadonlySet<string> = new Set(),
): string {
  const used = new Set(ofType(program, "identifier").map((node) => textOf(program, node)));
  const free = (name: string): boolean =>
    !used.has(name) && !taken.has(name) && !isPredefined(name) && !keywords.has(name);
  const wish = rng.shuffle(wishes).find(free);
  if (wish) return wish;
  for (let i = 1; ; i++) {
    const name = `${wishes[0] ?? "value"}${i}`;
    if (free(name)) return name;
  }
}

/**
 * Whether evaluating a node changes nothing and reads only variables: no calls except of known builtins, no yield,
 * no lambda, no walrus. It may still raise.
 */
export function isPure(program: Program, node: Node): boolean {
  return descendants(node).every((part) => {
    if (/^(?:yield|await|named_expression|lambda)$/.test(part.type)) return false;
    if (part.type !== "call") return true;
    const callee = field(part, "function");
    const name = callee ? textOf(program, callee) : "";
    return callee?.type === "identifier" && isPureFunction(name) && !isRebound(program, name);
  });
}

const isPureFunction = (name: string): boolean => STEADY_FUNCTIONS.has(name) || CONSUMING_FUNCTIONS.has(name);

/** Whether the program gives a builtin's name another meaning: by assignment, parameter, `def` or import. */
const isRebound = (program: Program, name: string): boolean =>
  ofType(program, "identifier").some(
    (node) =>
      textOf(program, node) === name &&
      !isRead(node) &&
      !(node.parent?.type === "attribute" && node.field === "attribute") &&
      !(node.parent?.type === "keyword_argument" && node.field === "name"),
  );

/** The occurrences of a variable in `scope`, without those inside `except`. */
export const occurrences = (program: Program, scope: Node, name: string, except?: Node): Node[] =>
  descendants(scope).filter(
    (node) => isVariable(node) && textOf(program, node) === name && !(except && contains(except, node)),
  );
