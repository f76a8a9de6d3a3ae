/** Reads what descriptions say of signs: `two positive integers a and b`, `n is never negative`. */
import type { Names } from "./names.ts";
import { type Constraint, numberTerm, type Part, partTerm } from "./parts.ts";
import { numberParts, partsBefore } from "./subjects.ts";

/** Reads the text before and after its match. It is skipped where the text before asks for something. */
export interface Rule {
  readonly pattern: RegExp;
  readonly read: (match: RegExpExecArray, before: string, after: string, names: Names) => Constraint[];
  /** It names the parameters, so that it says the same where the text before it asks for something. */
  readonly isNamed?: true;
}

export const SIGNS: readonly Rule[] = [
  {
    pattern: /, (?:both|all) (positive|non-?negative) (?:integers|numbers|floats)\b/i,
    isNamed: true,
    read: (match, before, _, names) =>
      numberParts(partsBefore(before, names), names).map((part): Constraint => {
        return { kind: "order", left: numberTerm(/^n/i.test(match[1]!) ? 0 : 1), op: "<=", right: partTerm(part) };
      }),
  },
  {
    pattern:
      /\b(?:two|three) (positive|non-?negative) (?:integers?|numbers?) (\w{1,20})(?:,? (?:and )?(\w{1,20}))(?:,? and (\w{1,20}))?/i,
    isNamed: true,
    read: (match, _, __, names) =>
      numberParts(
        match.slice(2).flatMap((word) => names.part(word ?? "") ?? []),
        names,
      ).map((part): Constraint => {
        return { kind: "order", left: numberTerm(/^n/i.test(match[1]!) ? 0 : 1), op: "<=", right: partTerm(part) };
      }),
  },
  {
    pattern:
      /\b(?:is|are|be) (?:always |both |all |strictly )?(?:an? )?(?:strictly )?(positive|non-?negative|(?:not|never) negative|negative|natural)\b|\b()(?:two|three|an?|all|only|of|are|the|contains?) (positive|non-?negative|natural) (?=integers?|numbers?|floats?|values?|ints?)/i,
    read: (match, before, after, names) => {
      const sign = (match[1] ?? match[3]!).toLowerCase();
      const bound = (part: Part): Constraint => {
        const term = partTerm(part);
        return { kind: "order", left: numberTerm(/^n(?:on|ot|ever)/.test(sign) ? 0 : 1), op: "<=", right: term };
      };
      // a definition: A perfect number is a positive integer
      const isDefined =
        names.part(before.trim().split(/\s+/).at(-1) ?? "") === null &&
        /\ban? (?:\w{1,20} )?\w{1,20}$/i.test(before.trimEnd());
      if (match[1] !== undefined && (sign === "negative" || isDefined)) return [];
      if (match[1] !== undefined) return numberParts(partsBefore(before, names), names).map(bound);
      if (/of (?:all |only )?$/i.test(`${before} ${match[0].split(" ")[0]} `.slice(-10)))
        return numberParts(partsBefore(before, names), names).map(bound);
      const list =
        /^(?:integers?|numbers?|floats?|ints?)(?: arrays?| lists?)?(?: called| named)?((?:,? (?:and )?\w{1,20}(?:\[\w\])?){1,4})?/i.exec(
          after,
        );
      const own = (list?.[1] ?? "")
        .split(/,| and /)
        .map((word) => names.part(word.trim()))
        .filter((part) => part !== null);
      const first = names.part(/^\s*(\w+)/.exec(list?.[1] ?? "")?.[1] ?? "");
      const parts =
        own.length > 0
          ? own
          : first !== null
            ? [first]
            : [names.only(["int", "float"])].filter((part) => part !== null);
      return numberParts(parts, names).map(bound);
    },
  },
];
