/** Mutation operators on whole statements: dropped, duplicated, reordered, a forgotten branch, a wrong start or end. */

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
import {
  blockLines,
  blocksOf,
  type Change,
  indentOf,
  indentUnit,
  insert,
  isDocstring,
  isIndentable,
  linesOf,
  type Operator,
  ofNeighbours,
  reindent,
  removal,
  replace,
} from "./edits.ts";
import { boundIn, parameterNames } from "./names.ts";

const inFunction = (node: Node): boolean => enclosing(node, "function_definition") !== null;

/** The statements that do something, by block: no docstrings, definitions, imports or `pass`. */
const working = (program: Program): Node[][] =>
  blocksOf(program).map((block) => block.filter((node) => !isDocstring(node) && !isDefinition(node)));

const isDefinition = ({ type }: Node): boolean =>
  /^(?:function_definition|class_definition|decorated_definition|import_.*|pass_statement)$/.test(type);

/** Whether a statement is inside a function. In a program without functions, which may read stdin, all its statements count. */
const isInside = (program: Program, node: Node): boolean =>
  inFunction(node) || ofType(program, "function_definition").length === 0;

const droppedStatement: Operator = {
  name: "dropped-statement",
  weight: 3,
  find: (program) =>
    working(program)
      .flat()
      .filter((node) => isInside(program, node) && !isAccumulatorStart(node))
      .map((node) => removal(program, node))
      .filter((change) => change !== null),
};

/** Whether dropping a statement (`total = 0`) would leave an undefined name. Another operator does that damage. */
const isAccumulatorStart = (node: Node): boolean =>
  node.type === "expression_statement" && node.children[0]?.type === "assignment";

const swappedStatements: Operator = {
  name: "swapped-statements",
  weight: 2,
  find: (program) =>
    ofNeighbours(working(program), (first, second): Change[] => {
      if (!isInside(program, first)) return [];
      const [a, b] = [linesOf(program, first), linesOf(program, second)];
      if (!a || !b || a.end !== b.start) return [];
      const text = program.code;
      const upper = text.slice(b.start, b.end);
      return [
        [
          replace(
            { start: a.start, end: b.end },
            `${upper}${upper.endsWith("\n") ? "" : "\n"}${text.slice(a.start, a.end)}`,
          ),
        ],
      ];
    }),
};

const duplicatedStatement: Operator = {
  name: "duplicated-statement",
  weight: 1,
  find: (program) =>
    working(program)
      .flat()
      .filter((node) => node.type === "expression_statement" && isInside(program, node))
      .flatMap((node) => {
        const lines = linesOf(program, node);
        const text = lines ? program.code.slice(lines.start, lines.end) : "";
        return lines ? [[insert(lines.end, text.endsWith("\n") ? text : `\n${text}`)]] : [];
      }),
};

/** A forgotten guard: removes an `if` that only returns, raises, continues or breaks. */
const missingEdgeCase: Operator = {
  name: "missing-edge-case",
  weight: 4,
  find: (program) =>
    ofType(program, "if_statement")
      .filter((node) => isInside(program, node) && fields(node, "alternative").length === 0)
      .filter((node) => {
        const body = parts(field(node, "consequence") ?? node);
        return body.length === 1 && /^(?:return|raise|continue|break)_statement$/.test(body[0]?.type ?? "");
      })
      .map((node) => removal(program, node))
      .filter((change) => change !== null),
};

const droppedBranch: Operator = {
  name: "dropped-branch",
  weight: 2,
  find: (program) =>
    ofType(program, "elif_clause", "else_clause").flatMap((node) => {
      const lines = linesOf(program, node);
      return lines && node.parent?.type === "if_statement" ? [[replace(lines, "")]] : [];
    }),
};

/** Moves the `return` after a loop into the loop: the answer after one iteration. */
const earlyReturn: Operator = {
  name: "early-return",
  weight: 2,
  find: (program) =>
    ofNeighbours(working(program), (loop, last): Change[] => {
      if (
        last.type !== "return_statement" ||
        !/^(?:for|while)_statement$/.test(loop.type) ||
        !isIndentable(program, last)
      )
        return [];
      const lines = linesOf(program, last);
      if (!lines) return [];
      const from = indentOf(program, last);
      return [[replace(lines, reindent(program.code.slice(lines.start, lines.end), from, from + indentUnit(program)))]];
    }),
};

/** Moves the last statement of a loop behind it: done once instead of in every iteration. */
const leftLoop: Operator = {
  name: "left-loop",
  weight: 1,
  find: (program) =>
    ofType(program, "for_statement").flatMap((loop) => {
      const body = parts(field(loop, "body") ?? loop);
      const last = body[body.length - 1];
      const lines = last && body.length > 1 && linesOf(program, last);
      if (!lines || field(loop, "alternative") || !isIndentable(program, last)) return [];
      return [
        [
          replace(
            lines,
            reindent(program.code.slice(lines.start, lines.end), indentOf(program, last), indentOf(program, loop)),
          ),
        ],
      ];
    }),
};

/** `total += x` in a loop becomes `total = x`: the last iteration's value instead of the sum. */
const wrongAccumulator: Operator = {
  name: "wrong-accumulator",
  weight: 2,
  find: (program) =>
    ofType(program, "augmented_assignment")
      .filter((node) => enclosing(node, "for_statement", "while_statement") !== null)
      .flatMap((node) => {
        const operator = field(node, "operator");
        return operator ? [[replace(operator, "=")]] : [];
      }),
};

const starts: Record<string, readonly string[]> = {
  "0": ["1", "-1"],
  "1": ["0"],
  "-1": ["0"],
  "[]": ["[0]"],
  '""': ['" "'],
  "''": ["' '"],
  "{}": ["{0: 0}"],
  "set()": ["{0}"],
  True: ["False"],
  False: ["True"],
  "float('inf')": ["0"],
  'float("inf")': ["0"],
  "float('-inf')": ["0"],
  'float("-inf")': ["0"],
};

const wrongStart: Operator = {
  name: "wrong-start",
  weight: 3,
  find: (program) =>
    ofType(program, "assignment")
      .filter((node) => !enclosing(node, "for_statement", "while_statement") && isInside(program, node))
      .flatMap((node) => {
        const value = field(node, "right");
        return value ? (starts[textOf(program, value)] ?? []).map((text) => [replace(value, text)]) : [];
      }),
};

const wrongReturn: Operator = {
  name: "wrong-return",
  weight: 2,
  find: (program, rng) =>
    ofType(program, "return_statement").flatMap((node) => {
      const value = parts(node)[0];
      const definition = enclosing(node, "function_definition");
      if (!value || !definition) return [];
      const names = [...boundIn(program, definition)].filter((name) => name !== textOf(program, value));
      const own = parameterNames(definition)
        .map((parameter) => textOf(program, parameter))
        .filter((name) => names.includes(name));
      const wrong = names.length > 0 ? rng.pick(rng.chance(0.7) ? names : own.length > 0 ? own : names) : "None";
      return [[replace(value, wrong)], ...(value.type === "none" ? [] : [[replace(value, "None")]])];
    }),
};

/** `break` becomes `continue`, and the other way round. */
const wrongJump: Operator = {
  name: "wrong-jump",
  weight: 1,
  find: (program) => [
    ...ofType(program, "break_statement").map((node) => [replace(node, "continue")]),
    ...ofType(program, "continue_statement").map((node) => [replace(node, "break")]),
  ],
};

/** `elif` becomes `if`. */
const splitBranch: Operator = {
  name: "split-branch",
  weight: 1,
  find: (program) =>
    ofType(program, "elif_clause").flatMap((node) => {
      const keyword = node.children.find(({ type }) => type === "elif");
      return keyword ? [[replace(keyword, "if")]] : [];
    }),
};

/** The body ends early: `return None` or `pass` replaces all statements from some point on. */
const stubBody: Operator = {
  name: "stub-body",
  weight: 1,
  find: (program) =>
    ofType(program, "function_definition").flatMap((definition): Change[] => {
      const body = field(definition, "body");
      const statements = body ? parts(body).filter((node) => !isDocstring(node)) : [];
      const lines = body && blockLines(program, body);
      if (!lines || statements.length < 2 || !body) return [];
      return statements.slice(1).flatMap((node) => {
        const from = linesOf(program, node)?.start;
        if (from === undefined) return [];
        const end = descendants(node).some(({ type }) => type === "return_statement") ? "return None" : "pass";
        return [[replace({ start: from, end: lines.end }, `${indentOf(program, node)}${end}\n`)]];
      });
    }),
};

export const statementOperators: readonly Operator[] = [
  droppedStatement,
  swappedStatements,
  duplicatedStatement,
  missingEdgeCase,
  droppedBranch,
  earlyReturn,
  leftLoop,
  wrongAccumulator,
  wrongStart,
  wrongReturn,
  wrongJump,
  splitBranch,
  stubBody,
];
