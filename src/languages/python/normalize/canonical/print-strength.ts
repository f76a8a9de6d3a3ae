/**
 * How tightly expressions bind (Python Language Reference, 6.17). An expression that binds less tightly than its place requires
 * gets brackets.
 */
import type { Term } from "./terms.ts";

export const LAMBDA = 1;
const CONDITIONAL = 2;
export const OR = 3;
export const AND = 4;
export const NOT = 5;
const COMPARE = 6;
export const BITS_OR = 7;
export const UNARY = 13;
const POWER = 14;
export const AWAIT = 15;
export const ATOM = 16;

export const OPERATIONS: Readonly<Record<string, number>> = {
  "|": 7,
  "^": 8,
  "&": 9,
  "<<": 10,
  ">>": 10,
  "+": 11,
  "-": 11,
  "*": 12,
  "/": 12,
  "//": 12,
  "%": 12,
  "@": 12,
  "**": POWER,
};

export function strengthOf(of: Term): number {
  switch (of.kind) {
    case "yield":
    case "walrus":
      return 0;
    case "lambda":
      return LAMBDA;
    case "conditional":
      return CONDITIONAL;
    case "logic":
      return of.text === "or" ? OR : AND;
    case "not":
      return NOT;
    case "compare":
      return COMPARE;
    case "operation":
      return OPERATIONS[of.text]!;
    case "unary":
      return UNARY;
    case "await":
      return AWAIT;
    default:
      return ATOM;
  }
}
