/** Control flow in terms. */
import { type Control, type ControlFlow, controlFlow, truthOf } from "../../syntax/control-flow.ts";
import type { Term } from "./terms.ts";

/** For callers that must not overlook a way on: any context manager may swallow exceptions. */
export const termFlow: ControlFlow<Term> = controlFlow((of: Term) => controlOf(of, true));

/** For callers that must not assume a way on that does not exist: no context manager swallows exceptions, as is nearly always the case. */
export const likelyTermFlow: ControlFlow<Term> = controlFlow((of: Term) => controlOf(of, false));

const truth = ({ kind, text }: Term): boolean | null => (kind === "literal" ? truthOf(text) : null);

function controlOf(of: Term, suppresses: boolean): Control<Term> {
  switch (of.kind) {
    case "return":
    case "raise":
    case "continue":
      return "jump";
    case "break":
      return "break";
    case "assert":
      return truth(of.items[0]) === false ? "jump" : "next";
    case "block":
      return { kind: "sequence", statements: of.items };
    case "if": {
      const [condition, yes, no] = of.items;
      const value = truth(condition);
      return { kind: "choice", branches: value === null ? [yes, no] : [value ? yes : no], exhaustive: true };
    }
    case "while":
      return { kind: "loop", condition: truth(of.items[0]), body: of.items[1], otherwise: of.items[2] };
    case "for":
      return { kind: "loop", condition: null, body: of.items[2], otherwise: of.items[3] };
    case "try": {
      const [body, handlers, otherwise, last] = of.items;
      return { kind: "try", body, handlers: handlers.items.map((handler) => handler.items[2]), otherwise, last };
    }
    case "with":
      return { kind: "with", body: of.items[1], suppresses };
    default:
      return "next";
  }
}
