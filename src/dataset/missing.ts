/** Which programs fail for want of a module of the environment. */
import type { Executor } from "../execute/types.ts";
import { isKnownModule, missingModules, staticFaults } from "../languages/python/index.ts";
import { loadParser } from "../languages/python/syntax/parse.ts";
import type { Execution, Problem } from "../types.ts";

const NO_MODULE = /No module named '(\w+)/;
const LACKS = " is not in the environment";

export const reasonOfMissing = (module: string): string => `${module}${LACKS}`;

/** The module that the reason of a row names; null where it has another. */
export const moduleOfReason = (reason: string | null): string | null =>
  reason?.endsWith(LACKS) ? reason.slice(0, -LACKS.length) : null;

export interface Missing {
  readonly module: string;
  /** The problem itself wants it: then nothing is known of its programs. */
  readonly byProblem: boolean;
}

/**
 * The module for want of which a program failed; null where it did not. An error has to say so, the module must not be there,
 * and its import must stand in a reference, the setup or a test of the problem, where a candidate cannot choose how it is judged. An
 * import of the candidate's own counts where the module is one that others know: a name made up by a model is a wrong program.
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
