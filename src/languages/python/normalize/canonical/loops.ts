/** Rewrites loops that build one value to comprehensions, `sum`, `any` and `all`. */
import { both, negate } from "./expressions.ts";
import type { Place, Rule } from "./flow.ts";
import { isTotal } from "./purity.ts";
import type { Scope } from "./scope.ts";
import { argumentsOf, call, isLiteral, isName, mentions, namesIn, some, type Term, term } from "./terms.ts";

/** Nested loops and conditions as clauses, and the statements inside them. */
interface Nest {
  readonly clauses: readonly Term[];
  readonly core: readonly Term[];
}

/** Splits a loop into clauses and core; null if it cannot become a comprehension. */
function nestOf(loop: Term, { scope, inTry }: Place): Nest | null {
  const clauses: Term[] = [];
  let core: readonly Term[] = [loop];
  for (;;) {
    const [only, ...more] = core;
    if (only === undefined || more.length > 0) break;
    if (only.kind === "for" && only.text === "" && only.items[3].items.length === 0) {
      clauses.push(term("forin", [only.items[0], only.items[1]]));
      core = only.items[2].items;
    } else if (only.kind === "if" && only.items[2].items.length === 0 && clauses.length > 0) {
      const last = clauses.at(-1)!;
      if (last.kind === "ifin") clauses[clauses.length - 1] = term("ifin", [both(last.items[0], only.items[0])]);
      else clauses.push(term("ifin", [only.items[0]]));
      core = only.items[1].items;
    } else break;
  }
  const isOdd = some(
    loop,
    (part) => /^(?:yield|await|walrus|lambda|function|class)$/.test(part.kind) || recurses(part, scope),
  );
  if (inTry || isOdd || clauses.length === 0 || scope.kind === "class") return null;
  return clausesAreClear(clauses, scope) ? { clauses, core } : null;
}

/** Whether a term calls a function from inside itself. A comprehension would take an extra frame of the call stack. */
const recurses = (part: Term, { functions }: Scope): boolean => {
  const callee = part.kind === "call" ? part.items[0] : undefined;
  return (isName(callee) || callee?.kind === "attribute") && functions.has(callee.text);
};

/** Whether the loop variables are used only in the loop, and no clause reads one before it is bound. */
function clausesAreClear(clauses: readonly Term[], { loopNames, shared }: Scope): boolean {
  const loops = clauses.filter((clause) => clause.kind === "forin");
  const bound = loops.map((clause) => [...namesIn(clause.items[0]!)]);
  if (bound.flat().some((name) => !loopNames.has(name) || shared.has(name))) return false;
  return loops.every(
    (clause, k) =>
      k === 0 ||
      !bound
        .slice(k)
        .flat()
        .some((name) => mentions(clause.items[1]!, name)),
  );
}

const comprehension = (kind: string, element: Term, clauses: readonly Term[]): Term =>
  term("comprehension", [element, clauses[0]!, ...clauses.slice(1)], kind);

const generator = (element: Term, clauses: readonly Term[]): Term => comprehension("generator", element, clauses);

/** The first statement after `i` that mentions the name, if it is a loop, and its index; null otherwise. */
function loopAfter(items: readonly Term[], i: number, name: string): { loop: Term; at: number } | null {
  const at = items.findIndex((item, k) => k > i && mentions(item, name));
  const loop = items[at];
  return loop?.kind === "for" ? { loop, at } : null;
}

/** The value that a loop builds in a name that starts as `start`; null if it does not match a known pattern. */
function gathered(name: string, start: Term, { clauses, core }: Nest, scope: Scope): Term | null {
  const [only, ...more] = core;
  if (only === undefined || more.length > 0) return null;
  const isEmptyList = (start.kind === "list" && start.items.length === 0) || argumentsOf(start, "list")?.length === 0;
  if (only.kind === "augment" && only.text === "+" && isName(only.items[0], name)) {
    const added = only.items[1];
    if (isLiteral(start, "0") && scope.meanings.isBuiltin("sum")) return call("sum", generator(added, clauses));
    if (isLiteral(start, "''")) return joined(added, clauses);
    const isOne = added.kind === "list" && added.items.length === 1 && added.items[0]!.kind !== "star";
    return isEmptyList && isOne ? comprehension("list", added.items[0]!, clauses) : null;
  }
  const element = addedElement(only, name);
  if (element !== null) {
    if (element.method === "append" && isEmptyList) return comprehension("list", element.value, clauses);
    const isEmptySet = argumentsOf(start, "set")?.length === 0 && scope.meanings.isBuiltin("set");
    return element.method === "add" && isEmptySet ? comprehension("set", element.value, clauses) : null;
  }
  if (only.kind !== "assign" || only.items[0].kind !== "subscript" || start.kind !== "dict" || start.items.length > 0)
    return null;
  const [object, key, ...keys] = only.items[0].items;
  const isKey = isName(object, name) && key !== undefined && key.kind !== "slice" && keys.length === 0;
  if (!isKey || !(isTotal(key) || isTotal(only.items[1]))) return null;
  return comprehension("dict", term("pair", [key, only.items[1]]), clauses);
}

const joined = (added: Term, clauses: readonly Term[]): Term =>
  term("call", [
    term("attribute", [term("literal", [], "''")], "join"),
    term("arguments", [generator(added, clauses)]),
  ]);

/** The method and argument of `name.append(value)` or `name.add(value)`. */
function addedElement(of: Term, name: string): { method: string; value: Term } | null {
  const added = of.kind === "expression" ? of.items[0] : of;
  if (added.kind !== "call" || added.items[0].kind !== "attribute" || !isName(added.items[0].items[0], name))
    return null;
  const [value, ...more] = added.items[1].items;
  if (value === undefined || more.length > 0 || value.kind === "star" || value.kind === "keyword") return null;
  return { method: added.items[0].text, value };
}

/** `x = []`, `for ...: x.append(e)` as `x = [e for ...]`; sets, dicts, sums and texts likewise. */
const gatheringLoop: Rule = (items, i, place) => {
  const start = items[i];
  if (start?.kind !== "assign" || !isName(start.items[0]) || place.scope.shared.has(start.items[0].text)) return null;
  const [target, first] = start.items;
  const found = isStart(first) ? loopAfter(items, i, target.text) : null;
  const nest = found === null ? null : nestOf(found.loop, place);
  const value = nest === null ? null : gathered(target.text, first, nest, place.scope);
  if (found === null || value === null || mentions(value, target.text)) return null;
  return [...items.slice(i + 1, found.at), term("assign", [target, value]), ...items.slice(found.at + 1)];
};

/** Whether a value is an initial value: an empty list, set or dict, or a literal. */
const isStart = (of: Term): boolean =>
  of.items.length === 0 ? of.kind !== "name" : of.kind === "call" && of.items[1].items.length === 0;

/** The condition of a nest's core, and the clauses around it. */
function quantified({ clauses }: Nest): { loops: readonly Term[]; condition: Term } | null {
  const last = clauses.at(-1)!;
  return last.kind === "ifin" ? { loops: clauses.slice(0, -1), condition: last.items[0] } : null;
}

/** `any` of the condition over all rounds, or, if `is` is false, `all` of its negation. */
function quantifier(is: boolean, nest: Nest, { meanings }: Scope): Term | null {
  const whole = quantified(nest);
  const [callee, other] = is ? ["any", "all"] : ["all", "any"];
  if (whole === null || !meanings.isBuiltin(callee!) || !meanings.isBuiltin(other!)) return null;
  const element = is ? whole.condition : negate(whole.condition, meanings, true);
  return call(callee!, generator(element, whole.loops));
}

/** `for ...: if c: return True`, `return False` as `return any(c for ...)`. */
const searchingLoop: Rule = (items, i, place) => {
  const [loop, next] = [items[i], items[i + 1]];
  if (loop?.kind !== "for" || next?.kind !== "return") return null;
  const nest = nestOf(loop, place);
  const [only, ...more] = nest?.core ?? [];
  if (nest === null || only?.kind !== "return" || more.length > 0) return null;
  const [found, otherwise] = [truthOf(only.items[0]), truthOf(next.items[0])];
  if (found === null || otherwise !== !found) return null;
  const value = quantifier(found, nest, place.scope);
  return value === null ? null : [term("return", [value]), ...items.slice(i + 2)];
};

/** `ok = True`, `for ...: if c: ok = False, break` as `ok = all(not c for ...)`. */
const flaggingLoop: Rule = (items, i, place) => {
  const start = items[i];
  if (start?.kind !== "assign" || !isName(start.items[0]) || place.scope.shared.has(start.items[0].text)) return null;
  const [target, first] = start.items;
  const loop = truthOf(first) === null ? null : loopAfter(items, i, target.text);
  const nest = loop === null ? null : nestOf(loop.loop, place);
  const [set, jump, ...more] = nest?.core ?? [];
  if (loop === null || nest === null || set?.kind !== "assign" || jump?.kind !== "break" || more.length > 0)
    return null;
  const found = truthOf(set.items[1]);
  const isFlag = isName(set.items[0], target.text) && found !== null && found !== truthOf(first);
  if (!isFlag || nest.clauses.filter(({ kind }) => kind === "forin").length > 1) return null;
  const answer = quantifier(found, nest, place.scope);
  if (answer === null || mentions(answer, target.text)) return null;
  return [...items.slice(i + 1, loop.at), term("assign", [target, answer]), ...items.slice(loop.at + 1)];
};

const truthOf = (of: Term): boolean | null => (isLiteral(of, "True") ? true : isLiteral(of, "False") ? false : null);

export const loopRules: readonly Rule[] = [gatheringLoop, searchingLoop, flaggingLoop];
