/** Dead code in a Python program: statements that are never reached, variables that are never read. */
import { conditionOf, flowOf, statementsOf } from "../syntax/flow.ts";
import { isInClassBody, isVariable, usesNamesAsText } from "../syntax/names.ts";
import { type Node, ofType, type Program, textOf } from "../syntax/walk.ts";

/** A range of source text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Statements that control never reaches; each run of them is one span. They follow, in the same block, a statement after which
 * control never continues (`return`, an `if` whose branches all return, a `while True` without `break`), or are under `if
 * False`. A jump that only a call causes (`sys.exit()`) is not recognized. Spans do not overlap.
 */
export function unreachable(program: Program): Span[] {
  const spans: Span[] = [];
  const flow = flowOf(program);
  const visit = (node: Node): void => {
    const statements = statementsOf(node);
    const last = statements.findIndex((statement) => !flow.completes(statement));
    const rest = last < 0 ? [] : statements.slice(last + 1);
    if (rest.length > 0) spans.push({ start: rest[0]!.start, end: rest.at(-1)!.end });
    const never = rest.length > 0 ? new Set(rest) : null;
    for (const child of node.children) {
      if (never?.has(child) || !HOLDS_STATEMENTS.test(child.type)) continue;
      if (isDead(child, program)) spans.push({ start: child.start, end: child.end });
      else visit(child);
    }
  };
  if (!program.broken) visit(program.root);
  return spans;
}

/** Nodes that may have statements inside. Expressions have none. */
const HOLDS_STATEMENTS = /_(?:statement|clause|definition)$|^block$/;

/** Whether the node is the body of an `if` or `while` that is never true, or the `else` of an `if` that always is. */
function isDead(node: Node, program: Program): boolean {
  const { parent, field } = node;
  if (field !== "alternative" && field !== "consequence" && field !== "body") return false;
  if (parent === null || !/^(?:if_statement|elif_clause|while_statement)$/.test(parent.type)) return false;
  const condition = conditionOf(parent, program);
  return field === "alternative" ? parent.type === "if_statement" && condition === true : condition === false;
}

/**
 * Assignments to variables, and parameters, that are never read in their outermost function (or, outside any function, in the
 * program). Loop variables, unpacking, `except` names, `self`, `cls` and names that start with `_` are excluded. Empty if the
 * program does not parse, or looks names up as text.
 */
export function unused(program: Program): Span[] {
  if (program.broken || usesNamesAsText(program)) return [];
  const bindings: { node: Node; owner: Node | null }[] = [];
  const read = new Map<Node | null, Set<string>>();
  const note = (owner: Node | null, name: string): void => {
    const names = read.get(owner) ?? new Set();
    read.set(owner, names.add(name));
  };
  for (const node of ofType(program, "identifier").filter(isVariable)) {
    const owner = outermostFunction(node);
    if (isBinding(node)) {
      bindings.push({ node, owner });
      continue;
    }
    note(owner, textOf(program, node));
    note(null, textOf(program, node));
  }
  return bindings
    .filter(
      ({ node, owner }) =>
        !/^(?:_|self$|cls$)/.test(textOf(program, node)) && !read.get(owner)?.has(textOf(program, node)),
    )
    .map(({ node: { start, end } }) => ({ start, end }));
}

function outermostFunction(node: Node): Node | null {
  let outermost: Node | null = null;
  for (let at = node.parent; at !== null; at = at.parent) if (at.type === "function_definition") outermost = at;
  return outermost;
}

/** Whether an identifier is the whole target of an assignment outside class bodies, or a parameter. */
function isBinding(node: Node): boolean {
  const { parent, field } = node;
  if (parent === null) return false;
  if (parent.type === "assignment") return field === "left" && !isInClassBody(parent);
  if (parent.type === "named_expression") return field === "name";
  if (/^(?:parameters|lambda_parameters|typed_parameter)$/.test(parent.type)) return field !== "type";
  if (/^(?:typed_)?default_parameter$/.test(parent.type)) return field === "name";
  return /_splat_pattern$/.test(parent.type) && /^(?:lambda_)?parameters$/.test(parent.parent?.type ?? "");
}
