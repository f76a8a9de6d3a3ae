/** Code of a Python program that does nothing: statements that are never reached, variables that are never read. */
import { usesNamesAsText } from "../util/python-names.ts";
import type { Node, Program } from "../util/python-syntax.ts";
import { isInClassBody, isVariable } from "./variables.ts";

/** A run of source text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Statements that control never comes to, each run of them as one span: what follows `return`, `raise`, `continue`, `break`, an
 * `if` of which each branch ends so or a `while True` without `break` in its block, and what stands under `if False`. What only
 * a call shows (`sys.exit()`) is not seen. Spans do not overlap.
 */
export function unreachable(program: Program): Span[] {
  const spans: Span[] = [];
  const visit = (node: Node): void => {
    const statements = statementsOf(node);
    const last = statements.findIndex((statement) => neverEnds(statement, program));
    const rest = last < 0 ? [] : statements.slice(last + 1);
    if (rest.length > 0) spans.push({ start: rest[0]!.start, end: rest.at(-1)!.end });
    const never = rest.length > 0 ? new Set(rest) : null;
    for (const child of node.children) {
      if (never?.has(child)) continue;
      if (isDead(child, program)) spans.push({ start: child.start, end: child.end });
      else visit(child);
    }
  };
  if (!program.broken) visit(program.root);
  return spans;
}

const NONE: readonly Node[] = [];

/** The statements of a block or module; none of any other node. */
const statementsOf = ({ type, children }: Node): readonly Node[] =>
  type === "block" || type === "module" ? children.filter((child) => child.named && child.type !== "comment") : NONE;

const child = ({ children }: Node, role: string): Node | undefined => children.find(({ field }) => field === role);

/** Whether it is the body of an `if` or `while` that is never true, or the `else` of one that always is. */
function isDead(node: Node, program: Program): boolean {
  const { parent, field } = node;
  if (field !== "alternative" && field !== "consequence" && field !== "body") return false;
  if (parent === null || !/^(?:if_statement|elif_clause|while_statement)$/.test(parent.type)) return false;
  if (field === "alternative")
    return parent.type === "if_statement" && truth(child(parent, "condition"), program) === true;
  return truth(child(parent, "condition"), program) === false;
}

/** What a condition always is; null where that depends. */
function truth(condition: Node | undefined, { code }: Program): boolean | null {
  const text = condition === undefined ? "" : code.slice(condition.start, condition.end);
  if (text === "True" || text === "1") return true;
  return text === "False" || text === "0" || text === "None" ? false : null;
}

/** Whether control never goes on behind a statement, as its syntax shows. */
function neverEnds(node: Node | undefined, program: Program): boolean {
  switch (node?.type) {
    case "return_statement":
    case "raise_statement":
    case "continue_statement":
    case "break_statement":
      return true;
    case "block":
      return statementsOf(node).some((statement) => neverEnds(statement, program));
    case "if_statement": {
      if (truth(child(node, "condition"), program) === true) return neverEnds(child(node, "consequence"), program);
      const others = node.children.filter(({ field }) => field === "alternative");
      const blocks = others.map((clause) => child(clause, clause.type === "else_clause" ? "body" : "consequence"));
      const isWhole = others.at(-1)?.type === "else_clause";
      return isWhole && [child(node, "consequence"), ...blocks].every((block) => neverEnds(block, program));
    }
    case "while_statement":
      return truth(child(node, "condition"), program) === true && !breaks(child(node, "body"));
    default:
      return false;
  }
}

/** Whether a `break` in it ends the loop that it is the body of. */
const breaks = (node: Node | undefined): boolean =>
  node !== undefined &&
  (node.type === "break_statement" ||
    (!/^(?:for_statement|while_statement)$/.test(node.type)
      ? node.children.some(breaks)
      : breaks(node.children.find(({ type }) => type === "else_clause"))));

/**
 * Where variables are assigned, or parameters named, that their outermost function (outside of any: the program) never reads.
 * Not variables of loops, of unpacking and `except`, nor names with `_` in front; none where names are looked up as text.
 */
export function unused(program: Program): Span[] {
  const { broken, nodes, code } = program;
  const textOf = ({ start, end }: Node): string => code.slice(start, end);
  const variables = nodes.filter((node) => node.type === "identifier" && isVariable(node));
  if (broken || usesNamesAsText(program)) return [];
  const bindings: { node: Node; owner: Node | null }[] = [];
  const read = new Map<Node | null, Set<string>>();
  const note = (owner: Node | null, name: string): void => {
    const names = read.get(owner) ?? new Set();
    read.set(owner, names.add(name));
  };
  for (const node of variables) {
    const owner = outermostFunction(node);
    if (isBinding(node)) {
      bindings.push({ node, owner });
      continue;
    }
    note(owner, textOf(node));
    note(null, textOf(node));
  }
  return bindings
    .filter(({ node, owner }) => !/^(?:_|self$|cls$)/.test(textOf(node)) && !read.get(owner)?.has(textOf(node)))
    .map(({ node: { start, end } }) => ({ start, end }));
}

function outermostFunction(node: Node): Node | null {
  let outermost: Node | null = null;
  for (let at = node.parent; at !== null; at = at.parent) if (at.type === "function_definition") outermost = at;
  return outermost;
}

/** Whether an identifier is the whole target of an assignment outside of class bodies, or a parameter. */
function isBinding(node: Node): boolean {
  const { parent, field } = node;
  if (parent === null) return false;
  if (parent.type === "assignment") return field === "left" && !isInClassBody(parent);
  if (parent.type === "named_expression") return field === "name";
  if (/^(?:parameters|lambda_parameters|typed_parameter)$/.test(parent.type)) return field !== "type";
  if (/^(?:typed_)?default_parameter$/.test(parent.type)) return field === "name";
  return /_splat_pattern$/.test(parent.type) && /^(?:lambda_)?parameters$/.test(parent.parent?.type ?? "");
}
