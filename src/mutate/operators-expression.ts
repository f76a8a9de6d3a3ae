/** Mutation operators on operators, numbers, conditions, subscripts and calls. */

import {
  enclosing,
  field,
  fields,
  type Node,
  ofType,
  type Program,
  parts,
  textOf,
} from "../languages/python/syntax/walk.ts";
import { type Change, insert, type Operator, replace } from "./edits.ts";

const arithmeticSwaps: Record<string, readonly string[]> = {
  "+": ["-", "*"],
  "-": ["+"],
  "*": ["+", "//"],
  "/": ["//", "*"],
  "//": ["/", "%"],
  "%": ["//", "*"],
  "**": ["*"],
  "&": ["|"],
  "|": ["&", "^"],
  "^": ["|"],
  "<<": [">>"],
  ">>": ["<<"],
};

const comparisonSwaps: Record<string, readonly string[]> = {
  "<": ["<=", ">"],
  "<=": ["<", ">="],
  ">": [">=", "<"],
  ">=": [">", "<="],
  "==": ["!=", ">="],
  "!=": ["=="],
  in: ["not in"],
  "not in": ["in"],
  is: ["is not"],
  "is not": ["is"],
};

const swapped = (program: Program, operators: readonly Node[], table: Record<string, readonly string[]>): Change[] =>
  operators.flatMap((node) =>
    (table[textOf(program, node).replace(/\s+/g, " ")] ?? []).map((text) => [replace(node, text)]),
  );

const arithmeticOperator: Operator = {
  name: "arithmetic-operator",
  weight: 3,
  find: (program) => {
    const plain = ofType(program, "binary_operator").flatMap((node) => fields(node, "operator"));
    const augmented = ofType(program, "augmented_assignment").flatMap((node) => fields(node, "operator"));
    const table = Object.fromEntries(
      Object.entries(arithmeticSwaps).map(([op, to]) => [`${op}=`, to.map((o) => `${o}=`)]),
    );
    return [...swapped(program, plain, arithmeticSwaps), ...swapped(program, augmented, table)];
  },
};

const comparisonOperator: Operator = {
  name: "comparison-operator",
  weight: 4,
  find: (program) =>
    swapped(
      program,
      ofType(program, "comparison_operator").flatMap((node) => fields(node, "operators")),
      comparisonSwaps,
    ),
};

const booleanOperator: Operator = {
  name: "boolean-operator",
  weight: 2,
  find: (program) =>
    swapped(
      program,
      ofType(program, "boolean_operator").flatMap((node) => fields(node, "operator")),
      { and: ["or"], or: ["and"] },
    ),
};

/** Changes whole numbers, and the bounds of ranges and slices, by one. */
const offByOne: Operator = {
  name: "off-by-one",
  weight: 4,
  find: (program) => {
    const constants = ofType(program, "integer")
      .filter((node) => /^\d+$/.test(textOf(program, node)) && !enclosing(node, "type"))
      .flatMap((node) => {
        const value = BigInt(textOf(program, node));
        return [value + 1n, ...(value > 0n ? [value - 1n] : [])].map((v) => [replace(node, v.toString())]);
      });
    const bounds = [
      ...ofType(program, "call")
        .filter((node) => textOf(program, field(node, "function") ?? node) === "range")
        .flatMap((node) => parts(field(node, "arguments") ?? node).slice(0, 2)),
      ...ofType(program, "slice").flatMap((node) => parts(node).slice(0, 2)),
    ].filter(({ type }) => type !== "integer" && type !== "list_splat" && type !== "keyword_argument");
    return [...constants, ...bounds.flatMap((node) => [[insert(node.end, " + 1")], [insert(node.end, " - 1")]])];
  },
};

const conditions = (program: Program): Node[] =>
  ofType(program, "if_statement", "elif_clause", "while_statement", "if_clause", "conditional_expression").flatMap(
    (node) => {
      const condition =
        node.type === "if_clause"
          ? parts(node)[0]
          : node.type === "conditional_expression"
            ? parts(node)[1]
            : field(node, "condition");
      return condition ? [condition] : [];
    },
  );

const negatedCondition: Operator = {
  name: "negated-condition",
  weight: 3,
  find: (program) => {
    const added = conditions(program)
      .filter(({ type }) => type !== "not_operator")
      .map((node) => [replace(node, `not (${textOf(program, node)})`)]);
    const removed = ofType(program, "not_operator").flatMap((node) => {
      const argument = field(node, "argument");
      return argument ? [[replace(node, textOf(program, argument))]] : [];
    });
    return [...added, ...removed];
  },
};

/** Drops one operand of `and` or `or`. */
const droppedCondition: Operator = {
  name: "dropped-condition",
  weight: 2,
  find: (program) =>
    ofType(program, "boolean_operator").flatMap((node) =>
      ["left", "right"].flatMap((side) => {
        const operand = field(node, side);
        return operand ? [[replace(node, textOf(program, operand))]] : [];
      }),
    ),
};

const indexShift: Operator = {
  name: "index-shift",
  weight: 2,
  find: (program) =>
    ofType(program, "subscript").flatMap((node) => {
      const index = field(node, "subscript");
      const plain = index && /^(?:identifier|binary_operator)$/.test(index.type) && !enclosing(node, "type");
      return plain ? [[insert(index.end, " + 1")], [insert(index.end, " - 1")]] : [];
    }),
};

const wrongConstant: Operator = {
  name: "wrong-constant",
  weight: 1,
  find: (program) => [
    ...ofType(program, "true").map((node) => [replace(node, "False")]),
    ...ofType(program, "false").map((node) => [replace(node, "True")]),
    ...ofType(program, "none")
      .filter((node) => !enclosing(node, "type"))
      .map((node) => [replace(node, "0")]),
    ...ofType(program, "float").map((node) => [
      replace(node, `${Number(textOf(program, node).replaceAll("_", "")) * 10}`),
    ]),
    ...ofType(program, "integer")
      .filter((node) => /^[1-9]\d+$/.test(textOf(program, node)))
      .map((node) => [replace(node, textOf(program, node).slice(0, -1))]),
    ...ofType(program, "unary_operator")
      .filter((node) => textOf(program, field(node, "operator") ?? node) === "-")
      .map((node) => [replace(node, textOf(program, field(node, "argument") ?? node))]),
  ],
};

/** Swaps two neighbouring operands or arguments. */
const swappedArguments: Operator = {
  name: "swapped-arguments",
  weight: 2,
  find: (program) => {
    const lists = ofType(program, "argument_list").map((node) =>
      parts(node).filter(({ type }) => type !== "keyword_argument" && !type.endsWith("_splat")),
    );
    const operands = ofType(program, "binary_operator")
      .filter((node) => /^(?:-|\/|\/\/|%|\*\*)$/.test(textOf(program, field(node, "operator") ?? node)))
      .map((node) => [field(node, "left"), field(node, "right")].filter((side) => side !== undefined));
    return [...lists, ...operands].flatMap((items) =>
      items.slice(1).flatMap((right, i) => {
        const left = items[i] as Node;
        const [a, b] = [textOf(program, left), textOf(program, right)];
        return a === b ? [] : [[replace(left, b), replace(right, a)]];
      }),
    );
  },
};

export const expressionOperators: readonly Operator[] = [
  arithmeticOperator,
  comparisonOperator,
  booleanOperator,
  offByOne,
  negatedCondition,
  droppedCondition,
  indexShift,
  wrongConstant,
  swappedArguments,
];
