/** Expressions as Python source, with brackets by the table of the Python Language Reference, 6.17. */
import type { Term } from "./terms.ts";

/** How tightly operators bind; what binds less than its place asks for gets brackets. */
const LAMBDA = 1;
const CONDITIONAL = 2;
const OR = 3;
const AND = 4;
const NOT = 5;
const COMPARE = 6;
const BITS_OR = 7;
const UNARY = 13;
const POWER = 14;
const AWAIT = 15;
const ATOM = 16;

const OPERATIONS: Readonly<Record<string, number>> = {
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

function strengthOf(of: Term): number {
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

/** @param least how tightly it must bind to stand without brackets */
export function printExpression(of: Term, least = LAMBDA): string {
  const text = bare(of);
  return strengthOf(of) < least ? `(${text})` : text;
}

/** Where a tuple needs no brackets: targets, what is assigned, returned or looped over, a statement of its own. */
export function printTarget(of: Term): string {
  if (of.kind === "tuple" && of.items.length > 0) return commas(of.items) + (of.items.length === 1 ? "," : "");
  return of.kind === "yield" ? bare(of) : printExpression(of);
}

const commas = (items: readonly Term[]): string => items.map((item) => printExpression(item)).join(", ");

function bare(of: Term): string {
  switch (of.kind) {
    case "operation": {
      const strength = OPERATIONS[of.text]!;
      const [left, right] = of.items;
      if (of.text === "**") return `${printExpression(left, AWAIT)} ** ${printExpression(right, UNARY)}`;
      return `${printExpression(left, strength)} ${of.text} ${printExpression(right, strength + 1)}`;
    }
    case "unary":
      return of.text + printExpression(of.items[0], UNARY);
    case "not":
      return `not ${printExpression(of.items[0], NOT)}`;
    case "await":
      return `await ${printExpression(of.items[0], ATOM)}`;
    case "logic":
      return of.items.map((item) => printExpression(item, of.text === "or" ? AND : NOT)).join(` ${of.text} `);
    case "compare": {
      const operators = of.text.split(",");
      const [first, ...rest] = of.items.map((item) => printExpression(item, BITS_OR));
      return first + rest.map((item, i) => ` ${operators[i]} ${item}`).join("");
    }
    case "conditional": {
      const [yes, condition, no] = of.items;
      return `${printExpression(yes, OR)} if ${printExpression(condition, OR)} else ${printExpression(no, LAMBDA)}`;
    }
    case "lambda": {
      const parameters = printParameters(of.items[0]);
      return `lambda${parameters === "" ? "" : " "}${parameters}: ${printExpression(of.items[1])}`;
    }
    case "walrus":
      return `${printExpression(of.items[0])} := ${printExpression(of.items[1])}`;
    case "yield":
      return `yield${of.text === "" ? "" : " from"}${of.items[0].kind === "nothing" ? "" : ` ${printTarget(of.items[0])}`}`;
    case "comprehension":
      return printComprehension(of.text, of.items);
    default:
      return printAtom(of);
  }
}

function printAtom(of: Term): string {
  switch (of.kind) {
    case "call": {
      const [callee, list] = of.items;
      const [only, ...more] = list.items;
      const isGenerator = only?.kind === "comprehension" && only.text === "generator" && more.length === 0;
      return printExpression(callee, ATOM) + (isGenerator ? bare(only) : `(${commas(list.items)})`);
    }
    case "attribute": {
      const [object] = of.items;
      const isNumber = object.kind === "literal" && /^\d/.test(object.text);
      return `${isNumber ? `(${object.text})` : printExpression(object, ATOM)}.${of.text}`;
    }
    case "subscript": {
      const [object, ...indices] = of.items;
      return `${printExpression(object, ATOM)}[${commas(indices)}]`;
    }
    case "slice": {
      const [from, to, step] = of.items.map((part) => (part.kind === "nothing" ? "" : printExpression(part)));
      return `${from}:${to}${step === "" ? "" : `:${step}`}`;
    }
    case "tuple":
      return `(${commas(of.items)}${of.items.length === 1 ? "," : ""})`;
    case "list":
      return `[${commas(of.items)}]`;
    case "set":
    case "dict":
      return `{${commas(of.items)}}`;
    case "pair":
      return `${printExpression(of.items[0])}: ${printExpression(of.items[1])}`;
    case "keyword":
      return `${of.text}=${printExpression(of.items[0])}`;
    case "star":
      return of.text + printExpression(of.items[0], BITS_OR);
    default:
      return of.text;
  }
}

const BRACKETS: Readonly<Record<string, string>> = { list: "[]", set: "{}", dict: "{}", generator: "()" };

function printComprehension(kind: string, [element, ...clauses]: readonly [Term, ...Term[]]): string {
  const tail = clauses.map((clause) => {
    if (clause.kind === "ifin") return ` if ${printExpression(clause.items[0], OR)}`;
    const [target, over] = clause.items as readonly [Term, Term];
    const waiting = clause.text === "async" ? " async" : "";
    return `${waiting} for ${printTarget(target)} in ${printExpression(over, OR)}`;
  });
  const [open, close] = [...BRACKETS[kind]!];
  return open + printExpression(element) + tail.join("") + close;
}

export const printParameters = ({ items }: Term): string =>
  items
    .map((item) => {
      if (item.kind === "default") return `${printExpression(item.items[0])}=${printExpression(item.items[1])}`;
      return item.kind === "separator" ? item.text : printExpression(item);
    })
    .join(", ");
