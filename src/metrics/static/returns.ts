/**
 * How far what can be seen of a candidate's answers (`returns/`) lets it pass: a factor to what it is said to pass.
 */
import type { Level, Returns, ReturnsOf, StaticTypeError } from "../../languages/python/index.ts";

/** What a candidate is held against, in words. */
export interface Beside {
  readonly name: string;
  /** Before the number of its arguments. */
  readonly takes: string;
  /** Said of an argument that it looks at. */
  readonly reads: string;
}

export const REFERENCE: Beside = { name: "the reference", takes: "the reference", reads: ", the reference does" };
export const DESCRIPTION: Beside = { name: "the description", takes: "the description gives", reads: "" };

interface Fact {
  /**
   * Mean PassRatio of those programs of models in `train-mix` that the gate lets through and of which it is so, over that of
   * those of which none of it is (models/LOG.md).
   */
  readonly factor: number;
  readonly holds: (ours: Returns, theirs: Returns) => boolean;
  readonly says: (ours: Returns, theirs: Returns, beside: Beside) => string;
}

/** The first that holds counts. */
const FACTS: readonly Fact[] = [
  {
    factor: 0,
    holds: (ours, theirs) => theirs.answers && areApart(ours.families, theirs.families),
    says: (ours, theirs, { name }) => `its answers are ${listed(ours.families)}, ${name}'s ${listed(theirs.families)}`,
  },
  {
    factor: 0,
    holds: (ours, theirs) => theirs.answers && areApart(ours.members, theirs.members),
    says: (ours, theirs, { name }) => `its answers hold ${listed(ours.members)}, ${name}'s ${listed(theirs.members)}`,
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
    says: () => "it looks at none of its arguments",
  },
  {
    factor: 0.55,
    holds: (ours, theirs) => theirs.reads.some((reads, i) => reads && ours.reads[i] === false),
    says: (ours, theirs, { reads: said }) => {
      const unread = theirs.reads.flatMap((reads, i) => (reads && ours.reads[i] === false ? [i + 1] : []));
      return `it does not look at argument ${unread.join(", ")}${said}`;
    },
  },
  {
    factor: 0.85,
    holds: (ours, theirs) => ours.ends && !theirs.ends && !(theirs.families?.has("None") ?? false),
    says: () => "it can come to its end without an answer",
  },
];

const listed = (families: ReadonlySet<string> | null): string => [...families!].sort().join(" or ");

const counted = ({ least, most }: Returns): string => {
  if (most === Number.POSITIVE_INFINITY) return `at least ${least} arguments`;
  return least === most ? `${least} argument${least === 1 ? "" : "s"}` : `${least} to ${most} arguments`;
};

/**
 * The same of programs whose methods read attributes that nothing gives their objects, and the reference's not: 157, none of
 * which passes; all raise AttributeError.
 */
export const LACKING = 0.13;

/**
 * The same of programs that do with values what ones of their sort cannot do (`type-errors`): of models' programs and of
 * mutants of references, for the former are few.
 */
const TYPE_ERROR_FACTORS: readonly [Level, number][] = [
  ["always", 0.05],
  ["loop", 0.1],
  ["branch", 0.4],
];

/** What typeErrors leave of what a program is said to pass. */
export const typeErrorFactor = (typeErrors: readonly StaticTypeError[]): number =>
  TYPE_ERROR_FACTORS.find(([wanted]) => typeErrors.some(({ level }) => level === wanted))?.[1] ?? 1;

/**
 * In [0, 1]: 0 where no answer of the candidate can be right, 1 where nothing is seen, or nothing known. Of the functions of
 * one name the reference's last counts, which its others mostly help.
 */
export const compareReturns = (candidate: ReturnsOf, reference: ReturnsOf): number =>
  findInReturns(candidate, reference)?.factor ?? 1;

/** What that is, and of which function; null where nothing is seen. */
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
