import type { Term } from "./term.ts";

/** Maximum characters of an expression that is remembered. */
const LONGEST_TEXT = 100;

/** Finds dictionaries: collections that are asked for a key and indexed by the same key (`if sku in prices: prices[sku]`). */
export class Lookups {
  readonly #asked = new Set<string>();
  readonly #taken = new Set<string>();

  ask(over: Term, collection: string, key: string): void {
    this.#add(over, collection, key, this.#asked, this.#taken);
  }

  take(over: Term, collection: string, key: string): void {
    this.#add(over, collection, key, this.#taken, this.#asked);
  }

  #add(over: Term, collection: string, key: string, own: Set<string>, other: ReadonlySet<string>): void {
    const name = `${collection.slice(0, LONGEST_TEXT)}[${key.slice(0, LONGEST_TEXT)}]`;
    own.add(name);
    if (other.has(name)) over.root.uses.add("dict");
  }
}
