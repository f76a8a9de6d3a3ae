/**
 * How far what can be seen of a candidate's answers (`tokenize/answers`) lets it pass: a factor to what it is said to pass.
 */
import type { Answers, AnswersOf, Level } from "../tokenize/index.ts";

/**
 * Mean PassRatio of those programs of models in `train-mix` that the gate lets through and of which it is so, over that of
 * those of which none of it is (models/LOG.md). The first that holds counts.
 */
const FACTORS: readonly [factor: number, holds: (ours: Answers, theirs: Answers) => boolean][] = [
  // Its answers, or what they hold, are of other kinds than any of the reference's.
  [
    0,
    (ours, theirs) => theirs.answers && (areApart(ours.kinds, theirs.kinds) || areApart(ours.members, theirs.members)),
  ],
  // It returns nothing.
  [0, (ours, theirs) => !ours.answers && theirs.answers],
  // It cannot be called with as many arguments.
  [0, (ours, theirs) => ours.most < theirs.least || ours.least > theirs.most],
  // It looks at none of its arguments.
  [0.3, (ours, theirs) => !ours.reads.includes(true) && theirs.reads.includes(true)],
  // It does not look at an argument that the reference looks at.
  [0.55, (ours, theirs) => theirs.reads.some((reads, i) => reads && ours.reads[i] === false)],
  // It can come to its end without an answer.
  [0.85, (ours, theirs) => ours.ends && !theirs.ends && !(theirs.kinds?.has("None") ?? false)],
];

/**
 * The same of programs whose methods read attributes that nothing gives their objects, and the reference's not: 157, none of
 * which passes; all raise AttributeError.
 */
export const LACKING = 0.13;

/**
 * The same of programs that do with values what ones of their sort cannot do (`tokenize/conflicts`): of models' programs and of
 * mutants of references, for the former are few.
 */
const CONFLICTS: readonly [Level, number][] = [
  ["always", 0.05],
  ["loop", 0.1],
  ["branch", 0.4],
];

/** What conflicts leave of what a program is said to pass. */
export const leftBy = (conflicts: readonly Level[]): number =>
  CONFLICTS.find(([level]) => conflicts.includes(level))?.[1] ?? 1;

/**
 * In [0, 1]: 0 where no answer of the candidate can be right, 1 where nothing is seen, or nothing known. Of the functions of
 * one name the reference's last counts, which its others mostly help.
 */
export function compareAnswers(candidate: AnswersOf, reference: AnswersOf): number {
  const [name, theirs] = [...reference].findLast(([name]) => candidate.has(name)) ?? [];
  if (name === undefined || theirs === undefined) return 1;
  return FACTORS.find(([, holds]) => holds(candidate.get(name)!, theirs))?.[0] ?? 1;
}

const areApart = <T>(ours: ReadonlySet<T> | null, theirs: ReadonlySet<T> | null): boolean =>
  ours !== null && theirs !== null && ours.size > 0 && theirs.size > 0 && ![...ours].some((kind) => theirs.has(kind));
