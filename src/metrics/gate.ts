/**
 * The static gate: 0 where it can be seen without running it that a candidate fails, else 1. Alone it knows nothing of what a
 * program computes, and on HumanEval programs of CodeGen and Codex it still correlates with PassRatio better than BLEU and
 * chrF (models/LOG.md).
 */
import { missingModules, staticFaults } from "../tokenize/index.ts";
import { loadParser, type Parse } from "../util/python-syntax.ts";

let parse: Parse | undefined;

/** To be awaited once, before `gate`. Throws `CodescoreError("environment")` where the grammar cannot be loaded. */
export async function loadGate(): Promise<void> {
  parse ??= await loadParser();
}

/**
 * 0 for a candidate that does not parse, reads a name that nothing binds, imports what is not among the `modules` there are
 * (those of Python 3.11's standard library, unless given), or defines nothing of the name of any function or class of the
 * reference (which tests may call unless it reads standard input). What the reference itself reads or imports without having
 * it is taken to be there: tests may bring it.
 */
export function gate(candidate: string, reference: string, modules?: ReadonlySet<string>): 0 | 1 {
  if (parse === undefined) throw new Error("loadGate() comes before gate()");
  const [ours, theirs] = [staticFaults(parse(candidate)), staticFaults(parse(reference))];
  if (ours.broken) return 0;
  const lacks = (mine: readonly string[], given: readonly string[]): boolean => {
    const there = new Set(given);
    return mine.some((name) => !there.has(name));
  };
  if (
    lacks(ours.undefinedNames, theirs.undefinedNames) ||
    lacks(missingModules(ours, modules), missingModules(theirs, modules))
  )
    return 0;
  return theirs.callable.length > 0 && !theirs.callable.some((name) => ours.bound.has(name)) ? 0 : 1;
}
