/** Packages that keep a candidate from being judged by running it. */
import type { Observation } from "../behaviour/index.ts";
import { missingModule } from "../behaviour/oracle.ts";
import type { Answer, Executor } from "../execute/types.ts";

/**
 * The missing module that keeps a candidate from being judged: it fails on its first input, or only on those on which it imports the module,
 * as in a function that does so for long lists. A candidate that is also wrong elsewhere is wrong.
 */
export async function missingIn(code: string, ran: Observation, executor: Executor): Promise<string | null> {
  const { missing, answers, agrees, exampleAnswers } = ran;
  if (missing !== null) return missing;
  const lacks = (answer: Answer): boolean => answer.outcome === "error" && answer.errorType === "ModuleNotFoundError";
  const lacking = [...exampleAnswers, ...answers].filter(lacks);
  if (lacking.length === 0) return null;
  const wrong = answers.some((answer, i) => !lacks(answer) && agrees !== null && !agrees[i]);
  const failed = ran.examples.total - ran.examples.passed > exampleAnswers.filter(lacks).length;
  return wrong || failed ? null : missingModule(code, lacking, executor);
}

const NEEDS = ["it needs ", "the reference needs "] as const;
const INSTALL = "use --python ENV/bin/python with an environment that has";
const NOT_INSTALLED = `, which is not installed; ${INSTALL} it`;

/** Why a program is not run: it or its reference lacks a module. */
export const lacksModule = (module: string, inReference = false): string =>
  `${NEEDS[inReference ? 1 : 0]}${module}${NOT_INSTALLED}`;

/** The module that a reason of `lacksModule` names; null for other reasons. */
function moduleIn(reason: string): string | null {
  const start = NEEDS.find((one) => reason.startsWith(one));
  return start === undefined || !reason.endsWith(NOT_INSTALLED)
    ? null
    : reason.slice(start.length, -NOT_INSTALLED.length);
}

/** The same counts of reasons, but one reason for all missing modules, so that the advice is given once. */
export function joinMissing(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const missing = [...counts].filter(([reason]) => moduleIn(reason) !== null);
  if (missing.length < 2) return counts;
  const modules = new Map<string, number>();
  for (const [reason, n] of missing) {
    const module = moduleIn(reason)!;
    modules.set(module, (modules.get(module) ?? 0) + n);
  }
  const named = [...modules].sort(([, a], [, b]) => b - a).map(([module, n]) => `${module} (${n})`);
  const joined = `not installed: ${named.join(", ")}; ${INSTALL} ${named.length === 1 ? "it" : "them"}`;
  const others = [...counts].filter(([reason]) => moduleIn(reason) === null);
  return new Map([...others, [joined, missing.reduce((sum, [, n]) => sum + n, 0)]]);
}
