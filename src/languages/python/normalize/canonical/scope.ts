/** Facts about the names of one function or class, or of the module outside functions. */
import type { Meanings } from "./purity.ts";
import { forEach, isName, type Kind, type Term } from "./terms.ts";

export interface Scope {
  readonly kind: "module" | "class" | "function";
  readonly meanings: Meanings;
  /** Number of occurrences of each name, including nested functions. */
  readonly counts: ReadonlyMap<string, number>;
  /** Names that nested functions, lambdas or classes use, or that are declared `global` or `nonlocal`. */
  readonly shared: ReadonlySet<string>;
  /** Names that occur only within loops that bind them. */
  readonly loopNames: ReadonlySet<string>;
  /** For each name that is bound only by plain assignments `name = value`: the assigned values. */
  readonly values: ReadonlyMap<string, readonly Term[]>;
  /** Names that it binds, including nested functions. */
  readonly bound: ReadonlySet<string>;
  /** The enclosing functions, itself included. */
  readonly functions: ReadonlySet<string>;
}

/** Kinds with a name space of their own. */
const INNER: ReadonlySet<Kind> = new Set<Kind>(["function", "lambda", "class"]);
/** Kinds that bind names other than by plain assignment to one name. */
const BINDERS: ReadonlySet<Kind> = new Set<Kind>([
  "chain",
  "assign",
  "annotated",
  "for",
  "forin",
  "walrus",
  "withitem",
  "handler",
  "parameters",
  "delete",
]);

/** @param of a function, a class or the module's block */
export function scopeOf(of: Term, outer: Scope | null, meanings: Meanings): Scope {
  const counts = new Map<string, number>();
  const shared = new Set<string>();
  const values = new Map<string, Term[]>();
  const odd = new Set<string>(); // bound in other ways
  const visit = (part: Term, depth: number): void => {
    if (part.kind === "name") {
      counts.set(part.text, (counts.get(part.text) ?? 0) + 1);
      if (depth > 0) shared.add(part.text);
    } else if (part.kind === "global") {
      for (const { text } of part.items) shared.add(text);
    } else if (part.kind === "assign" && isName(part.items[0])) {
      const { text } = part.items[0];
      const known = values.get(text);
      if (known === undefined) values.set(text, [part.items[1]]);
      else known.push(part.items[1]);
    } else if (BINDERS.has(part.kind)) {
      for (const target of targetsOf(part)) odd.add(target);
    }
    const inner = part !== of && INNER.has(part.kind) ? depth + 1 : depth;
    for (const item of part.items) visit(item, inner);
  };
  visit(of, 0);
  const bound = new Set([...odd, ...values.keys()]);
  for (const name of odd) values.delete(name);
  const functions = new Set(outer?.functions);
  if (of.kind === "function") functions.add(of.text.replace(/^.* /, ""));
  const kind = of.kind === "function" || of.kind === "class" ? of.kind : "module";
  return { kind, meanings, counts, shared, loopNames: loopNamesOf(of), values, bound, functions };
}

/** Names that a term itself, without its parts, binds other than by plain assignment to one name. */
function targetsOf(of: Term): string[] {
  const names: string[] = [];
  const collect = (target: Term): void => {
    if (isName(target)) names.push(target.text);
    else if (/^(?:tuple|list|star|default|parameters)$/.test(target.kind)) target.items.forEach(collect);
  };
  if (of.kind === "chain") of.items.slice(0, -1).forEach(collect);
  else if (/^(?:assign|annotated|for|forin|walrus)$/.test(of.kind)) collect(of.items[0]!);
  else if (of.kind === "withitem" || of.kind === "handler") collect(of.items[1]!);
  else if (of.kind === "parameters" || of.kind === "delete" || of.kind === "global") of.items.forEach(collect);
  return names;
}

/** Names that occur only in `for` loops and comprehensions that bind them. What such a loop leaves in them is never read. */
function loopNamesOf(of: Term): Set<string> {
  const bound = new Set<string>();
  const free = new Set<string>();
  const visit = (part: Term, inside: ReadonlySet<string>): void => {
    if (part.kind === "name") {
      if (!inside.has(part.text)) free.add(part.text);
    } else if (part.kind === "for") {
      const [target, over, body, otherwise] = part.items;
      const own = new Set([...inside, ...namesOfTarget(target, bound)]);
      visit(over, inside);
      visit(target, own);
      visit(body, own);
      visit(otherwise, inside);
    } else if (part.kind === "comprehension") {
      let own = inside;
      for (const clause of part.items.slice(1)) {
        if (clause.kind !== "forin") visit(clause, own);
        else {
          visit(clause.items[1], own);
          own = new Set([...own, ...namesOfTarget(clause.items[0], bound)]);
          visit(clause.items[0], own);
        }
      }
      visit(part.items[0], own);
    } else if (part.kind === "global") {
      for (const { text } of part.items) free.add(text);
    } else for (const item of part.items) visit(item, inside);
  };
  visit(of, new Set());
  return new Set([...bound].filter((name) => !free.has(name)));
}

/** The names in a loop's target. They are added to `all` if the target is a name or a tuple of names. */
function namesOfTarget(target: Term, all: Set<string>): string[] {
  const names: string[] = [];
  forEach(target, (part) => {
    if (part.kind === "name") names.push(part.text);
  });
  const isPlain = isName(target) || (target.kind === "tuple" && target.items.every((item) => isName(item)));
  if (isPlain) for (const name of names) all.add(name);
  return names;
}
