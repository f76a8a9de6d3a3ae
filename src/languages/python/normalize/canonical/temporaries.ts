/** Inlines variables that are read once, right after their assignment. */
import type { Rule } from "./flow.ts";
import { isConstant, isPure, isSteady, isTotal, type Meanings } from "./purity.ts";
import type { Scope } from "./scope.ts";
import { isName, mentions, namesIn, replaceIn, type Term, withItems } from "./terms.ts";

/** The indices of a statement's parts that are evaluated first and once, in this order. */
function heads(of: Term): readonly number[] {
  switch (of.kind) {
    case "return":
    case "expression":
    case "if":
    case "raise":
    case "assert":
      return [0];
    case "for":
      return [1];
    case "assign":
    case "augment":
      return isName(of.items[0]) ? [1] : of.kind === "assign" ? [1, 0] : [0, 1];
    default:
      return [];
  }
}

type Finding = "clear" | "found" | "blocked";

/**
 * Searches the terms that are evaluated until a name is read. `blocked` if one of them could affect the name's value or be
 * affected by it.
 */
class Search {
  readonly #name: string;
  readonly #meanings: Meanings;
  /** Whether the value changes nothing and does not depend on what is evaluated before it. */
  readonly #isSteady: boolean;
  readonly #isTotal: boolean;

  constructor(name: string, value: Term, scope: Scope) {
    const { meanings } = scope;
    this.#name = name;
    this.#meanings = meanings;
    this.#isSteady = isSteady(value, meanings);
    // Reading an unbound name must still raise at the same point.
    this.#isTotal = isTotal(value) && [...namesIn(value)].every((used) => scope.bound.has(used));
  }

  visit(of: Term): Finding {
    if (isName(of)) return of.text === this.#name ? "found" : "clear";
    switch (of.kind) {
      case "fstring":
        return mentions(of, this.#name) ? "blocked" : this.#passed(of);
      case "lambda":
        return mentions(of, this.#name) ? "blocked" : "clear";
      case "comprehension":
        return this.#partly(of, (of.items[1] as Term).items[1]!);
      case "logic":
        return this.#partly(of, of.items[0]!);
      case "compare":
        return of.items.length > 2 ? this.#partly(of, of.items[0]) : this.#all(of);
      case "conditional":
        return this.#partly(of, of.items[1]);
      case "yield":
      case "await":
      case "walrus":
      case "function":
      case "class":
        return "blocked";
      default:
        return this.#all(of);
    }
  }

  #all(of: Term): Finding {
    for (const item of of.items) {
      const finding = this.visit(item);
      if (finding !== "clear") return finding;
    }
    return this.#passed(of);
  }

  /** Only the first part is certain to be evaluated. Elsewhere only a value that cannot raise may be inlined. */
  #partly(of: Term, first: Term): Finding {
    const finding = this.visit(first);
    if (finding !== "clear") return finding;
    if (!mentions(of, this.#name)) return this.#passed(of);
    const isLoop = of.kind === "comprehension";
    return this.#isTotal && !isLoop ? "found" : "blocked";
  }

  /** Whether a term that is evaluated before the name is read blocks the rewrite. */
  #passed(of: Term): Finding {
    if (/^(?:arguments|keyword|star|pair|slice|nothing)$/.test(of.kind) || isTotal(of)) return "clear";
    if (!isPure(of, this.#meanings)) return "blocked";
    return this.#isSteady || isSteady(of, this.#meanings) ? "clear" : "blocked";
  }
}

/** `x = e`, `return f(x)` as `return f(e)`. */
export const temporary: Rule = (items, i, { scope, inTry }) => {
  const [at, next] = [items[i], items[i + 1]];
  if (at?.kind !== "assign" || !isName(at.items[0]) || next === undefined || inTry || scope.kind !== "function")
    return null;
  const [{ text: name }, value] = at.items;
  if (scope.counts.get(name) !== 2 || scope.shared.has(name) || mentions(value, name)) return null;
  const places = heads(next);
  const isWhole = places.length > 0 && isName(next.items[places[0]!], name);
  if (!isWhole && !isPure(value, scope.meanings)) return null;
  if (value.kind === "yield" || value.kind === "await") return null;
  const search = new Search(name, value, scope);
  for (const place of places) {
    const head = next.items[place]!;
    const finding = search.visit(head);
    if (finding === "blocked") return null;
    if (finding === "clear") continue;
    const put = replaceIn(head, (part) => (isName(part, name) ? value : null));
    return [
      withItems(
        next,
        next.items.map((item, k) => (k === place ? put : item)),
      ),
      ...items.slice(i + 2),
    ];
  }
  return null;
};

const BINDERS = /^(?:assign|chain|augment|for|forin|walrus|delete)$/;

/** Inlines a number or text that is assigned once and read once, anywhere later in the function's own block. */
export const constant: Rule = (items, i, { scope, end, inTry }) => {
  const at = items[i];
  if (at?.kind !== "assign" || !isName(at.items[0]) || inTry || scope.kind !== "function" || end !== "function")
    return null;
  const [{ text: name }, value] = at.items;
  if (value.kind !== "literal" || scope.counts.get(name) !== 2 || scope.shared.has(name)) return null;
  let reads = 0;
  const replaced = items.slice(i + 1).map((statement) =>
    replaceIn(statement, (part) => {
      if (part.kind === "fstring" || part.kind === "function" || part.kind === "class") return part;
      if (BINDERS.test(part.kind) && isName(part.items[0], name)) return part;
      if (!isName(part, name)) return null;
      reads += 1;
      return value;
    }),
  );
  return reads === 1 ? replaced : null;
};

/** Removes a variable that is never read and whose value cannot raise. */
export const unread: Rule = (items, i, { scope }) => {
  const at = items[i];
  if (at?.kind !== "assign" || !isName(at.items[0]) || scope.kind !== "function") return null;
  const [{ text: name }, value] = at.items;
  return scope.counts.get(name) === 1 && !scope.shared.has(name) && isConstant(value) ? items.slice(i + 1) : null;
};
