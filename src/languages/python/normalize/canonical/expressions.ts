/** Rewrites expressions, innermost first. Each rewrite keeps the value, whatever its variables hold. */
import { collected, identityOf, rewriteCall } from "./calls.ts";
import { isBoolean, isInteger, isPure, isTotal, type Meanings } from "./purity.ts";
import {
  argumentsOf,
  call,
  isLiteral,
  literal,
  mapItems,
  remade,
  type Term,
  type TermOf,
  term,
  withItems,
} from "./terms.ts";

/** The canonical form of an expression, or of a statement with its expressions. */
export function simplify(of: Term, meanings: Meanings): Term {
  return rewrite(
    mapItems(of, (item) => simplify(item, meanings)),
    meanings,
  );
}

function rewrite(of: Term, meanings: Meanings): Term {
  switch (of.kind) {
    case "compare":
      return turned(of, meanings);
    case "not":
      return negate(of.items[0], meanings);
    case "logic":
      return {
        ...of,
        items: of.items.flatMap((item) => (item.kind === "logic" && item.text === of.text ? item.items : [item])),
      };
    case "conditional":
      return rewriteConditional(of.items, meanings);
    case "if":
    case "while":
      return withItems(of, [truth(of.items[0], meanings), of.items[1], of.items[2]]);
    case "ifin":
      return withItems(of, [truth(of.items[0], meanings)]);
    case "comprehension":
      return collected(mergeConditions(of), meanings);
    case "slice": {
      const [from, to, step] = of.items;
      const isFromStart = isLiteral(from, "0") && step.kind === "nothing";
      return isFromStart ? term("slice", [term("nothing", []), to, step]) : of;
    }
    case "call":
      return rewriteCall(of, meanings);
    case "for":
    case "forin": {
      const over = identityOf(of.items[1], meanings);
      return over === of.items[1] ? of : withItems(of, [of.items[0], over, ...of.items.slice(2)]);
    }
    default:
      return of;
  }
}

const MIRRORED: Readonly<Record<string, string>> = { ">": "<", ">=": "<=" };

/** `a > b` as `b < a`, `0 == a` as `a == 0`. */
function turned(of: TermOf<"compare">, meanings: Meanings): Term {
  const operators = of.text.split(",");
  const [left, right] = of.items;
  if (operators.every((operator) => MIRRORED[operator] !== undefined)) {
    const free = operators.length === 1 ? of.items.every((item) => isPure(item, meanings)) : of.items.every(isTotal);
    const [first, second, ...more] = [...of.items].reverse();
    if (!free) return of;
    return term(
      "compare",
      [first!, second!, ...more],
      operators
        .reverse()
        .map((operator) => MIRRORED[operator])
        .join(),
    );
  }
  const isConstantFirst = left.kind === "literal" && right.kind !== "literal";
  return /^(?:==|!=)$/.test(of.text) && isConstantFirst ? term("compare", [right, left], of.text) : of;
}

const OPPOSITES: Readonly<Record<string, string>> = {
  "==": "!=",
  "!=": "==",
  in: "not in",
  "not in": "in",
  is: "is not",
  "is not": "is",
};
const INTEGER_OPPOSITES: Readonly<Record<string, string>> = { "<": ">=", "<=": ">" };

/**
 * `not of`, with the negation pushed inwards. Orderings are inverted only between integers, because with nan or sets both may be
 * false.
 * @param isTest whether only the truth of the result matters
 */
export function negate(of: Term, meanings: Meanings, isTest = false): Term {
  const not = (inner: Term): Term => negate(inner, meanings, isTest);
  switch (of.kind) {
    case "literal":
      if (of.text === "True") return literal("False");
      return of.text === "False" ? literal("True") : term("not", [of]);
    case "not":
      if (isTest || isBoolean(of.items[0], meanings)) return of.items[0];
      return meanings.isBuiltin("bool") ? call("bool", of.items[0]) : term("not", [of]);
    case "logic":
      return term("logic", of.items.map(not), of.text === "and" ? "or" : "and");
    case "compare": {
      const opposite = OPPOSITES[of.text];
      if (opposite !== undefined) return remade(of, of.items, opposite);
      const other = INTEGER_OPPOSITES[of.text];
      if (other === undefined || !of.items.every((item) => isInteger(item, meanings))) return term("not", [of]);
      return turned(remade(of, of.items, other), meanings);
    }
    case "call":
      return negateQuantifier(of, meanings) ?? term("not", [of]);
    default:
      return term("not", [of]);
  }
}

/** `not any(c for ...)` as `all(not c for ...)`, and the reverse. */
function negateQuantifier(of: Term, meanings: Meanings): Term | null {
  for (const [callee, other] of [
    ["any", "all"],
    ["all", "any"],
  ] as const) {
    const [only, ...more] = argumentsOf(of, callee) ?? [];
    if (only?.kind !== "comprehension" || only.text !== "generator" || more.length > 0) continue;
    if (!meanings.isBuiltin("any") || !meanings.isBuiltin("all")) return null;
    const [element, ...clauses] = only.items;
    return call(other, withItems(only, [negate(element, meanings, true), ...clauses]));
  }
  return null;
}

/** Simplifies a condition of which only the truth matters. */
export function truth(of: Term, meanings: Meanings): Term {
  if (of.kind === "logic") return mapItems(of, (item) => truth(item, meanings));
  if (of.kind === "not") return negate(truth(of.items[0], meanings), meanings, true);
  if (isLiteral(of, "1")) return literal("True");
  const [inner, ...more] = meanings.isBuiltin("bool") ? (argumentsOf(of, "bool") ?? []) : [];
  return inner !== undefined && more.length === 0 && inner.kind !== "keyword" && inner.kind !== "star"
    ? truth(inner, meanings)
    : of;
}

/** The truth of a condition as True or False; null if `bool` does not mean the builtin. */
export function asBoolean(of: Term, meanings: Meanings): Term | null {
  if (isBoolean(of, meanings)) return of;
  return meanings.isBuiltin("bool") ? call("bool", of) : null;
}

function rewriteConditional([yes, condition, no]: readonly [Term, Term, Term], meanings: Meanings): Term {
  const test = truth(condition, meanings);
  if (isLiteral(yes, "True") && isLiteral(no, "False")) {
    const value = asBoolean(test, meanings);
    if (value !== null) return value;
  }
  if (isLiteral(yes, "False") && isLiteral(no, "True")) return negate(test, meanings);
  return isNegative(test)
    ? term("conditional", [no, negate(test, meanings, true), yes])
    : term("conditional", [yes, test, no]);
}

/** Whether a condition is written as the negation of a simpler one. */
export const isNegative = (of: Term): boolean =>
  of.kind === "not" || (of.kind === "compare" && /^(?:!=|not in|is not)$/.test(of.text));

/** `for a in b if c if d` as `for a in b if c and d`. */
function mergeConditions(of: TermOf<"comprehension">): TermOf<"comprehension"> {
  const [element, ...clauses] = of.items;
  const merged: Term[] = [];
  for (const clause of clauses) {
    const last = merged.at(-1);
    if (clause.kind === "ifin" && last?.kind === "ifin")
      merged[merged.length - 1] = term("ifin", [both(last.items[0], clause.items[0])]);
    else merged.push(clause);
  }
  return withItems(of, [element, ...merged]);
}

/** `a and b`, flattened. */
export const both = (a: Term, b: Term): Term =>
  term(
    "logic",
    [a, b].flatMap((item) => (item.kind === "logic" && item.text === "and" ? item.items : [item])),
    "and",
  );
