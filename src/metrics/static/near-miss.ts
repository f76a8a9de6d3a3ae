/**
 * Near misses: programs that are one small edit away from the reference, but not equal to it. They are the most similar to it,
 * yet most of them fail. A program that was written independently rarely equals the reference except for one operator.
 */
import {
  type Change,
  differenceOf,
  type Edit,
  type Form,
  type Forms,
  sizeOf,
  type Term,
} from "../../languages/python/index.ts";
import type { Finding } from "../../types.ts";

/**
 * The mean PassRatio of programs in `train-mix` that are one such edit away (from models, and mutants of one operator), divided
 * by that of models' programs (models/LOG.md). Edits that right programs of models show too (a statement more or less, another
 * literal, ...) are excluded.
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

/** Maximum difference in length, in characters, between the texts of two forms. A larger one means more than one edit. */
const MOST_APART = 40;

/** The single edit between a candidate and its reference, if it indicates a bug. Compares their plain forms, then their canonical ones. */
export function nearMissOf(ours: Forms, theirs: Forms): Change | null {
  if (ours.canonical.text === theirs.canonical.text) return null;
  const between = (a: Form, b: Form): Change | null =>
    Math.abs(a.text.length - b.text.length) > MOST_APART ? null : tellingEdit(a.terms, b.terms);
  return between(ours.plain, theirs.plain) ?? between(ours.canonical, theirs.canonical);
}

/** The single edit between two programs, if it indicates a bug. Such an edit adds or removes at most one term: a `not` or a minus. */
export function tellingEdit(ours: Term | null, theirs: Term | null): Change | null {
  if (ours === null || theirs === null || Math.abs(sizeOf(ours) - sizeOf(theirs)) > 1) return null;
  const [change, ...others] = differenceOf(ours, theirs)?.changes ?? [];
  return change !== undefined && others.length === 0 && TELLING.has(change.edit) ? change : null;
}

/** The factor by which a near miss reduces a program's predicted PassRatio. */
export const nearMissFactor = (change: Change | null): number => (change === null ? 1 : FACTOR);

const ONLY = "nothing else differs";

/** Whether a finding is a near miss. */
export const isNearMiss = ({ what }: Finding): boolean => what.endsWith(ONLY);

/**
 * Describes a near miss in words.
 * @param isRewritten whether the edit is between the canonical forms alone: the programs may have no such operators, and differ elsewhere
 */
export const sayNearMiss = (change: Change, isRewritten: boolean): string =>
  `${isRewritten ? "after both programs are rewritten to one form: " : ""}${sayEdit(change)}; ${ONLY}`;

function sayEdit({ edit, ours, theirs }: Change): string {
  if (edit === "variable") return "the reference uses another variable here";
  if (edit === "negation") {
    return ours?.kind === "not"
      ? "this is negated, but not in the reference"
      : "this is negated in the reference, but not here";
  }
  if (edit === "sign") {
    return ours?.kind === "unary"
      ? "there is a minus here, but none in the reference"
      : "there is a minus in the reference, but none here";
  }
  return `\`${ours?.text}\` here, \`${theirs?.text}\` in the reference`;
}
