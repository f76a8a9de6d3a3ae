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

export const NOT_INSTALLED = "which is not installed; use --python ENV/bin/python with an environment that has it";
