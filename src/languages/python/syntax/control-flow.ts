/**
 * Whether control can continue after a statement, by Python's rules. Works on any representation of statements that describes
 * each as a `Control`, blocks included. A condition that is not a constant may be true or false, and anything in a `try` may
 * raise. So if in doubt, control continues.
 */

/** What a statement `S` does with control. A missing part, e.g. an `else`, does nothing. */
export type Control<S> =
  /** Control continues after it, unless it raises. */
  | "next"
  | "break"
  /** `return`, `raise`, `continue`. */
  | "jump"
  | { readonly kind: "sequence"; readonly statements: readonly S[] }
  /** Runs one of the branches, or possibly none unless they are exhaustive. */
  | { readonly kind: "choice"; readonly branches: readonly (S | undefined)[]; readonly exhaustive: boolean }
  /** `condition`: its constant value; null if it varies, or for a `for` loop. */
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
  /** `suppresses`: whether its context manager may swallow exceptions from the body. */
  | { readonly kind: "with"; readonly body: S | undefined; readonly suppresses: boolean };

export interface ControlFlow<S> {
  /** Whether control can continue after the statement or block. */
  completes(statement: S | undefined): boolean;
  /** Whether a `break` in the statement can end the loop whose body it is. */
  breaks(statement: S | undefined): boolean;
}

/** Ways out of a statement, as bits. */
const COMPLETES = 1;
const BREAKS = 2;

export function controlFlow<S extends object>(controlOf: (statement: S) => Control<S>): ControlFlow<S> {
  const known = new WeakMap<S, number>();
  const ways = (statement: S | undefined): number => {
    if (statement === undefined) return COMPLETES;
    const before = known.get(statement);
    if (before !== undefined) return before;
    const control = controlOf(statement);
    const found = waysOut(control);
    // A simple statement is cheaper to look at again than to keep.
    if (typeof control !== "string") known.set(statement, found);
    return found;
  };
  const either = (all: number, statement: S | undefined): number => all | ways(statement);
  /** The second statement's ways out, if the first completes. */
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
        // A jump in `finally` happens whatever came before.
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

/** The constant truth value of a condition with this text; null if it varies. */
export function truthOf(text: string): boolean | null {
  if (text === "True" || text === "1") return true;
  return text === "False" || text === "0" || text === "None" ? false : null;
}
