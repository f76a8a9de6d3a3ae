/** What is known at one point of a program, and what has been found up to there. */
import type { Meanings } from "../../normalize/canonical/purity.ts";
import { isName, type Term, type TermOf } from "../../normalize/canonical/terms.ts";
import type { ValueType } from "../types.ts";
import { HASHED, INDEXED, WALKED } from "./library.ts";
import { ANYTHING, join, type Place, type Shape, shown } from "./shapes.ts";

/** How certainly a place in a function runs: with every call, in a loop, or depending on a condition or a call. */
export type Level = "always" | "loop" | "branch";

/** An operation that must fail. */
export interface StaticTypeError {
  readonly level: Level;
  /** The statement that fails, if any. */
  readonly at: Term | null;
  /** The operation in types: `text + int`. */
  readonly what: string;
}

/** The context of a function. */
export interface Around {
  readonly meanings: Meanings;
  /** Names bound by `import ... as NAME`. */
  readonly aliases: ReadonlySet<string>;
  /** The program's functions that are called by name. */
  readonly functions: ReadonlyMap<string, TermOf<"function">>;
  /** Infers the shape of an expression: `shapeOf` of values.ts, passed in to avoid a circular import. */
  evaluate(term: Term, state: State): Shape;
  /** The result of calling one of these functions. Reports a failure if the call must fail. */
  gives(name: string, given: readonly Shape[], state: State): Shape;
  /** Records that a value of unknown type must have one of these types. Otherwise the operation on it fails. */
  demand(place: Place, types: readonly ValueType[]): void;
  /** Records that something fails for all arguments. */
  fail(typeError: StaticTypeError): void;
}

/** The names in a function. */
export interface Names {
  /** Names that it binds itself. */
  readonly locals: ReadonlySet<string>;
  /** Names that nested functions also use. Those may change what the names hold. */
  readonly shared: ReadonlySet<string>;
  /** Names that are bound in ways that are not tracked. */
  readonly changed: ReadonlySet<string>;
}

/** The shapes that variables hold. A local variable that is missing has no value yet. */
export type Variables = Map<string, Shape>;

/** Words for groups of types that are required together. */
const GROUPS: ReadonlyMap<readonly ValueType[], string> = new Map([
  [WALKED, "an iterable"],
  [HASHED, "a hashable value"],
  [INDEXED, "an indexable value"],
]);

export class State {
  /** Null if this point is unreachable. */
  variables: Variables | null = new Map();
  level: Level = "always";
  /** The current statement. */
  statement: Term | null = null;
  /** If greater than 0, failures are not reported, because the code is visited again or the exception is caught. */
  silent = 0;
  /** Shapes of the returned values. */
  readonly returned: Shape[] = [];
  /** For each enclosing loop: the variables at its `break` and `continue` statements. */
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

  /**
   * Requires a value to have one of the types.
   * @param what the operation that fails otherwise
   * @default a text that says which types are needed
   */
  expect(shape: Shape, allowed: readonly ValueType[], what?: string): void {
    const { types, place } = shape;
    if (types === null) {
      if (place !== null) this.around.demand(place, allowed);
    } else if (types.size > 0 && !allowed.some((type) => types.has(type))) {
      this.fail(what ?? `${shown(shape)}, but ${GROUPS.get(allowed) ?? allowed.join(" or ")} is required`);
    }
  }

  /** Runs `walk` one level deeper: failures in it have the given level, or stay `branch` within a branch. */
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

  /** Infers the shape of an expression, and reports what must fail in it. */
  shapeOf(term: Term): Shape {
    return this.around.evaluate(term, this);
  }

  /** Whether a name is not a variable of the function, so that it may be a module or a class. */
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

/** Merges the variables of two paths. A variable without a value on one of them may be anything. */
export function meet(a: Variables | null, b: Variables | null): Variables | null {
  if (a === null || b === null) return a ?? b;
  const both: Variables = new Map();
  for (const [name, ours] of a) {
    const theirs = b.get(name);
    both.set(name, theirs === undefined ? ANYTHING : join(ours, theirs));
  }
  for (const name of b.keys()) if (!a.has(name)) both.set(name, ANYTHING);
  return both;
}
