/** Which expressions can be moved, dropped or evaluated in another order without any effect. */
import { oncePer } from "../../../../util/remember.ts";
import { CONSUMING_FUNCTIONS, LAZY_FUNCTIONS, STEADY_FUNCTIONS } from "../../syntax/builtins.ts";
import { forEach, isName, namesIn, type Term } from "./terms.ts";

/** Methods of built-in values that change nothing. The program's own classes may have methods with the same names that do. */
const METHODS = new Set(
  `bit_length capitalize casefold center copy count decode difference encode endswith expandtabs find format get index
  intersection is_integer isalnum isalpha isascii isdecimal isdigit isdisjoint isidentifier islower isnumeric isprintable
  isspace issubset issuperset istitle isupper items join keys ljust lower lstrip partition removeprefix removesuffix
  replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase symmetric_difference
  title translate union upper values zfill`.split(/\s+/),
);

/** How a program uses the names that rewrites rely on. */
export interface Meanings {
  /** Whether a builtin's name means that builtin throughout the program. */
  isBuiltin(name: string): boolean;
  /** Whether the program has classes, whose methods and operators may do anything. */
  readonly hasClasses: boolean;
}

const HARMLESS_MODULES =
  /^(?:math|typing|collections|itertools|functools|heapq|bisect|string|re|random|operator|copy|sys|os|datetime|decimal|fractions|statistics|queue|abc|enum|time)$/;

const BINDERS: ReadonlySet<string> = new Set([
  "assign",
  "chain",
  "augment",
  "annotated",
  "for",
  "forin",
  "walrus",
  "withitem",
  "handler",
]);

export const meaningsOf: (program: Term) => Meanings = oncePer((program: Term): Meanings => {
  const bound = new Set<string>();
  let hasClasses = false;
  let anything = false; // a wildcard import
  const bindNames = (target: Term): void => {
    if (isName(target)) bound.add(target.text);
    else if (/^(?:tuple|list|star|default|parameters)$/.test(target.kind)) target.items.forEach(bindNames);
  };
  forEach(program, (part) => {
    if (BINDERS.has(part.kind)) part.items.forEach(bindNames);
    else if (part.kind === "parameters") bindNames(part);
    else if (part.kind === "function") bound.add(part.text.replace(/^.* /, ""));
    else if (part.kind === "class") {
      hasClasses = true;
      bound.add(part.text);
    } else if (part.kind === "import") {
      for (const { text } of part.items) {
        bound.add(text.replace(/^.* /, "").split(".")[0]!);
        if (text === "*" && !HARMLESS_MODULES.test(part.text)) anything = true;
      }
      if (part.text === "math" && part.items.some(({ text }) => text === "*")) bound.add("pow");
    }
  });
  return { isBuiltin: (name) => !anything && !bound.has(name), hasClasses };
});

/** Whether evaluation never raises and has no effect, whatever the variables hold. */
export function isTotal(of: Term): boolean {
  switch (of.kind) {
    case "name":
    case "literal":
      return true;
    case "tuple":
    case "list":
    case "not":
    case "logic":
    case "conditional":
      return of.items.every((item) => item.kind !== "star" && isTotal(item));
    case "unary":
      return of.items[0].kind === "literal";
    case "compare":
      return /^(?:==|!=|is|is not)(?:,(?:==|!=|is|is not))*$/.test(of.text) && of.items.every(isTotal);
    default:
      return false;
  }
}

/** Whether a term is total and reads no variable. A variable might be unbound. */
export const isConstant = (of: Term): boolean => isTotal(of) && namesIn(of).size === 0;

/** Whether evaluation changes nothing. It may raise. */
export function isPure(of: Term, meanings: Meanings): boolean {
  switch (of.kind) {
    case "yield":
    case "await":
    case "walrus":
      return false;
    case "call":
      return (
        (isSteadyCall(of, meanings) || isConsumer(of, meanings)) && of.items.every((item) => isPure(item, meanings))
      );
    case "lambda":
      return true;
    default:
      return of.items.every((item) => isPure(item, meanings));
  }
}

/** Whether a term is pure and gives the same value anywhere among other pure expressions, i.e. consumes no iterator. */
export const isSteady = (of: Term, meanings: Meanings): boolean =>
  of.kind !== "comprehension" &&
  of.kind !== "star" &&
  (of.kind !== "call" || isSteadyCall(of, meanings)) &&
  (of.kind === "lambda" || of.items.every((item) => isSteady(item, meanings))) &&
  isPure(of, meanings);

function isSteadyCall(of: Term, meanings: Meanings): boolean {
  const callee = of.items[0]!;
  if (isName(callee)) return STEADY_FUNCTIONS.has(callee.text) && meanings.isBuiltin(callee.text);
  return callee.kind === "attribute" && callee.text !== "join" && METHODS.has(callee.text) && !meanings.hasClasses;
}

function isConsumer(of: Term, meanings: Meanings): boolean {
  const callee = of.items[0]!;
  if (isName(callee)) {
    const consumes = CONSUMING_FUNCTIONS.has(callee.text) || LAZY_FUNCTIONS.has(callee.text);
    return consumes && meanings.isBuiltin(callee.text);
  }
  return callee.kind === "attribute" && callee.text === "join" && !meanings.hasClasses;
}

/** Whether the value is always True or False. */
export function isBoolean(of: Term, meanings: Meanings): boolean {
  switch (of.kind) {
    case "literal":
      return of.text === "True" || of.text === "False";
    case "compare":
      return !meanings.hasClasses || /^(?:is|is not|in|not in)$/.test(of.text);
    case "not":
      return true;
    case "logic":
      return of.items.every((item) => isBoolean(item, meanings));
    case "conditional":
      return isBoolean(of.items[0], meanings) && isBoolean(of.items[2], meanings);
    case "call": {
      const callee = of.items[0];
      if (isName(callee)) {
        return (
          /^(?:all|any|bool|callable|hasattr|isinstance|issubclass)$/.test(callee.text) &&
          meanings.isBuiltin(callee.text)
        );
      }
      return (
        callee.kind === "attribute" &&
        /^(?:is[a-z]+|startswith|endswith)$/.test(callee.text) &&
        METHODS.has(callee.text) &&
        !meanings.hasClasses
      );
    }
    default:
      return false;
  }
}

/** Whether the value is certainly an integer, so that negating an ordering gives its exact opposite. */
export function isInteger(of: Term, meanings: Meanings): boolean {
  if (of.kind === "literal") return /^\d+$/.test(of.text);
  if (of.kind === "unary") return isInteger(of.items[0], meanings);
  if (of.kind === "operation")
    return /^(?:\+|-|\*|\/\/|%)$/.test(of.text) && of.items.every((item) => isInteger(item, meanings));
  const callee = of.kind === "call" ? of.items[0] : undefined;
  return isName(callee) && /^(?:len|ord)$/.test(callee.text) && meanings.isBuiltin(callee.text);
}
