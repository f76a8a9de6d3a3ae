/** Finds programs that fail only because a module is not installed in the environment. */
import type { Executor } from "../execute/types.ts";
import { isKnownModule, missingModules, staticFaults } from "../languages/python/index.ts";
import { loadParser } from "../languages/python/syntax/parse.ts";
import type { Execution, Problem } from "../types.ts";

const NO_MODULE = /No module named '(\w+)/;
const LACKS = " is not in the environment";

export const reasonOfMissing = (module: string): string => `${module}${LACKS}`;

/** The module that a row's reason names; null if the reason is another one. */
export const moduleOfReason = (reason: string | null): string | null =>
  reason?.endsWith(LACKS) ? reason.slice(0, -LACKS.length) : null;

export interface Missing {
  readonly module: string;
  /** The problem itself needs the module, so none of its programs can be judged. */
  readonly byProblem: boolean;
}

/**
 * The module whose absence made a program fail; null if none did. Three conditions: an error names the module, the module is not
 * installed, and a reference, the setup or a test of the problem imports it. Candidates cannot influence these texts, so they
 * cannot choose how they are judged. An import in the candidate alone counts only for a well-known module. A module name that a
 * model invented makes a wrong program.
 */
export async function missingModule(
  problem: Problem,
  code: string,
  { verdicts, reason }: Execution,
  executor: Executor,
): Promise<Missing | null> {
  const messages = verdicts.map((verdict) => (verdict.errorType === "ModuleNotFoundError" ? verdict.message : null));
  const named = [...messages, reason].flatMap((text) => NO_MODULE.exec(text ?? "")?.[1] ?? []);
  if (named.length === 0) return null;
  const [parse, there] = await Promise.all([loadParser(), executor.modules()]);
  const absent = (text: string): string[] => missingModules(staticFaults(parse(text)), new Set(there));
  const byProblem = new Set(ownTexts(problem).flatMap(absent));
  const byCandidate = new Set(absent(code).filter(isKnownModule));
  const module = named.find((one) => byProblem.has(one)) ?? named.find((one) => byCandidate.has(one));
  return module === undefined ? null : { module, byProblem: byProblem.has(module) };
}

const ownTexts = ({ references, setup, tests, notebook }: Problem): string[] => [
  ...references,
  setup,
  ...(notebook?.before ?? []),
  ...tests.flatMap((test) => ("code" in test ? [test.code] : [])),
];
