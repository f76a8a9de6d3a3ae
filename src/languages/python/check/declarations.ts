/** Declarations that Python refuses: `global` and `nonlocal` that come too late or find nothing, and imports in wrong places. */
import { oncePer } from "../../../util/remember.ts";
import { isVariable } from "../syntax/names.ts";
import { fields, type Node, ofType, type Program, parts, textOf } from "../syntax/walk.ts";
import type { Refusal } from "./refusal.ts";
import { scopeAround } from "./scopes.ts";

export function refusedDeclaration(node: Node, program: Program): string | Refusal | null {
  if (node.type === "future_import_statement") return refusedFuture(node, program);
  const scope = scopeAround(node);
  if (node.type === "wildcard_import") return scope === null ? null : "`import *` is for the top level";
  const keyword = node.type === "global_statement" ? "global" : "nonlocal";
  if (keyword === "nonlocal" && scope === null) return "`nonlocal` outside of a function";
  const names = node.children.filter(({ type }) => type === "identifier").map((name) => textOf(program, name));
  const late = names.find(
    (name) => (firstUses(program).get(scope)?.get(name) ?? Number.POSITIVE_INFINITY) < node.start,
  );
  if (late !== undefined) return `\`${late}\` is used before its \`${keyword}\``;
  const unbound = keyword === "global" ? undefined : names.find((name) => !mayBeBound(name, scope!, program));
  return unbound === undefined ? null : `no function around it binds \`${unbound}\``;
}

const BODY_IS_SCOPE = new Set(["function_definition", "class_definition", "lambda"]);
/** Names in these are of a scope of their own, or of none. */
const OTHER_SCOPE = /_comprehension$|^(?:generator_expression|type)$/;
const DECLARATION = /^(?:global|nonlocal)_statement$/;

/** By scope and name: where the scope first uses or binds the name. A function's own parameters are bound where it begins. */
const firstUses = oncePer(({ nodes, code }: Program) => {
  const scopes = new Map<Node, Node | null>();
  const uses = new Map<Node | null, Map<string, number>>();
  for (const node of nodes) {
    const { parent } = node;
    const around = parent === null ? null : scopes.get(parent)!;
    const isInner =
      parent !== null && (OTHER_SCOPE.test(parent.type) || (node.field === "body" && BODY_IS_SCOPE.has(parent.type)));
    const scope = isInner ? parent : around;
    scopes.set(node, scope);
    if (!isVariable(node) || DECLARATION.test(parent!.type)) continue;
    const owner = functionOfParameter(node) ?? scope;
    if (!uses.has(owner)) uses.set(owner, new Map());
    const own = uses.get(owner)!;
    const name = code.slice(node.start, node.end);
    if (!own.has(name)) own.set(name, node.start);
  }
  return uses;
});

/** The function whose parameter an identifier names; null if it is none. */
function functionOfParameter(node: Node): Node | null {
  let at = node;
  const holds = /^(?:list_splat_pattern|dictionary_splat_pattern|typed_parameter)$/;
  if (/^(?:typed_)?default_parameter$/.test(at.parent!.type) && at.field === "name") at = at.parent!;
  while (holds.test(at.parent!.type)) at = at.parent!;
  return /^(?:lambda_)?parameters$/.test(at.parent!.type) ? at.parent!.parent : null;
}

/** The places of each name. */
const places = oncePer((program: Program) => {
  const found = new Map<string, number[]>();
  for (const node of ofType(program, "identifier")) {
    const name = textOf(program, node);
    if (!found.has(name)) found.set(name, []);
    found.get(name)!.push(node.start);
  }
  return found;
});

/** Whether a function around a scope mentions a name outside of the scope. If none does, none binds it. */
function mayBeBound(name: string, scope: Node, program: Program): boolean {
  let outermost: Node | null = null;
  for (let at = scopeAround(scope); at !== null; at = scopeAround(at)) {
    if (at.type !== "class_definition") outermost = at;
  }
  if (outermost === null) return false;
  const { start, end } = outermost;
  const isOutside = (at: number): boolean => at > start && at < end && !(at >= scope.start && at < scope.end);
  return (places(program).get(name) ?? []).some(isOutside);
}

const FEATURES = new Set([
  ...["nested_scopes", "generators", "division", "absolute_import", "with_statement", "print_function"],
  ...["unicode_literals", "barry_as_FLUFL", "generator_stop", "annotations"],
]);

/** `from __future__ import` stands before all statements but a docstring. */
function refusedFuture(node: Node, program: Program): string | null {
  if (node.parent?.type !== "module") return "`from __future__` must be at the beginning";
  const before = parts(node.parent).filter(({ start }) => start < node.start);
  const others = before.filter(({ type }) => !/^(?:future_import_statement|line_continuation)$/.test(type));
  const isDocstring = (one: Node): boolean =>
    one === before[0] && one.type === "expression_statement" && /string$/.test(one.children[0]!.type);
  if (!others.every(isDocstring)) return "`from __future__` must be at the beginning";
  const names = fields(node, "name").map((name) => (name.type === "aliased_import" ? name.children[0]! : name));
  const unknown = names.map((name) => textOf(program, name)).find((name) => !FEATURES.has(name));
  return unknown === undefined ? null : `\`__future__\` has no \`${unknown}\``;
}
