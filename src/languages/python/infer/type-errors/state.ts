/** What is known at one point of a program, and what was found up to it. */
import type { Meanings } from "../../normalize/canonical/purity.ts";
import { isName, type Term, type TermOf } from "../../normalize/canonical/terms.ts";
import type { ValueType } from "../types.ts";
import { HASHED, INDEXED, WALKED } from "./library.ts";
import { ANYTHING, join, type Place, type Shape, shown } from "./shapes.ts";

/** Where in a function something lies: what is run with every call, what a loop runs, what hangs on a condition or a call. */
export type Level = "always" | "loop" | "branch";

/** Something that must fail. */
export interface StaticTypeError {
  readonly level: Level;
  /** The statement that does, where it is one. */
  readonly at: Term | null;
  /** What is done, in types: `text + int`. */
  readonly what: string;
}

/** What is around a function. */
export interface Around {
  readonly meanings: Meanings;
  /** Names under which modules and what is in them are imported that have another name. */
  readonly aliases: ReadonlySet<string>;
  /** The program's functions that are called by name. */
  readonly functions: ReadonlyMap<string, TermOf<"function">>;
  /** Works an expression out: `shapeOf` of values.ts, handed in since what it works out may hold expressions again. */
  evaluate(term: Term, state: State): Shape;
  /** What a call of one of them gives, which fails where this must. */
  gives(name: string, given: readonly Shape[], state: State): Shape;
  /** That a value, of which nothing else is known, is one of these types: else what is done with it fails. */
  demand(place: Place, types: readonly ValueType[]): void;
  /** That something fails whatever the arguments are. */
  fail(typeError: StaticTypeError): void;
}

/** Names in a function. */
export interface Names {
  /** Those that it binds itself. */
  readonly locals: ReadonlySet<string>;
  /** Those that functions in it look at too, which may change what they hold. */
  readonly shared: ReadonlySet<string>;
  /** Those that are bound in ways that are not followed. */
  readonly changed: ReadonlySet<string>;
}

/** What variables hold; a local one that is missing has nothing yet. */
export type Variables = Map<string, Shape>;

/** What types have in common that are asked for together. */
const GROUPS: ReadonlyMap<readonly ValueType[], string> = new Map([
  [WALKED, "what can be walked over"],
  [HASHED, "what has a hash"],
  [INDEXED, "what has an index"],
]);

export class State {
  /** null where no path leads. */
  variables: Variables | null = new Map();
  level: Level = "always";
  /** The statement that runs. */
  statement: Term | null = null;
  /** More than 0: what is found does not count, for it is looked at again or caught. */
  silent = 0;
  /** What it returns. */
  readonly returned: Shape[] = [];
  /** What variables hold where the loops around are left before their end. */
  readonly left: Variables[][] = [];
  readonly around: Around;
  readonly names: Names;

  constructor(around: Around, names: Names) {
    this.around = around;
    this.names = names;
  }

  fail(what: string, at = this.statement): void {
    if (this.silent === 0 && this.variables !== null) this.around.fail({ level: this.level, at, what });
  }

  /** A value must be of one of the types. @param what what is done where it is not; that another is wanted, unless given */
  expect(shape: Shape, allowed: readonly ValueType[], what?: string): void {
    const { types, place } = shape;
    if (types === null) {
      if (place !== null) this.around.demand(place, allowed);
    } else if (types.size > 0 && !allowed.some((type) => types.has(type))) {
      this.fail(what ?? `${shown(shape)} where ${GROUPS.get(allowed) ?? allowed.join(" or ")} is needed`);
    }
  }

  /** What is found in a walk lies deeper than here. */
  at<T>(level: Level, walk: () => T): T {
    const before = this.level;
    if (before !== "branch") this.level = level;
    const result = walk();
    this.level = before;
    return result;
  }

  quietly<T>(walk: () => T): T {
    this.silent++;
    const result = walk();
    this.silent--;
    return result;
  }

  /** Of which types the value of an expression is; it is worked out, and may fail. */
  shapeOf(term: Term): Shape {
    return this.around.evaluate(term, this);
  }

  /** Whether a name stands for no variable of the function, so that it may be a module's or a class's. */
  isModule(term: Term): boolean {
    return (
      isName(term) &&
      this.get(term.text) === undefined &&
      !this.names.locals.has(term.text) &&
      !this.around.aliases.has(term.text)
    );
  }

  get(name: string): Shape | undefined {
    return this.variables?.get(name);
  }

  set(name: string, shape: Shape): void {
    const { shared, changed } = this.names;
    const holds = shape.item !== null || shape.value !== null || shape.parts !== null;
    const known = holds && shared.has(name) ? { ...shape, item: null, value: null, parts: null } : shape;
    this.variables?.set(name, changed.has(name) ? ANYTHING : known);
  }
}

/** What variables hold where two paths meet: one that has nothing on one of them is known no more. */
export function meet(a: Variables | null, b: Variables | null): Variables | null {
  if (a === null || b === null) return a ?? b;
  const both: Variables = new Map();
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [ours, theirs] = [a.get(name), b.get(name)];
    both.set(name, ours === undefined || theirs === undefined ? ANYTHING : join(ours, theirs));
  }
  return both;
}
