/**
 * Exceptions as answers: those that the reference raises by a statement of its own, if the task announces exceptions or says nothing at all.
 * An exception of any other kind shows that an input is not valid.
 *
 * A candidate may check its arguments, and refuse inputs that the reference happens to answer. If the task announces no exceptions, it
 * probably does not define these inputs.
 */
import type { Answer } from "../execute/index.ts";
import { stripPython } from "../languages/python/index.ts";
import type { PyValue } from "../types.ts";
import type { Entry, Task } from "./types.ts";

const RAISE = /(?:^|[:;])[ \t]*raise[ \t]+([A-Za-z_]\w*)/gm;
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

/** Statements that end a program's work, and the exceptions that they raise. A stub's exception refuses nothing. */
const OTHER_RAISES = [
  [/(?:^|[:;])[ \t]*assert\b/m, "AssertionError"],
  [/\b(?:sys\.exit|exit|quit)\(/, "SystemExit"],
] as const;
const STUB = "NotImplementedError";
/** A program refuses inputs only if it gives the reference's answer to at least so many other inputs. */
const LEAST_AGREEING = 3;

/** Whether an answer of a program shows that it refuses the input. */
export function refusing(code: string): (answer: Answer) => boolean {
  const source = stripPython(code);
  const names = new Set([
    ...[...source.matchAll(RAISE)].map(([, name]) => name as string),
    ...OTHER_RAISES.flatMap(([statement, name]) => (statement.test(source) ? [name] : [])),
  ]);
  names.delete(STUB);
  return (answer) => answer.outcome === "error" && names.has(answer.errorType);
}

/** For each answer of a candidate: whether it refuses the input. `agrees`: whether the answer is the reference's. */
export function refusals(code: string, answers: readonly Answer[], agrees: readonly boolean[], task: Task): boolean[] {
  const mayRefuse = answers.some(({ outcome }) => outcome === "error") && !announcesExceptions(task);
  const isEnough = agrees.filter(Boolean).length >= LEAST_AGREEING;
  return answers.map(mayRefuse && isEnough ? refusing(code) : () => false);
}

/** Whether a task says when exceptions are raised. */
const announcesExceptions = ({ reference, description }: Task): boolean =>
  ANNOUNCED.test([description ?? "", ...((reference ?? "").match(DOCSTRING) ?? [])].join("\n"));
