/**
 * Whether control goes on behind a statement, by Python's rules, over statements in any representation: each says what its
 * statements are (`Control`), blocks among them. Any condition that is not a constant may be true or false, and anything in
 * a `try` may raise: in doubt control goes on.
 */
import { oncePer } from "../../../util/remember.ts";

/** What a statement `S` does with control. Parts that are missing, as an `else` may be, do nothing. */
export type Control<S> =
  /** Goes on behind it, unless it raises. */
  | "next"
  | "break"
  /** `return`, `raise`, `continue`. */
  | "jump"
  | { readonly kind: "sequence"; readonly statements: readonly S[] }
  /** Runs one of them; none of them, too, unless they are exhaustive. */
  | { readonly kind: "choice"; readonly branches: readonly (S | undefined)[]; readonly exhaustive: boolean }
  /** `condition`: what it always is; null where that depends, or a `for` has none. */
  | {
      readonly kind: "loop";
      readonly condition: boolean | null;
      readonly body: S | undefined;
      readonly otherwise: S | undefined;
    }
  | {
      readonly kind: "try";
      readonly body: S | undefined;
      readonly handlers: readonly (S | undefined)[];
      readonly otherwise: S | undefined;
      readonly last: S | undefined;
    }
  /** `suppresses`: its context manager may swallow what the body raises. */
  | { readonly kind: "with"; readonly body: S | undefined; readonly suppresses: boolean };

export interface ControlFlow<S> {
  /** Whether control can go on behind the statement, or block. */
  completes(statement: S | undefined): boolean;
  /** Whether a `break` in it can end the loop that it is the body of. */
  breaks(statement: S | undefined): boolean;
}

/** Ways out of a statement, as bits. */
const COMPLETES = 1;
const BREAKS = 2;

export function controlFlow<S extends object>(controlOf: (statement: S) => Control<S>): ControlFlow<S> {
  const known = oncePer((statement: S) => waysOut(controlOf(statement)));
  const ways = (statement: S | undefined): number => (statement === undefined ? COMPLETES : known(statement));
  const either = (all: number, statement: S | undefined): number => all | ways(statement);
  /** The second where the first completes. */
  const then = (first: number, second: () => number): number =>
    first & COMPLETES ? (first & ~COMPLETES) | second() : first;

  function waysOut(control: Control<S>): number {
    if (control === "next") return COMPLETES;
    if (control === "break") return BREAKS;
    if (control === "jump") return 0;
    switch (control.kind) {
      case "sequence":
        return control.statements.reduce((all, statement) => then(all, () => ways(statement)), COMPLETES);
      case "choice":
        return control.branches.reduce(either, control.exhaustive ? 0 : COMPLETES);
      case "loop": {
        const { condition, body, otherwise } = control;
        const broken = condition !== false && ways(body) & BREAKS ? COMPLETES : 0;
        return condition === true ? broken : broken | ways(otherwise);
      }
      case "try": {
        const through = then(ways(control.body), () => ways(control.otherwise));
        const last = ways(control.last);
        // A `finally` that jumps does so whatever came before.
        return last & COMPLETES ? (last & ~COMPLETES) | control.handlers.reduce(either, through) : last;
      }
      case "with":
        return ways(control.body) | (control.suppresses ? COMPLETES : 0);
    }
  }

  return {
    completes: (statement) => (ways(statement) & COMPLETES) !== 0,
    breaks: (statement) => (ways(statement) & BREAKS) !== 0,
  };
}

/** What a condition of this text always is; null where that depends. */
export function truthOf(text: string): boolean | null {
  if (text === "True" || text === "1") return true;
  return text === "False" || text === "0" || text === "None" ? false : null;
}
