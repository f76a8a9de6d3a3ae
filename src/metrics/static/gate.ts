/**
 * The static gate: 0 where it can be seen without running it that a candidate fails, else 1. Alone it knows nothing of what a
 * program computes, and on HumanEval programs of CodeGen and Codex it still correlates with PassRatio better than BLEU and
 * chrF (models/LOG.md).
 */
import { missingModules, type StaticFaults, staticFaults } from "../../languages/python/index.ts";
import { loadParser } from "../../languages/python/syntax/parse.ts";
import { remember } from "../../util/remember.ts";

/** Characters of programs whose faults are kept: references repeat for every candidate of a problem. */
const REMEMBERED = 2 ** 17;

let faultsOf: ((source: string) => StaticFaults) | undefined;

/** To be awaited once, before `gate`. Throws `CodescoreError("environment")` where the grammar cannot be loaded. */
export async function loadGate(): Promise<void> {
  const parse = await loadParser();
  faultsOf ??= remember((source) => staticFaults(parse(source)), REMEMBERED);
}

/** Why a candidate fails, by what it lacks. */
export interface Lacking {
  /** Python cannot compile it. */
  readonly broken: boolean;
  /** Names that nothing binds, and modules that are not there. */
  readonly names: readonly string[];
  readonly modules: readonly string[];
  /** What tests may call, where it defines none of it. */
  readonly callable: readonly string[];
}

/**
 * 0 for a candidate that does not parse, reads a name that nothing binds, imports what is not among the `modules` there are
 * (those of Python 3.11's standard library, unless given), or defines nothing of the name of any function or class of the
 * reference (which tests may call unless it reads standard input). What the reference itself reads or imports without having
 * it is taken to be there: tests may bring it.
 */
export function gate(candidate: string, reference: string, modules?: ReadonlySet<string>): 0 | 1 {
  const { broken, ...lacking } = lackingOf(candidate, reference, modules);
  return broken || Object.values(lacking).some(({ length }) => length > 0) ? 0 : 1;
}

/** What makes the gate 0. */
export function lackingOf(candidate: string, reference: string, modules?: ReadonlySet<string>): Lacking {
  if (faultsOf === undefined) throw new Error("loadGate() comes before gate()");
  const [ours, theirs] = [faultsOf(candidate), faultsOf(reference)];
  const without = (mine: readonly string[], given: readonly string[]): string[] => {
    const there = new Set(given);
    return mine.filter((name) => !there.has(name));
  };
  const isCalled = theirs.callable.length === 0 || theirs.callable.some((name) => ours.bound.has(name));
  return {
    broken: ours.broken,
    names: without(ours.undefinedNames, theirs.undefinedNames),
    modules: without(missingModules(ours, modules), missingModules(theirs, modules)),
    callable: isCalled || ours.broken ? [] : theirs.callable,
  };
}

/** Whether Python cannot compile a program. `loadGate()` comes first. */
export function isBroken(source: string): boolean {
  if (faultsOf === undefined) throw new Error("loadGate() comes before isBroken()");
  return faultsOf(source).broken;
}
