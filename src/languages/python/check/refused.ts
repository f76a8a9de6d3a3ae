/**
 * Where Python refuses to compile a program, without asking Python: the parser reads more than Python does (Python 2, `return` outside of
 * functions, two parameters of one name). Only what every Python 3 refuses counts.
 */
import { oncePer } from "../../../util/remember.ts";
import { beforeOnLine } from "../syntax/lines.ts";
import { enclosing, field, type Node, type Program, parts } from "../syntax/walk.ts";
import { refusedDeclaration } from "./declarations.ts";
import { refusedArguments, refusedParameters } from "./parameters.ts";
import type { Check, Refusal } from "./refusal.ts";
import { scopeAround } from "./scopes.ts";
import { TARGET_CHECKS } from "./targets.ts";
import { TOKEN_CHECKS } from "./tokens.ts";

/** The first refusal after the parser's: null if the parser has refused the program (`broken`), or if there is none. */
export const refusalOf: (program: Program) => Refusal | null = oncePer((program: Program): Refusal | null => {
  if (program.broken) return null;
  if (isTooDeep(program)) return { at: null, why: "it is nested too deeply" };
  for (const node of program.nodes) {
    const found = CHECKS.get(node.type)?.(node, program) ?? null;
    if (found !== null) return typeof found === "string" ? { at: node.start, why: found } : found;
  }
  return null;
});

/** Whether Python refuses to compile the program, for the known reasons. */
export const isRefused = (program: Program): boolean => program.broken || refusalOf(program) !== null;

/** Nesting that CPython 3.11 compiles: of brackets, of indented blocks, of loops, `with` and `try` in one scope, and of tree nodes. */
const DEEPEST = { brackets: 200, indents: 99, blocks: 20, nodes: 3000 };
const OPENING = new Set(["(", "[", "{"]);
const CLOSING = new Set([")", "]", "}"]);
const KEPT_OPEN = /^(?:for|while|with|try)_statement$/;
const SCOPE = /^(?:function|class)_definition$/;

interface Depth {
  readonly indents: number;
  readonly blocks: number;
  readonly nodes: number;
}

/**
 * Whether the program is nested deeper than Python compiles. If it is not, code may walk the tree recursively without
 * overflowing the stack.
 */
export const isTooDeep: (program: Program) => boolean = oncePer(({ nodes }: Program) => {
  let brackets = 0;
  const depths = new Map<Node | null, Depth>([[null, { indents: 0, blocks: 0, nodes: 0 }]]);
  return nodes.some((node) => {
    if (OPENING.has(node.type)) brackets += 1;
    if (CLOSING.has(node.type)) brackets -= 1;
    if (node.children.length === 0) return brackets > DEEPEST.brackets;
    const around = depths.get(node.parent)!;
    const depth = {
      indents: around.indents + (node.type === "block" ? 1 : 0),
      blocks: SCOPE.test(node.type) ? 0 : around.blocks + (KEPT_OPEN.test(node.type) ? 1 : 0),
      nodes: around.nodes + 1,
    };
    depths.set(node, depth);
    return depth.indents > DEEPEST.indents || depth.blocks > DEEPEST.blocks || depth.nodes > DEEPEST.nodes;
  });
});

const OUTSIDE = "outside of a function";

/** `return` of `return_statement`. */
const wordOf = (type: string): string => type.slice(0, type.indexOf("_"));

const onlyInFunction: Check = (node) => (isInFunction(node) ? null : `\`${wordOf(node.type)}\` ${OUTSIDE}`);
const onlyInLoop: Check = (node) => (isInLoop(node) ? null : `\`${wordOf(node.type)}\` outside of a loop`);
const noStatement: Check = ({ type }) => `\`${wordOf(type)}\` is a function`;
const asyncInAsync: Check = (node) =>
  node.children[0]?.type === "async" && isInPlainFunction(node)
    ? `\`async ${wordOf(node.type)}\` outside of an async function`
    : null;
const onItsLine: Check = (node, program) =>
  isShifted(node, program) ? "its indentation differs from that of its statement" : null;

/** By type of node: why Python refuses one that the parser accepts. */
const CHECKS: ReadonlyMap<string, Check> = new Map(
  Object.entries<Check>({
    module: uneven,
    block: (node, program) => (parts(node).length === 0 ? "a block is empty" : uneven(node, program)),
    print_statement: noStatement,
    exec_statement: noStatement,
    return_statement: onlyInFunction,
    yield: (node) => (isInFunction(node) ? null : `\`yield\` ${OUTSIDE}`),
    await: (node) => (isInPlainFunction(node) ? "`await` outside of an async function" : null),
    for_statement: asyncInAsync,
    with_statement: asyncInAsync,
    break_statement: onlyInLoop,
    continue_statement: onlyInLoop,
    else_clause: onItsLine,
    elif_clause: onItsLine,
    except_clause: onItsLine,
    finally_clause: onItsLine,
    try_statement: refusedTry,
    raise_statement: ({ children }) =>
      children.some(({ type }) => type === "expression_list") ? "`raise` takes one exception" : null,
    global_statement: refusedDeclaration,
    nonlocal_statement: refusedDeclaration,
    future_import_statement: refusedDeclaration,
    wildcard_import: refusedDeclaration,
    parameters: refusedParameters,
    lambda_parameters: refusedParameters,
    argument_list: refusedArguments,
    for_in_clause: ({ children }) =>
      children.some(({ type }) => type === ",") ? "a tuple or generator needs parentheses" : null,
    ...TARGET_CHECKS,
    ...TOKEN_CHECKS,
  }),
);

function isInFunction(node: Node): boolean {
  const scope = scopeAround(node);
  return scope !== null && scope.type !== "class_definition";
}

/** Whether a node is in a function that is not `async`. Generator expressions may await anywhere; cells of notebooks at the top level. */
function isInPlainFunction(node: Node): boolean {
  const scope = scopeAround(node);
  if (scope === null || scope.type === "class_definition") return false;
  return scope.children[0]!.type !== "async" && enclosing(node, "generator_expression") === null;
}

/** Whether a statement is in the body of a loop of its own scope. The `else` of a loop is outside of it. */
function isInLoop(node: Node): boolean {
  for (let [at, child] = [node.parent, node]; at !== null; [at, child] = [at.parent, at]) {
    if (SCOPE.test(at.type)) return false;
    if ((at.type === "for_statement" || at.type === "while_statement") && child.field === "body") return true;
  }
  return false;
}

/** The first statement of a block, or of the module, whose indentation differs. */
function uneven(node: Node, program: Program): Refusal | null {
  const lines = parts(node)
    .map(({ start }) => ({ at: start, before: beforeOnLine(program, start) }))
    .filter(({ before }) => /^[ \t]*$/.test(before)); // only statements that start a line
  const first = node.type === "module" ? "" : lines[0]?.before;
  const other = lines.find(({ before }) => before !== first);
  return other === undefined ? null : { at: other.at, why: "its indentation differs from that of its block" };
}

/** Whether a clause begins a line with another indentation than its statement. */
function isShifted(node: Node, program: Program): boolean {
  const [own, whole] = [node, node.parent!].map(({ start }) => beforeOnLine(program, start)) as [string, string];
  return /^[ \t]*$/.test(own) && /^[ \t]*$/.test(whole) && own !== whole;
}

function refusedTry(node: Node): string | Refusal | null {
  const clauses = node.children.filter(({ type }) => /^(?:except|finally)_/.test(type));
  if (clauses.length === 0) return "`try` without `except` or `finally`";
  const excepts = clauses.filter(({ type }) => type === "except_clause");
  const bare = excepts.findIndex((one) => field(one, "value") === undefined && parts(one).length === 1);
  const isLast = bare < 0 || bare === excepts.length - 1;
  return isLast ? null : { at: excepts[bare]!.start, why: "`except:` must be the last" };
}
