/**
 * The static gate: 0 if it can be seen without running a candidate that it fails, otherwise 1. It knows nothing about what a
 * program computes. Still, on HumanEval programs of CodeGen and Codex it correlates with PassRatio better than BLEU and chrF
 * (models/LOG.md).
 */
import { missingModules, type StaticFaults, staticFaults } from "../../languages/python/index.ts";
import { loadParser } from "../../languages/python/syntax/parse.ts";
import { remember } from "../../util/remember.ts";

/** Total number of characters of the programs whose faults are cached. References repeat for every candidate of a problem. */
const REMEMBERED = 2 ** 17;

let faultsOf: ((source: string) => StaticFaults) | undefined;

/**
 * Must be awaited once before `gate`.
 * @throws `CodescoreError("environment")` if the grammar cannot be loaded.
 */
export async function loadGate(): Promise<void> {
  const parse = await loadParser();
  faultsOf ??= remember((source) => staticFaults(parse(source)), REMEMBERED);
}

/** Why a candidate fails, by what it lacks. */
export interface Lacking {
  /** Python cannot compile it. */
  readonly broken: boolean;
  /** Names that nothing binds, and modules that do not exist. */
  readonly names: readonly string[];
  readonly modules: readonly string[];
  /** The functions and classes that tests may call, if the candidate defines none of them. */
  readonly callable: readonly string[];
}

/**
 * 0 for a candidate that
 * - does not parse,
 * - reads a name that nothing binds,
 * - imports a module that is not among `modules` (by default the standard library of Python 3.11), or
 * - defines none of the functions and classes of the reference (which tests may call unless it reads standard input).
 * Names and modules that the reference itself uses without having them are assumed to exist, because tests may provide them.
 */
export function gate(candidate: string, reference: string, modules?: ReadonlySet<string>): 0 | 1 {
  const { broken, ...lacking } = lackingOf(candidate, reference, modules);
  return broken || Object.values(lacking).some(({ length }) => length > 0) ? 0 : 1;
}

/** The reasons for which the gate is 0. */
export function lackingOf(candidate: string, reference: string, modules?: ReadonlySet<string>): Lacking {
  if (faultsOf === undefined) throw new Error("call loadGate() before gate()");
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

/** Whether Python cannot compile a program. `loadGate()` must be awaited first. */
export function isBroken(source: string): boolean {
  if (faultsOf === undefined) throw new Error("call loadGate() before isBroken()");
  return faultsOf(source).broken;
}
