/** Rewrites that keep behaviour: other forms of the same expression. Each is correct for every built-in type that can occur. */

import {
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
import { type Change, indentOf, indentUnit, linesOf, type Operator, replace } from "./edits.ts";
import { isPure } from "./names.ts";
import { negation } from "./rewrites-flow.ts";

const isPlainNumberOrText = (node: Node | undefined): boolean =>
  node !== undefined && /^(?:integer|float|string)$/.test(node.type);

/** `x += 1` as `x = x + 1`. Only with a number or a string: `+=` on a list changes it in place, also for its other names. */
const longAssignment: Operator = {
  name: "long-assignment",
  weight: 3,
  find: (program) =>
    ofType(program, "augmented_assignment").flatMap((node): Change[] => {
      const [left, operator, right] = [field(node, "left"), field(node, "operator"), field(node, "right")];
      if (left?.type !== "identifier" || !operator || !right) return [];
      if (!isPlainNumberOrText(right) && !startsAsNumber(program, node, textOf(program, left))) return [];
      const name = textOf(program, left);
      const binary = textOf(program, operator).slice(0, -1);
      const simple = /^(?:identifier|integer|float|string|call|subscript|attribute)$/.test(right.type);
      const value = simple ? textOf(program, right) : `(${textOf(program, right)})`;
      return [[replace(node, `${name} = ${name} ${binary} ${value}`)]];
    }),
};

/** Whether every plain assignment to the name in its function is a number or a string literal. */
function startsAsNumber(program: Program, node: Node, name: string): boolean {
  const definition = enclosing(node, "function_definition");
  if (!definition) return false;
  const values = descendants(definition)
    .filter((part) => part.type === "assignment" && textOf(program, field(part, "left") ?? part) === name)
    .map((part) => field(part, "right"));
  return values.length > 0 && values.every(isPlainNumberOrText);
}

/** `x = x + 1` as `x += 1`, only with a number or a string. */
const shortAssignment: Operator = {
  name: "short-assignment",
  weight: 3,
  find: (program) =>
    ofType(program, "assignment").flatMap((node): Change[] => {
      const [left, right] = [field(node, "left"), field(node, "right")];
      if (left?.type !== "identifier" || right?.type !== "binary_operator" || field(node, "type")) return [];
      const [a, operator, b] = [field(right, "left"), field(right, "operator"), field(right, "right")];
      if (!a || !operator || !isPlainNumberOrText(b) || !b || textOf(program, a) !== textOf(program, left)) return [];
      return [[replace(node, `${textOf(program, left)} ${textOf(program, operator)}= ${textOf(program, b)}`)]];
    }),
};

/** `not a == b` as `a != b`, `not x in y` as `x not in y`. */
const pushedNot: Operator = {
  name: "push-not",
  weight: 3,
  find: (program) =>
    ofType(program, "not_operator").flatMap((node) => {
      const argument = field(node, "argument");
      const inner = argument?.type === "parenthesized_expression" ? parts(argument)[0] : argument;
      const turned = inner?.type === "comparison_operator" ? negation(program, inner) : "not";
      return turned.startsWith("not ") || turned === "not" ? [] : [[replace(node, turned)]];
    }),
};

/** `a != b` as `not a == b`, `x not in y` as `not x in y`. */
const pulledNot: Operator = {
  name: "pull-not",
  weight: 2,
  find: (program) =>
    ofType(program, "comparison_operator").flatMap((node) => {
      const operators = fields(node, "operators");
      const only = textOf(program, operators[0] ?? node).replace(/\s+/g, " ");
      if (operators.length !== 1 || !/^(?:!=|not in|is not)$/.test(only)) return [];
      return [[replace(node, `(not ${negation(program, node)})`)]];
    }),
};

/** `a < b` as `b > a`. The order of evaluation changes, so both sides must be variables and pure calls. */
const turnedComparison: Operator = {
  name: "turn-comparison",
  weight: 3,
  find: (program) =>
    ofType(program, "comparison_operator").flatMap((node): Change[] => {
      const mirror: Record<string, string> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!=" };
      const [operators, sides] = [fields(node, "operators"), parts(node).filter((part) => part.field !== "operators")];
      const other = mirror[textOf(program, operators[0] ?? node)];
      const [left, right] = sides;
      if (operators.length !== 1 || !other || !left || !right || !isPure(program, node)) return [];
      return [[replace(node, `${textOf(program, right)} ${other} ${textOf(program, left)}`)]];
    }),
};

/** `return a == b` as an `if` with `return True` and `return False`. Only for comparisons and `not`, which give a bool. */
const spelledBoolean: Operator = {
  name: "spell-boolean",
  weight: 2,
  find: (program) =>
    ofType(program, "return_statement").flatMap((node): Change[] => {
      const value = parts(node)[0];
      const lines = linesOf(program, node);
      const answersBool = value?.type === "comparison_operator" || value?.type === "not_operator";
      if (!value || !lines || !answersBool) return [];
      const [indent, unit] = [indentOf(program, node), indentUnit(program)];
      return [
        [
          replace(
            lines,
            `${indent}if ${textOf(program, value)}:\n${indent}${unit}return True\n${indent}return False\n`,
          ),
        ],
      ];
    }),
};

/** `return a if c else b` and `x = a if c else b` as statements. */
const spelledConditional: Operator = {
  name: "spell-conditional",
  weight: 3,
  find: (program) =>
    ofType(program, "conditional_expression").flatMap((node): Change[] => {
      const [yes, condition, no] = parts(node);
      const { parent } = node;
      const statement = parent?.type === "assignment" ? parent.parent : parent;
      const lines = statement && linesOf(program, statement);
      if (!yes || !condition || !no || !parent || !statement || !lines || textOf(program, node).includes("\n"))
        return [];
      const target = parent.type === "assignment" ? field(parent, "left") : undefined;
      const isReturn = parent.type === "return_statement";
      const plain =
        target?.type === "identifier" && statement.type === "expression_statement" && !field(parent, "type");
      if (!isReturn && !plain) return [];
      const [indent, unit] = [indentOf(program, statement), indentUnit(program)];
      const head = isReturn ? "return" : `${textOf(program, target as Node)} =`;
      const line = (value: Node): string => `${indent}${unit}${head} ${textOf(program, value)}\n`;
      return [[replace(lines, `${indent}if ${textOf(program, condition)}:\n${line(yes)}${indent}else:\n${line(no)}`)]];
    }),
};

/** `if c: return a else: return b` as one line. */
const joinedConditional: Operator = {
  name: "join-conditional",
  weight: 3,
  find: (program) =>
    ofType(program, "if_statement").flatMap((node): Change[] => {
      const [alternative, ...more] = fields(node, "alternative");
      const [condition, yes] = [field(node, "condition"), onlyReturned(field(node, "consequence"))];
      const no = alternative?.type === "else_clause" ? onlyReturned(field(alternative, "body")) : null;
      const text = textOf(program, node);
      if (more.length > 0 || !condition || !yes || !no || /#|"""|'''|:=/.test(text)) return [];
      const value = (part: Node): string =>
        /^(?:conditional_expression|lambda|expression_list)$/.test(part.type)
          ? `(${textOf(program, part)})`
          : textOf(program, part);
      return [[replace(node, `return ${value(yes)} if ${value(condition)} else ${value(no)}`)]];
    }),
};

function onlyReturned(block: Node | undefined): Node | null {
  const [only, ...more] = block ? parts(block) : [];
  return only?.type === "return_statement" && more.length === 0 ? (parts(only)[0] ?? null) : null;
}

/** `list()` for `[]`, `dict()` for `{}`, and back. */
const otherEmpty: Operator = {
  name: "empty-literal",
  weight: 2,
  find: (program) => [
    ...ofType(program, "list", "dictionary")
      .filter(
        (node) =>
          parts(node).length === 0 && node.parent?.type === "assignment" && enclosing(node, "function_definition"),
      )
      .filter((node) => isPure(program, node) && !shadowed(program, node.type === "list" ? "list" : "dict"))
      .map((node) => [replace(node, node.type === "list" ? "list()" : "dict()")]),
    ...ofType(program, "call")
      .filter((node) => /^(?:list|dict)\(\)$/.test(textOf(program, node)))
      .filter((node) => !shadowed(program, textOf(program, node).slice(0, 4)))
      .map((node) => [replace(node, textOf(program, node).startsWith("list") ? "[]" : "{}")]),
  ],
};

const shadowed = (program: Program, name: string): boolean =>
  ofType(program, "identifier").some(
    (node) => textOf(program, node) === name && node.parent?.type !== "call" && node.parent?.type !== "attribute",
  );

export const idiomRewrites: readonly Operator[] = [
  longAssignment,
  shortAssignment,
  pushedNot,
  pulledNot,
  turnedComparison,
  spelledBoolean,
  spelledConditional,
  joinedConditional,
  otherEmpty,
];
