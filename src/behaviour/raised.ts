/**
 * Exceptions as answers: those that the reference raises by a statement of its own, if the task announces exceptions or says nothing at all.
 * An exception of any other kind shows that an input is not valid.
 */
import type { Answer } from "../execute/index.ts";
import { stripPython } from "../languages/python/index.ts";
import type { PyValue } from "../types.ts";
import type { Entry, Task } from "./types.ts";

const RAISE = /\braise[ \t]+([A-Za-z_]\w*)/g;
const ANNOUNCED = /\b(?:raise[sd]?|throws?|thrown|exceptions?|\w+(?:Error|Exception))\b/;
const DOCSTRING = /"""(?:[^"]|"(?!""))*"""|'''(?:[^']|'(?!''))*'''/g;
/** The type of such an answer in canonical form. */
const RAISED = "raised";

/** The names of the exceptions that are answers. */
export function announcedExceptions({ reference, description }: Task, entry: Entry): ReadonlySet<string> {
  if (reference === null || entry.kind === "stdin") return new Set();
  const words = [description ?? "", ...(reference.match(DOCSTRING) ?? [])].join("\n");
  if (words.trim() !== "" && !ANNOUNCED.test(words)) return new Set();
  return new Set([...stripPython(reference).matchAll(RAISE)].map(([, name]) => name as string));
}

/** The answer, or the exception as an answer if it is one of `names` or extends one that is built in. */
export function withExceptions(answer: Answer, names: ReadonlySet<string>): Answer {
  if (answer.outcome !== "error") return answer;
  const name = [answer.errorType, answer.baseType].find((type) => type !== undefined && names.has(type));
  if (name === undefined) return answer;
  const value: PyValue = { t: "object", type: RAISED, form: name };
  return { outcome: "ok", value, text: JSON.stringify(["o", RAISED, name]), cpuS: 0 };
}

export const isException = (answer: Answer): boolean =>
  answer.outcome === "ok" && answer.value.t === "object" && answer.value.type === RAISED;
