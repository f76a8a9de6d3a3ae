/** Applies the rewrites until none applies. */
import { elementComprehensions, elementLoop } from "./elements.ts";
import { simplify } from "./expressions.ts";
import { flowRules, type Place, type Rule } from "./flow.ts";
import { sortImports } from "./imports.ts";
import { loopRules } from "./loops.ts";
import { type Meanings, meaningsOf } from "./purity.ts";
import { type Scope, scopeOf } from "./scope.ts";
import { constant, temporary, unread } from "./temporaries.ts";
import { block, EMPTY, same, type Term, withItems } from "./terms.ts";

const rules: readonly Rule[] = [...flowRules, elementLoop, ...loopRules, temporary, constant, unread];

/** Maximum number of rounds over the whole program. Each round sees the names that the previous one left. Programs need two to five. */
const MOST_ROUNDS = 12;
/** Maximum number of rewrites of one block in one round. */
const MOST_STEPS = 500;

export function rewriteProgram(program: Term): Term {
  let at = program;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const meanings = meaningsOf(at);
    const next = sortImports(rewriteScope(simplify(at, meanings), null, meanings));
    if (same(next, at)) break;
    at = next;
  }
  return at;
}

/** Rewrites the module's block, or a function or class. */
function rewriteScope(of: Term, outer: Scope | null, meanings: Meanings): Term {
  const scope = scopeOf(of, outer, meanings);
  const elements = elementComprehensions(of, scope);
  if (elements.kind === "block") return rewriteBlock(elements, { scope, end: null, inTry: false });
  const [first, second, body] = elements.items as readonly [Term, Term, Term];
  const end = elements.kind === "function" ? "function" : null;
  return withItems(elements, [first, second, rewriteBlock(body, { scope, end, inTry: false })]);
}

function rewriteBlock(of: Term, place: Place): Term {
  let items: readonly Term[] = of.items.map((item, i) => rewriteInside(item, inner(place, i === of.items.length - 1)));
  let steps = 0;
  for (let i = 0; i < items.length && steps < MOST_STEPS; i++) {
    for (const rule of rules) {
      const rest = rule(items, i, place);
      if (rest === null) continue;
      items = [...items.slice(0, i), ...rest];
      steps += 1;
      i = Math.max(-1, i - 3);
      break;
    }
  }
  if (items.length === 0) return EMPTY;
  return withItems(of, items) === of ? of : block(items);
}

/** The place of a statement's inner blocks. Only the last statement of a block has the same `end` as the block. */
const inner = (place: Place, isLast: boolean): Place => (isLast ? place : { ...place, end: null });

function rewriteInside(of: Term, place: Place): Term {
  const { scope } = place;
  const inside = (part: Term, change: Partial<Place> = {}): Term => rewriteBlock(part, { ...place, ...change });
  switch (of.kind) {
    case "if":
      return withItems(of, [of.items[0], inside(of.items[1]), inside(of.items[2])]);
    case "while":
      return withItems(of, [of.items[0], inside(of.items[1], { end: "loop" }), inside(of.items[2], { end: null })]);
    case "for": {
      const [target, over, body, otherwise] = of.items;
      return withItems(of, [target, over, inside(body, { end: "loop" }), inside(otherwise, { end: null })]);
    }
    case "try": {
      const change = { end: null, inTry: true };
      const [body, handlers, otherwise, last] = of.items;
      const clauses = handlers.items.map((clause) =>
        withItems(clause, [...clause.items.slice(0, 2), inside(clause.items[2]!, change)]),
      );
      return withItems(of, [
        inside(body, change),
        withItems(handlers, clauses),
        inside(otherwise, change),
        inside(last, change),
      ]);
    }
    case "with":
      return withItems(of, [of.items[0], inside(of.items[1], { end: null, inTry: true })]);
    case "function":
    case "class":
      return rewriteScope(of, scope, scope.meanings);
    default:
      return of;
  }
}
