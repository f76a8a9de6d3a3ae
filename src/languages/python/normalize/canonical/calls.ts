/** Rewrites calls of builtins: `map` and `filter` to comprehensions, and each collection to one way of building it. */
import type { Meanings } from "./purity.ts";
import {
  argumentsOf,
  call,
  isLiteral,
  isName,
  name,
  remade,
  type Term,
  type TermOf,
  term,
  withItems,
} from "./terms.ts";

/** Functions that consume their first argument completely at once, and use only its elements. */
const EATERS = /^(?:dict|frozenset|list|max|min|set|sorted|sum|tuple)$/;
/** Functions that may stop early. */
const TASTERS = /^(?:all|any|enumerate|filter|map|zip)$/;

/** Name of the comprehension variable that stands for the argument of a function without a parameter name. */
const ELEMENT = "element_";

export function rewriteCall(of: TermOf<"call">, meanings: Meanings): Term {
  const [callee, list] = of.items;
  const name = calledName(callee, meanings);
  if (name === null) return of;
  if (name === "range") return withItems(of, [callee, withItems(list, rangeBounds(list.items))]);
  if (list.items.length === 0 && (name === "list" || name === "dict")) return term(name, []);
  const [first, ...more] = list.items;
  if (first === undefined || first.kind === "star" || first.kind === "keyword") return of;
  const eats = EATERS.test(name) || name === "join";
  if (!eats && !TASTERS.test(name)) return of;
  if (more.some(({ kind }) => kind === "star")) return of;
  if (
    more.length > 0 &&
    /^(?:max|min|enumerate|zip|map|filter)$/.test(name) &&
    more.some(({ kind }) => kind !== "keyword")
  )
    return of;
  let given = comprehended(first, meanings);
  if (eats && given.kind === "comprehension" && given.text === "list") given = remade(given, given.items, "generator");
  given = name === "dict" ? given : identity(given);
  if (eats) given = withoutList(given, meanings);
  return built(name, given, more, withItems(of, [callee, withItems(list, [given, ...more])]));
}

/** The iterable of a `for`, with `map` and `filter` as comprehensions. */
export const identityOf = (over: Term, meanings: Meanings): Term => comprehended(over, meanings);

/** The name of the called builtin, or `join` for the method of a literal; null for anything else. */
function calledName(callee: Term, meanings: Meanings): string | null {
  if (isName(callee)) return meanings.isBuiltin(callee.text) ? callee.text : null;
  const isJoin = callee.kind === "attribute" && callee.text === "join" && callee.items[0].kind === "literal";
  return isJoin ? "join" : null;
}

/** `range(0, n)` and `range(0, n, 1)` as `range(n)`. */
function rangeBounds(bounds: readonly Term[]): readonly Term[] {
  if (bounds.some(({ kind }) => kind === "star")) return bounds;
  const [from, to, step] = bounds;
  if (step !== undefined && isLiteral(step, "1")) return rangeBounds([from!, to!]);
  return to !== undefined && step === undefined && isLiteral(from, "0") ? [to] : bounds;
}

/** `list(e for ...)` as `[e for ...]`, and so on. */
function built(name: string, given: Term, more: readonly Term[], otherwise: Term): Term {
  if (more.length > 0) return otherwise;
  if (given.kind === "comprehension" && given.text === "generator") {
    if (name === "list" || name === "set") return remade(given, given.items, name);
    const [element, ...clauses] = given.items;
    if (name === "dict" && element.kind === "tuple" && isPair(element)) {
      const [key, value] = element.items as readonly [Term, Term];
      return term("comprehension", [term("pair", [key, value]), clauses[0]!, ...clauses.slice(1)], "dict");
    }
  }
  if (name === "set" && given.kind === "list" && given.items.length > 0) return term("set", given.items);
  return otherwise;
}

const isPair = ({ items }: Term): boolean => items.length === 2 && items.every(({ kind }) => kind !== "star");

/** Replaces `x for x in xs` by `xs`, where only the elements matter. */
function identity(of: Term): Term {
  if (of.kind !== "comprehension" || of.text !== "generator" || of.items.length !== 2) return of;
  const [element, clause] = of.items;
  const isSame =
    clause.kind === "forin" && clause.text === "" && isName(element) && isName(clause.items[0], element.text);
  return isSame ? clause.items[1] : of;
}

/** Replaces `list(xs)` by `xs`, where only the elements matter and all of them are consumed. */
function withoutList(of: Term, meanings: Meanings): Term {
  const [only, ...more] = meanings.isBuiltin("list") ? (argumentsOf(of, "list") ?? []) : [];
  return only === undefined || more.length > 0 || only.kind === "star" || only.kind === "keyword" ? of : only;
}

/** `[x for x in xs]` as `list(xs)`, `{x for x in xs}` as `set(xs)`. */
export function collected(of: TermOf<"comprehension">, meanings: Meanings): Term {
  if ((of.text !== "list" && of.text !== "set") || !meanings.isBuiltin(of.text)) return of;
  const generator = remade(of, of.items, "generator");
  const source = identity(generator);
  return source === generator ? of : call(of.text, source);
}

/** `map(f, xs)` and `filter(f, xs)` as generators. */
function comprehended(of: Term, meanings: Meanings): Term {
  for (const callee of ["map", "filter"] as const) {
    const [f, over, ...more] = argumentsOf(of, callee) ?? [];
    if (f === undefined || over === undefined || more.length > 0 || !meanings.isBuiltin(callee)) continue;
    if (f.kind === "star" || over.kind === "star") continue;
    const applied = apply(f);
    if (applied === null) continue;
    const [variable, value] = applied;
    const source = identity(comprehended(over, meanings));
    const clause = term("forin", [variable, source]);
    if (callee === "map") return term("comprehension", [value, clause], "generator");
    return term("comprehension", [variable, clause, term("ifin", [value])], "generator");
  }
  return of;
}

/** A variable, and a function's result for it; null if the result cannot be written down. */
function apply(f: Term): readonly [Term, Term] | null {
  const element = name(ELEMENT);
  if (isName(f)) return [element, term("call", [f, term("arguments", [element])])];
  if (f.kind === "attribute" && isName(f.items[0])) return [element, term("call", [f, term("arguments", [element])])];
  if (isLiteral(f, "None")) return [element, element];
  if (f.kind !== "lambda") return null;
  const [only, ...more] = f.items[0].items;
  return isName(only) && more.length === 0 ? [only, f.items[1]] : null;
}
