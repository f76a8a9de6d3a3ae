/** Reads bounds in words: `width is at least 2`, `k is at least 1 and at most len(values)`, `n must be 5 or more`. */
import type { Names } from "./names.ts";
import { NOUN } from "./nouns.ts";
import { type Constraint, type Part, partTerm } from "./parts.ts";
import { numberParts, rangeSubjects } from "./subjects.ts";

const PHRASE =
  "at least|at most|(?:no|not|never) (?:less|smaller|more|greater|larger) than|(?:greater|less|larger|smaller) or equal(?: than| to)?|greater than|more than|larger than|less than|smaller than";
const NUMBER = "len\\(\\w{1,30}\\)|-?[\\w.^*]{1,20}";

export const BOUND = new RegExp(
  `\\b(?:is|are|be)(?: always| guaranteed to be)?(?:(?: an?)? ${NOUN}(?: of|,? and|,)?)? (?:(${PHRASE})( or equal to)? (?:its |the )?(${NUMBER})|(-?\\d[\\w.^*]{0,20}) or (more|greater|larger|higher|less|fewer|smaller|lower))`,
  "i",
);
const SECOND = new RegExp(`^,? (?:and|but) (${PHRASE})( or equal to)? (${NUMBER})`, "i");

export function readBounds(match: RegExpExecArray, before: string, after: string, names: Names): Constraint[] {
  const named = names.part(before.trim().split(/\s+/).at(-1) ?? "");
  const found = named !== null ? numberParts([named], names) : rangeSubjects(before, names);
  const subjects = found.filter(({ of }) => of === "value");
  const second = SECOND.exec(after);
  return [
    ...bounded(subjects, match[1] ?? match[5]!, match[2] !== undefined, match[3] ?? match[4]!, names),
    ...(second === null ? [] : bounded(subjects, second[1]!, second[2] !== undefined, second[3]!, names)),
  ];
}

function bounded(
  subjects: readonly Part[],
  phrase: string,
  orEqual: boolean,
  number: string,
  names: Names,
): Constraint[] {
  const written = number.replace(/\.$/, "");
  const bound = names.term(written);
  if (bound === null) return [];
  const isLow = /^(?:at least|(?:no|not|never) (?:less|smaller)|greater|more|larger|higher)/i.test(phrase);
  const isEqual = orEqual || /or equal/i.test(phrase);
  const op = /than$/i.test(phrase) && !/^n(?:o|ever)/i.test(phrase) && !isEqual ? "<" : "<=";
  // `age must be at least 18` is a rule of the task if the reference decides by it.
  const first = isLow === (op === "<=") ? bound.plus : bound.plus + 1;
  const isRule = ({ slot, path }: Part): boolean =>
    bound.part === null && path.length === 0 && names.splitsAt(names.names[slot] ?? "", first);
  return subjects
    .filter((part) => !isRule(part))
    .map((part): Constraint => {
      const term = partTerm(part);
      return { kind: "order", left: isLow ? bound : term, op, right: isLow ? term : bound };
    });
}
