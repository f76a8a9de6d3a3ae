/** Control flow in a Python tree. A jump that only a call causes (`sys.exit()`) is not recognized. */

import { oncePer } from "../../../util/remember.ts";
import { type Control, type ControlFlow, controlFlow, truthOf } from "./control-flow.ts";
import { field, type Node, type Program, parts, textOf } from "./walk.ts";

/** The control flow of a program's statements and blocks. */
export const flowOf: (program: Program) => ControlFlow<Node> = oncePer((program: Program) =>
  controlFlow((node: Node) => controlOf(node, program)),
);

const NONE: readonly Node[] = [];

/** The statements of a block or module; empty for any other node. */
export const statementsOf = (node: Node): readonly Node[] =>
  node.type === "block" || node.type === "module" ? parts(node) : NONE;

const blockIn = (node: Node | undefined): Node | undefined => node?.children.find(({ type }) => type === "block");

const clausesOf = ({ children }: Node, clause: RegExp): Node[] => children.filter(({ type }) => clause.test(type));

const elseOf = (node: Node): Node | undefined => blockIn(clausesOf(node, /^else_clause$/)[0]);

/** The constant value of the condition of an `if`, `elif` or `while`; null if it varies. */
export const conditionOf = (node: Node, program: Program): boolean | null => truth(field(node, "condition"), program);

function truth(condition: Node | undefined, program: Program): boolean | null {
  if (condition === undefined) return null;
  if (condition.type === "parenthesized_expression") return truth(condition.children[1], program);
  return truthOf(textOf(program, condition));
}

function controlOf(node: Node, program: Program): Control<Node> {
  switch (node.type) {
    case "return_statement":
    case "raise_statement":
    case "continue_statement":
      return "jump";
    case "break_statement":
      return "break";
    case "assert_statement":
      return truth(node.children[1], program) === false ? "jump" : "next";
    case "block":
    case "module":
      return { kind: "sequence", statements: statementsOf(node) };
    case "if_statement":
      return choiceOf(node, program);
    case "match_statement": {
      const cases = clausesOf(field(node, "body") ?? node, /^case_clause$/);
      return { kind: "choice", branches: cases.map(blockIn), exhaustive: cases.some(takesAll) };
    }
    case "while_statement":
    case "for_statement":
      return {
        kind: "loop",
        condition: conditionOf(node, program),
        body: field(node, "body"),
        otherwise: elseOf(node),
      };
    case "try_statement":
      return {
        kind: "try",
        body: field(node, "body"),
        handlers: clausesOf(node, /^except_(?:group_)?clause$/).map(blockIn),
        otherwise: elseOf(node),
        last: blockIn(clausesOf(node, /^finally_clause$/)[0]),
      };
    case "with_statement":
      return { kind: "with", body: field(node, "body"), suppresses: true };
    default:
      return "next";
  }
}

function choiceOf(node: Node, program: Program): Control<Node> {
  const branches: (Node | undefined)[] = [];
  for (const clause of [node, ...clausesOf(node, /^(?:elif|else)_clause$/)]) {
    const condition = clause.type === "else_clause" || conditionOf(clause, program);
    if (condition !== false) branches.push(blockIn(clause));
    if (condition === true) return { kind: "choice", branches, exhaustive: true };
  }
  return { kind: "choice", branches, exhaustive: false };
}

/** Whether a `case` matches any value: `case _` or `case name`, possibly in brackets, as the last of several alternatives, or with `as`. */
function takesAll({ children }: Node): boolean {
  const patterns = children.filter(({ type }) => /^(?:case_pattern|if_clause|,)$/.test(type));
  return patterns.length === 1 && isIrrefutable(patterns[0]!);
}

function isIrrefutable({ type, children }: Node): boolean {
  switch (type) {
    case "_":
    case "identifier":
      return true;
    case "case_pattern":
    case "dotted_name":
      return children.length === 1 && isIrrefutable(children[0]!);
    case "as_pattern":
      return isIrrefutable(children[0]!);
    case "union_pattern":
      return isIrrefutable(children.at(-1)!);
    case "tuple_pattern": // one pattern in brackets, unless a comma follows
      return children.length === 3 && isIrrefutable(children[1]!);
    default:
      return false;
  }
}
