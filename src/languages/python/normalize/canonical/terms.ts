/**
 * Python programs as terms, on which the canonical form is computed. A term has a kind, a text and parts. It keeps no layout,
 * comments, brackets or alternative spellings. Terms are immutable.
 */

interface OfOne<Kind extends string, Items extends readonly Term[]> {
  readonly kind: Kind;
  /** The name, literal or operator; empty if the kind says everything. */
  readonly text: string;
  readonly items: Items;
}

/** One kind, or several kinds with the same parts. */
type Of<Kind extends string, Items extends readonly Term[]> = Kind extends string ? OfOne<Kind, Items> : never;

type Terms = readonly Term[];
type None = readonly [];
type One = readonly [Term];
type Two = readonly [Term, Term];
type Three = readonly [Term, Term, Term];
type Four = readonly [Term, Term, Term, Term];

export type Expression =
  | Of<"name" | "literal", None>
  /** The text is kept as written; the parts are the expressions in it. */
  | Of<"fstring", Terms>
  | Of<"operation", Two>
  | Of<"unary" | "not" | "await", One>
  /** `and`, `or`. */
  | Of<"logic", Terms>
  /** There is one more operand than operators. The operators are in `text`, separated by commas. */
  | Of<"compare", readonly [Term, Term, ...Term[]]>
  /** `yes if condition else no`, in this order. */
  | Of<"conditional", Three>
  /** Parameters, body. */
  | Of<"lambda", Two>
  /** Callee, arguments. */
  | Of<"call", readonly [Term, Term]>
  /** The attribute is the text. */
  | Of<"attribute", One>
  /** The object and its indices. */
  | Of<"subscript", readonly [Term, ...Term[]]>
  | Of<"slice", Three>
  | Of<"tuple" | "list" | "set" | "dict", Terms>
  /** Text `list`, `set`, `dict` or `generator`. Parts: the element, then the clauses. */
  | Of<"comprehension", readonly [Term, Term, ...Term[]]>
  | Of<"walrus", Two>
  /** Text `from` for `yield from`. */
  | Of<"yield", One>;

/** Parts of expressions that are not expressions themselves. */
export type Part =
  | Of<"arguments" | "parameters", Terms>
  /** `name=value` in a call. */
  | Of<"keyword", One>
  | Of<"default", Two>
  /** `*x` and `**x`. */
  | Of<"star", One>
  /** `/` and `*` among parameters. */
  | Of<"separator", None>
  | Of<"pair", Two>
  | Of<"forin", Two>
  | Of<"ifin", One>
  | Of<"nothing", None>;

export type Statement =
  | Of<"block", Terms>
  | Of<"expression", One>
  /** Target, value. */
  | Of<"assign", Two>
  /** Targets, then the value. */
  | Of<"chain", Terms>
  | Of<"augment", Two>
  /** In a class. Text: the annotation. */
  | Of<"annotated", Two>
  | Of<"return", One>
  | Of<"raise" | "assert", Two>
  | Of<"delete" | "global", Terms>
  | Of<"pass" | "break" | "continue", None>
  /** Text: the module of `from`. Parts: the names. */
  | Of<"import", Terms>
  /** Condition, block, `else` block (may be empty). */
  | Of<"if" | "while", Three>
  | Of<"for", Four>
  /** Body, handlers, `else`, `finally`. */
  | Of<"try", Four>
  | Of<"handlers" | "withitems" | "decorators", Terms>
  /** Type, name, body. */
  | Of<"handler", Three>
  | Of<"withitem", Two>
  | Of<"with", Two>
  /** Text: `def` and the name. Parts: decorators, parameters, body. */
  | Of<"function", Three>
  /** Decorators, arguments, body. */
  | Of<"class", Three>;

export type Term = Expression | Part | Statement;
export type Kind = Term["kind"];
export type TermOf<K extends Kind> = Extract<Term, { readonly kind: K }>;

/** Makes a term. The kind determines the number of parts. */
export function term<K extends Kind>(kind: K, items: TermOf<K>["items"], text = ""): TermOf<K> {
  return { kind, text, items } as TermOf<K>;
}

export const NOTHING = term("nothing", []);
export const EMPTY = term("block", []);
export const name = (text: string): Term => term("name", [], text);
export const literal = (text: string): Term => term("literal", [], text);
export const block = (items: Terms): TermOf<"block"> => term("block", items);
export const call = (callee: string, ...items: Term[]): Term => term("call", [name(callee), term("arguments", items)]);

/** The same term with other parts or another text. All terms then have one hidden class in V8. Spreads give several. */
export const remade = <T extends Term>({ kind, text }: T, items: readonly Term[], other = text): T =>
  ({ kind, text: other, items }) as T;

/** The same term with other parts; the term itself if the parts are the same. */
export function withItems<T extends Term>(of: T, items: readonly Term[]): T {
  return items.every((item, i) => item === of.items[i]) && items.length === of.items.length ? of : remade(of, items);
}

/** The same term with each part changed; the term itself if no part changes. */
export function mapItems<T extends Term>(of: T, change: (item: Term) => Term): T {
  let items: Term[] | null = null;
  for (let i = 0; i < of.items.length; i++) {
    const item = of.items[i]!;
    const changed = change(item);
    if (items === null && changed !== item) items = of.items.slice(0, i);
    items?.push(changed);
  }
  return items === null ? of : remade(of, items);
}

/** The result of a walk over terms, or `otherwise` if they are nested too deep for the stack. */
export function unlessTooDeep<T>(walk: () => T, otherwise: T): T {
  try {
    return walk();
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}

export const isLiteral = (of: Term | undefined, text: string): boolean => of?.kind === "literal" && of.text === text;

export const isName = (of: Term | undefined, text?: string): of is TermOf<"name"> =>
  of?.kind === "name" && (text === undefined || of.text === text);

/** The arguments of a call of a plain name; null for anything else. */
export const argumentsOf = (of: Term | undefined, callee: string): readonly Term[] | null =>
  of?.kind === "call" && isName(of.items[0], callee) ? of.items[1].items : null;

/** Whether any term in `of`, itself included, passes the test. */
export function some(of: Term, test: (part: Term) => boolean): boolean {
  if (test(of)) return true;
  for (const item of of.items) if (some(item, test)) return true;
  return false;
}

export function forEach(of: Term, visit: (part: Term) => void): void {
  visit(of);
  for (const item of of.items) forEach(item, visit);
}

/** The number of terms in a term, itself included. Not recursive, because terms may nest deeply. */
export function sizeOf(of: Term): number {
  const parts = [of];
  for (const { items } of parts) for (const item of items) parts.push(item);
  return parts.length;
}

/** The number of occurrences of a name in a term. */
export function count(of: Term, text: string): number {
  let found = of.kind === "name" && of.text === text ? 1 : 0;
  for (const item of of.items) found += count(item, text);
  return found;
}

export const mentions = (of: Term, text: string): boolean =>
  some(of, (part) => part.kind === "name" && part.text === text);

export const same = (a: Term, b: Term): boolean =>
  a === b ||
  (a.kind === b.kind &&
    a.text === b.text &&
    a.items.length === b.items.length &&
    a.items.every((item, i) => same(item, b.items[i]!)));

/** The names in a term. */
export function namesIn(of: Term): Set<string> {
  const names = new Set<string>();
  forEach(of, ({ kind, text }) => {
    if (kind === "name") names.add(text);
  });
  return names;
}

/** Replaces each term for which `change` returns another one, outermost first. Replacements are not searched again. */
export function replaceIn(of: Term, change: (part: Term) => Term | null): Term {
  return change(of) ?? mapItems(of, (item) => replaceIn(item, change));
}

/** Renames the names that have an entry in `names`. */
export const renamedTerms = (of: Term, names: ReadonlyMap<string, string>): Term =>
  of.kind === "name" && names.has(of.text)
    ? name(names.get(of.text)!)
    : mapItems(of, (item) => renamedTerms(item, names));
