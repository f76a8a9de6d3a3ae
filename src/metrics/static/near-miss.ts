/**
 * Near misses: programs that are one small edit away from the reference, and not the same. They resemble it most, and most of them fail: whoever
 * writes a program anew does not arrive at the reference but for one operator.
 */
import {
  type Change,
  differenceOf,
  type Edit,
  type Form,
  type Forms,
  type Term,
} from "../../languages/python/index.ts";

/**
 * Mean PassRatio of the programs of `train-mix` that are one such edit away, of models and mutants of one operator, over that of models' programs
 * (models/LOG.md). Edits that right programs of models show too (a statement more or less, another literal, ...) are not among them.
 */
const FACTOR = 0.5;

const TELLING: ReadonlySet<Edit> = new Set([
  "comparison",
  "operator",
  "logic",
  "off by one",
  "variable",
  "name",
  "negation",
  "sign",
]);

/** Characters by which the texts of two forms may differ in length: more is more than one edit. */
const MOST_APART = 40;

/** The one edit between a candidate and its reference, if it tells a bug: of their plain forms, or else of their canonical ones. */
export function nearMissOf(ours: Forms, theirs: Forms): Change | null {
  if (ours.canonical.text === theirs.canonical.text) return null;
  const between = (a: Form, b: Form): Change | null =>
    Math.abs(a.text.length - b.text.length) > MOST_APART ? null : tellingEdit(a.terms, b.terms);
  return between(ours.plain, theirs.plain) ?? between(ours.canonical, theirs.canonical);
}

/** The one edit between two programs, if it tells a bug. */
export function tellingEdit(ours: Term | null, theirs: Term | null): Change | null {
  const [change, ...others] = differenceOf(ours, theirs)?.changes ?? [];
  return change !== undefined && others.length === 0 && TELLING.has(change.edit) ? change : null;
}

/** What a near miss leaves of what a program is said to pass. */
export const nearMissFactor = (change: Change | null): number => (change === null ? 1 : FACTOR);

/** In words. */
export function sayNearMiss({ edit, ours, theirs }: Change): string {
  const only = "nothing else differs";
  if (edit === "variable") return `another variable stands here than in the reference; ${only}`;
  if (edit === "negation") {
    const which =
      ours?.kind === "not" ? "this is negated, the reference's is not" : "this is not negated, the reference's is";
    return `${which}; ${only}`;
  }
  if (edit === "sign") {
    const which =
      ours?.kind === "unary"
        ? "a minus stands here that the reference does not have"
        : "the reference has a minus here";
    return `${which}; ${only}`;
  }
  return `\`${ours?.text}\` stands where the reference has \`${theirs?.text}\`; ${only}`;
}
