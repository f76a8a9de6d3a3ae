/**
 * Compares a candidate's answers (`returns/`) with the reference's, without running it. The result is a factor on the predicted
 * PassRatio.
 */
import type { Level, Returns, ReturnsOf, StaticTypeError } from "../../languages/python/index.ts";

/** What a candidate is compared with, in words. */
export interface Beside {
  readonly name: string;
  /** Words before the kinds of its answers. */
  readonly returns: string;
  /** Words before the number of its arguments. */
  readonly takes: string;
  /** Words about an argument that it reads. */
  readonly reads: string;
}

export const REFERENCE: Beside = {
  name: "the reference",
  returns: "the reference returns",
  takes: "the reference takes",
  reads: ", but the reference does",
};
export const DESCRIPTION: Beside = {
  name: "the description",
  returns: "the description shows",
  takes: "the description gives",
  reads: "",
};

interface Fact {
  /**
   * The mean PassRatio of models' programs in `train-mix` that the gate lets through and that have this fact, divided by the
   * mean of those that have none of the facts (models/LOG.md).
   */
  readonly factor: number;
  readonly holds: (ours: Returns, theirs: Returns) => boolean;
  readonly says: (ours: Returns, theirs: Returns, beside: Beside) => string;
}

/** The first fact that holds counts. */
const FACTS: readonly Fact[] = [
  {
    factor: 0,
    holds: (ours, theirs) => theirs.answers && areApart(ours.families, theirs.families),
    says: (ours, theirs, { returns }) => `it returns ${listed(ours.families)}, ${returns} ${listed(theirs.families)}`,
  },
  {
    factor: 0,
    holds: (ours, theirs) => theirs.answers && areApart(ours.members, theirs.members),
    says: (ours, theirs, { name }) =>
      `its answers contain ${listed(ours.members)}, ${name}'s contain ${listed(theirs.members)}`,
  },
  {
    factor: 0,
    holds: (ours, theirs) => !ours.answers && theirs.answers,
    says: () => "it returns nothing",
  },
  {
    factor: 0,
    holds: (ours, theirs) => ours.most < theirs.least || ours.least > theirs.most,
    says: (ours, theirs, { takes }) => `it takes ${counted(ours)}, ${takes} ${counted(theirs)}`,
  },
  {
    factor: 0.3,
    holds: (ours, theirs) => !ours.reads.includes(true) && theirs.reads.includes(true),
    says: () => "it uses none of its arguments",
  },
  {
    factor: 0.55,
    holds: (ours, theirs) => theirs.reads.some((reads, i) => reads && ours.reads[i] === false),
    says: (ours, theirs, { reads: said }) => {
      const unread = theirs.reads.flatMap((reads, i) => (reads && ours.reads[i] === false ? [i + 1] : []));
      return `it does not use argument ${unread.join(", ")}${said}`;
    },
  },
  {
    factor: 0.85,
    holds: (ours, theirs) => ours.ends && !theirs.ends && !(theirs.families?.has("None") ?? false),
    says: () => "it can end without returning a value",
  },
];

const listed = (families: ReadonlySet<string> | null): string => [...families!].sort().join(" or ");

const counted = ({ least, most }: Returns): string => {
  if (most === Number.POSITIVE_INFINITY) return `at least ${least} arguments`;
  return least === most ? `${least} argument${least === 1 ? "" : "s"}` : `${least} to ${most} arguments`;
};

/**
 * The same ratio for programs whose methods read attributes that nothing gives their objects, unlike the reference's. There are
 * 157 of them; none passes, all raise AttributeError.
 */
export const LACKING = 0.13;

/**
 * The same ratio for programs with static type errors (`type-errors`): of models' programs and of mutants of references, because
 * there are few of the former.
 */
const TYPE_ERROR_FACTORS: readonly [Level, number][] = [
  ["always", 0.05],
  ["loop", 0.1],
  ["branch", 0.4],
];

/** The factor by which type errors reduce a program's predicted PassRatio. */
export const typeErrorFactor = (typeErrors: readonly StaticTypeError[]): number =>
  TYPE_ERROR_FACTORS.find(([wanted]) => typeErrors.some(({ level }) => level === wanted))?.[1] ?? 1;

/**
 * A factor in [0, 1]: 0 if no answer of the candidate can be right, 1 if nothing is found or nothing is known. Of the functions
 * that both programs define, the reference's last one counts. The others are usually its helpers.
 */
export const compareReturns = (candidate: ReturnsOf, reference: ReturnsOf): number =>
  findInReturns(candidate, reference)?.factor ?? 1;

/** The fact behind that factor, and its function; null if nothing is found. */
export function findInReturns(
  candidate: ReturnsOf,
  reference: ReturnsOf,
  beside: Beside = REFERENCE,
): { readonly factor: number; readonly name: string; readonly what: string } | null {
  const [name, theirs] = [...reference].findLast(([name]) => candidate.has(name)) ?? [];
  if (name === undefined || theirs === undefined) return null;
  const ours = candidate.get(name)!;
  const fact = FACTS.find(({ holds }) => holds(ours, theirs));
  return fact === undefined ? null : { factor: fact.factor, name, what: fact.says(ours, theirs, beside) };
}

const areApart = <T>(ours: ReadonlySet<T> | null, theirs: ReadonlySet<T> | null): boolean =>
  ours !== null && theirs !== null && ours.size > 0 && theirs.size > 0 && ![...ours].some((kind) => theirs.has(kind));
