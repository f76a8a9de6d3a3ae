/** What a program's uses tell about a value. Two values that a program compares, or looks up in each other, share one term (union-find). */
import type { PyValue } from "../../types.ts";

export type Use =
  | "list"
  | "tuple"
  | "set"
  | "dict"
  | "text"
  | "number"
  | "float"
  | "bool"
  | "none"
  | "date"
  | "time"
  | "email"
  | "digits"
  | "caseless"
  | "padded"
  | "truthy"
  | "ordered"
  | "indexed"
  /** Parts of a text: `row[0]` and `row[1]` are different ones. */
  | "parts"
  /** An item of a literal, as `key` in `for key in ("name", "phone")`. */
  | "listed";

/** Maximum number of terms, and of constants or fields of one. A program can be written to have any number. */
const MOST_TERMS = 4000;
const MOST_PARTS = 24;

export class Term {
  #parent: Term | null = null;
  readonly uses = new Set<Use>();
  /** Types that the program asks for (`isinstance`), so that the value may have another one, too. */
  readonly tested = new Set<Use>();
  /** Literals that it is compared with. */
  readonly constants = new Map<string, PyValue>();
  /** What it may begin with, and end with (`perm.startswith("!")`). */
  readonly starts = new Set<string>();
  readonly ends = new Set<string>();
  /** Texts that the description shows for it. */
  readonly examples: string[] = [];
  /** Constant keys (`item["price"]`), and those that may be missing (`item.get("discount")`). */
  readonly fields = new Map<string, Term>();
  readonly optional = new Set<string>();
  /** What iterating over it gives: items, or the keys of a dictionary. */
  item: Term | null = null;
  /** What an index or a key gives, and what `.items()` gives for a key. */
  value: Term | null = null;
  /** Parts by position, and their names (`for start, end in X`). */
  readonly positions: Term[] = [];
  readonly names: string[] = [];
  /** What the program splits a text at, and the collection of the parts. `places`: indices of the parts; after `partition`, index 1 is the separator. */
  split: { readonly separator: string; readonly parts: Term; readonly places?: readonly number[] } | null = null;
  /** The parts of a text that these numbers are made of (`map(int, text.split())`). */
  digitsOf: Term | null = null;
  /** What constant indices give (`pair[1]`), until it is known whether the value is a tuple. */
  readonly places = new Map<number, Term>();

  get root(): Term {
    let at: Term = this;
    while (at.#parent !== null) at = at.#parent;
    return at;
  }

  /** Makes this term stand for `other`, too. Returns pairs of parts that have to be united as well. */
  absorb(other: Term): [Term, Term][] {
    const more: [Term, Term][] = [];
    other.#parent = this;
    for (const use of other.uses) this.uses.add(use);
    this.examples.push(...other.examples);
    for (const use of other.tested) this.tested.add(use);
    for (const text of other.starts) this.starts.add(text);
    for (const text of other.ends) this.ends.add(text);
    for (const [key, value] of other.constants) if (this.constants.size < MOST_PARTS) this.constants.set(key, value);
    for (const [i, part] of other.places) {
      const own = this.places.get(i);
      if (own) more.push([own, part]);
      else this.places.set(i, part);
    }
    for (const key of other.optional) if (!this.fields.has(key)) this.optional.add(key);
    for (const [key, value] of other.fields) {
      const own = this.fields.get(key);
      if (own) more.push([own, value]);
      else if (this.fields.size < MOST_PARTS) this.fields.set(key, value);
    }
    if (this.split && other.split) more.push([this.split.parts, other.split.parts]);
    this.split ??= other.split;
    this.digitsOf ??= other.digitsOf;
    for (const part of ["item", "value"] as const) {
      if (this[part] && other[part]) more.push([this[part], other[part]]);
      this[part] ??= other[part];
    }
    for (const [i, part] of other.positions.entries()) {
      const own = this.positions[i];
      if (own) more.push([own, part]);
      else this.positions.push(part);
    }
    if (this.names.length === 0) this.names.push(...other.names);
    return more;
  }
}

/** Texts that a term is compared with. Empty ones say nothing. */
export const textsOf = ({ constants }: Term): string[] =>
  [...constants.values()].flatMap((value) => (value.t === "str" && value.v.trim() !== "" ? [value.v] : []));

const MOST_VISITED = 200;

/** The roots of terms and of their parts, each once, up to a maximum. @param partsOf the parts that are visited, too */
export function visited(terms: readonly Term[], partsOf: (term: Term) => readonly (Term | null)[]): Term[] {
  const seen = new Set<Term>();
  const left = terms.map((term) => term.root);
  for (let term = left.pop(); term !== undefined && seen.size < MOST_VISITED; term = left.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    for (const part of partsOf(term)) if (part) left.push(part.root);
  }
  return [...seen];
}

/** Whether a value is only read by its first constant indices, from 1 on: `row[0]`, `row[1]`. */
const isIndexedTuple = ({ uses, item, value, positions }: Term, last: number): boolean =>
  last >= 1 &&
  last < 4 &&
  positions.length === 0 &&
  item === null &&
  value === null &&
  !uses.has("indexed") &&
  !uses.has("list") &&
  !uses.has("text");

export class Terms {
  #made = 0;
  readonly #placed: Term[] = [];
  readonly #spare = new Term();

  make(...uses: Use[]): Term {
    this.#made += 1;
    if (this.#made > MOST_TERMS) return this.#spare;
    const term = new Term();
    for (const use of uses) term.uses.add(use);
    return term;
  }

  unite(a: Term | null, b: Term | null): void {
    if (a === null || b === null) return;
    const left: [Term, Term][] = [[a, b]];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [x, y] = [next[0].root, next[1].root];
      if (x !== y && x !== this.#spare && y !== this.#spare) left.push(...x.absorb(y));
    }
  }

  item(of: Term): Term {
    const { root } = of;
    root.item ??= this.make();
    return root.item;
  }

  value(of: Term): Term {
    const { root } = of;
    root.value ??= this.make();
    return root.value;
  }

  field(of: Term, key: string, isOptional: boolean): Term {
    const { root } = of;
    const known = root.fields.get(key);
    if (known) {
      if (!isOptional) root.optional.delete(key);
      return known;
    }
    const made = this.make();
    if (root.fields.size >= MOST_PARTS) return made;
    root.fields.set(key, made);
    if (isOptional) root.optional.add(key);
    return made;
  }

  position(of: Term, i: number): Term {
    const { root } = of;
    if (root.digitsOf !== null) this.position(root.digitsOf, i).root.uses.add("text").add("digits");
    while (root.positions.length <= i && root.positions.length < MOST_PARTS) root.positions.push(this.make());
    return root.positions[i] ?? this.make();
  }

  /** What a constant index gives. */
  place(of: Term, i: number): Term {
    const { root } = of;
    const known = root.places.get(i) ?? this.make();
    root.places.set(i, known);
    this.#placed.push(root);
    return known;
  }

  /** Decides for all values with constant indices whether they are tuples, whose places differ, or lists of one kind of items. */
  settlePlaces(): void {
    for (const { root } of this.#placed) {
      const places = [...root.places].sort(([a], [b]) => a - b);
      const last = places.at(-1)?.[0] ?? -1;
      if (isIndexedTuple(root, last)) for (let i = 0; i <= last; i++) this.position(root, i);
      const isTuple = root.positions.length > last;
      for (const [i, part] of places) this.unite(isTuple ? this.position(root, i) : this.value(root), part);
      root.places.clear();
    }
  }

  /** A list of tuples, or another collection of `item`. */
  collection(item: Term | null, use: Use = "list"): Term {
    const made = this.make(use);
    made.item = item;
    return made;
  }
}
