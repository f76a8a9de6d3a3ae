/** Rewrites that keep behaviour: branches, order of statements, temporary variables. */
import { flowOf } from "../languages/python/syntax/flow.ts";
import {
  contains,
  descendants,
  enclosing,
  field,
  fields,
  type Node,
  ofType,
  type Program,
  parts,
  textOf,
} from "../languages/python/syntax/walk.ts";
import {
  blockLines,
  blocksOf,
  type Change,
  indentOf,
  indentUnit,
  isIndentable,
  linesOf,
  type Operator,
  ofNeighbours,
  reindent,
  replace,
} from "./edits.ts";
import { freshName, isPure, isVariable, occurrences, usesNamesAsText, variablesIn } from "./names.ts";

/** `not (c)`, or the condition with `==`, `in` or `is` inverted. Orderings have no exact opposite (nan, sets). */
export function negation(program: Program, condition: Node): string {
  const opposite: Record<string, string> = {
    "==": "!=",
    "!=": "==",
    in: "not in",
    "not in": "in",
    is: "is not",
    "is not": "is",
  };
  const operators = fields(condition, "operators");
  if (condition.type === "comparison_operator" && operators.length === 1) {
    const operator = operators[0] as Node;
    const other = opposite[textOf(program, operator).replace(/\s+/g, " ")];
    if (other) {
      return (
        program.code.slice(condition.start, operator.start) + other + program.code.slice(operator.end, condition.end)
      );
    }
  }
  if (condition.type === "not_operator") {
    const argument = field(condition, "argument");
    if (argument) return textOf(program, argument);
  }
  const simple = /^(?:identifier|call|attribute|subscript|parenthesized_expression|true|false)$/.test(condition.type);
  return simple ? `not ${textOf(program, condition)}` : `not (${textOf(program, condition)})`;
}

/** `if c: A else: B` as `if not c: B else: A`. */
const invertedIf: Operator = {
  name: "invert-if",
  weight: 3,
  find: (program) =>
    ofType(program, "if_statement").flatMap((node): Change[] => {
      const [alternative, ...more] = fields(node, "alternative");
      const [condition, yes] = [field(node, "condition"), field(node, "consequence")];
      const no = alternative?.type === "else_clause" ? field(alternative, "body") : undefined;
      if (more.length > 0 || !condition || !yes || !no) return [];
      const [a, b] = [blockLines(program, yes), blockLines(program, no)];
      if (!a || !b || !program.code.slice(b.start, b.end).endsWith("\n")) return [];
      const { code } = program;
      return [
        [
          replace(condition, negation(program, condition)),
          replace(a, code.slice(b.start, b.end)),
          replace(b, code.slice(a.start, a.end)),
        ],
      ];
    }),
};

/** `if c: return a else: B` with B moved out of the `else`; `elif` after such a branch as `if`. */
const droppedElse: Operator = {
  name: "no-else",
  weight: 3,
  find: (program) =>
    ofType(program, "if_statement").flatMap((node): Change[] => {
      const [alternative, ...more] = fields(node, "alternative");
      if (!alternative || flowOf(program).completes(field(node, "consequence"))) return [];
      if (alternative.type === "elif_clause") {
        const keyword = alternative.children.find(({ type }) => type === "elif");
        return keyword ? [[replace(keyword, "if")]] : [];
      }
      const body = field(alternative, "body");
      const lines = body && blockLines(program, body);
      const start = program.code.lastIndexOf("\n", alternative.start) + 1;
      if (more.length > 0 || !lines || !body || !isIndentable(program, body)) return [];
      const first = parts(body)[0] as Node;
      const text = reindent(
        program.code.slice(lines.start, lines.end),
        indentOf(program, first),
        indentOf(program, node),
      );
      return [[replace({ start, end: lines.end }, text)]];
    }),
};

/** The statements after `if c: return a` in its block, moved into an `else`. */
const addedElse: Operator = {
  name: "else",
  weight: 2,
  find: (program) =>
    ofType(program, "if_statement").flatMap((node): Change[] => {
      const siblings = node.parent ? parts(node.parent) : [];
      const rest = siblings.slice(siblings.indexOf(node) + 1);
      const [first, last] = [rest[0], rest[rest.length - 1]];
      if (!first || !last || node.parent?.type !== "block" || fields(node, "alternative").length > 0) return [];
      const [own, from, to] = [linesOf(program, node), linesOf(program, first), linesOf(program, last)];
      const movable = rest.every((statement) => isIndentable(program, statement));
      if (flowOf(program).completes(field(node, "consequence")) || !own || !from || !to || !movable) return [];
      const indent = indentOf(program, node);
      const lines = program.code.slice(from.start, to.end);
      return [
        [
          replace(
            { start: from.start, end: to.end },
            `${indent}else:\n${reindent(lines, indent, indent + indentUnit(program))}`,
          ),
        ],
      ];
    }),
};

/** The names of an assignment of a pure expression to one name: other statements depend on it only through them. Null for others. */
function simpleAssignment(program: Program, node: Node): { writes: Set<string>; reads: Set<string> } | null {
  const assignment = node.type === "expression_statement" && node.children.length === 1 ? node.children[0] : undefined;
  if (assignment?.type !== "assignment") return null;
  const [left, right] = [field(assignment, "left"), field(assignment, "right")];
  if (left?.type !== "identifier" || !right || right.type === "assignment" || !isPure(program, right)) return null;
  return { writes: variablesIn(program, left), reads: variablesIn(program, right) };
}

const disjoint = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => [...a].every((name) => !b.has(name));

const reordered: Operator = {
  name: "reorder",
  weight: 3,
  find: (program) =>
    ofNeighbours(blocksOf(program), (first, second): Change[] => {
      const [a, b] = [simpleAssignment(program, first), simpleAssignment(program, second)];
      if (!a || !b || !linesOf(program, first) || !linesOf(program, second)) return [];
      const free = disjoint(a.writes, b.writes) && disjoint(a.writes, b.reads) && disjoint(a.reads, b.writes);
      return free ? [[replace(first, textOf(program, second)), replace(second, textOf(program, first))]] : [];
    }),
};

const temporaryNames = ["result", "answer", "res", "value", "output", "ret", "final"];
const conditionNames = ["ok", "check", "cond", "is_match", "holds"];

/** `return EXPR` as `result = EXPR`, `return result`. The same for the condition of an `if`. */
const introducedTemporary: Operator = {
  name: "temporary",
  weight: 3,
  find: (program, rng) =>
    ofType(program, "return_statement", "if_statement").flatMap((node): Change[] => {
      const isReturn = node.type === "return_statement";
      const value = isReturn ? parts(node)[0] : field(node, "condition");
      const lines = linesOf(program, node);
      if (!value || !lines || !enclosing(node, "function_definition") || usesNamesAsText(program)) return [];
      if (/^(?:identifier|integer|float|string|true|false|none|expression_list|named_expression)$/.test(value.type))
        return [];
      const name = freshName(program, isReturn ? temporaryNames : conditionNames, rng);
      const assignment = `${indentOf(program, node)}${name} = ${textOf(program, value)}\n`;
      return [[replace({ start: lines.start, end: lines.start }, assignment), replace(value, name)]];
    }),
};

/** `x = EXPR`, `return x` as `return EXPR`. */
const inlinedReturn: Operator = {
  name: "inline",
  weight: 3,
  find: (program) =>
    ofNeighbours(blocksOf(program), (first, second): Change[] => {
      const assignment = first.type === "expression_statement" ? first.children[0] : undefined;
      const [left, right] =
        assignment?.type === "assignment" ? [field(assignment, "left"), field(assignment, "right")] : [];
      const back = second.type === "return_statement" ? parts(second)[0] : undefined;
      const lines = linesOf(program, first);
      const definition = enclosing(second, "function_definition");
      if (left?.type !== "identifier" || !right || right.type === "assignment" || !back || !lines || !definition)
        return [];
      const name = textOf(program, left);
      const captured = descendants(definition).some(
        (node) =>
          /^(?:lambda|function_definition|global_statement|nonlocal_statement|try_statement)$/.test(node.type) &&
          node !== definition &&
          variablesIn(program, node).has(name),
      );
      if (textOf(program, back) !== name || captured || usesNamesAsText(program)) return [];
      return [[replace(lines, ""), replace(back, textOf(program, right))]];
    }),
};

/** `n = EXPR` used once, in the next statement: inserts EXPR there. Only if all else evaluated there is variables and pure calls. */
const inlinedUse: Operator = {
  name: "inline-use",
  weight: 2,
  find: (program) =>
    ofNeighbours(blocksOf(program), (first, second): Change[] => {
      const simple = simpleAssignment(program, first);
      const definition = enclosing(first, "function_definition");
      const lines = linesOf(program, first);
      const host = headOf(second);
      if (!simple || !definition || !lines || !host || usesNamesAsText(program)) return [];
      const name = [...simple.writes][0] as string;
      const uses = occurrences(program, definition, name, first);
      const use = uses[0];
      if (uses.length !== 1 || !use || !contains(host, use) || !isPure(program, host) || simple.reads.has(name))
        return [];
      if (
        !isVariable(use) ||
        enclosing(
          use,
          "list_comprehension",
          "set_comprehension",
          "dictionary_comprehension",
          "generator_expression",
          "lambda",
          "interpolation",
        )
      )
        return [];
      if (descendants(definition).some(({ type }) => /^(?:global|nonlocal)_statement$/.test(type))) return [];
      const value = textOf(program, field(first.children[0] as Node, "right") as Node);
      const plain = /^[\w.]+(?:\([^()]*\))?$/.test(value);
      return [[replace(lines, ""), replace(use, plain ? value : `(${value})`)]];
    }),
};

/** The part of a statement that is evaluated first and only once. */
function headOf(node: Node): Node | undefined {
  if (node.type === "return_statement") return parts(node)[0];
  if (node.type === "for_statement") return field(node, "right");
  if (node.type === "if_statement") return field(node, "condition");
  const assignment = node.type === "expression_statement" ? node.children[0] : undefined;
  return assignment?.type === "assignment" ? field(assignment, "right") : undefined;
}

export const flowRewrites: readonly Operator[] = [
  invertedIf,
  droppedElse,
  addedElse,
  reordered,
  introducedTemporary,
  inlinedReturn,
  inlinedUse,
];
